/**
 * Labels lines with an encoder that reads each line by itself, and a second network that reads their embeddings in
 * order (Salmela 2022). A model without the second network is a bag of lines.
 */
import type { Document, LabelledLine } from "../../../document.js";
import { UsageError } from "../../../outcome.js";
import type { TimeLimit } from "../../../time/time-limit.js";
import type { Labeller, LabellerOptions } from "../../labeller.js";
import type { EngineName } from "../../network/engine.js";
import { chooseEngine } from "../../network/engines.js";
import { openNetwork, type Network } from "../../network/session.js";
import { isBlank, labelEach, labelLine, sigmoid } from "../../label-line.js";
import { encodeLines, type Rows } from "./encode.js";
import { loadTransformerModel, type TransformerModel } from "./transformer-folder.js";
import { openEncoder, type Encoder } from "./library.js";

/** The number of lines whose embeddings are held at a time, if segments allow it: 1,000 × 768 numbers are 3 MB. */
const STRETCH = 1000;
/** The most lines that a model for whole documents reads together. */
const MOST_WHOLE = 8192;

/** Opens the model in `modelDir`. Throws UsageError without `modelDir`, a usable model or the optional package. */
export async function createTransformerLabeller(options: LabellerOptions): Promise<Labeller> {
  const { modelDir, focus } = options;
  if (modelDir === undefined)
    throw new UsageError(
      "the labeller transformer comes without a model: give a folder with --model DIR (modelDir), or one on the Hugging Face " +
        "hub with --model hub:OWNER/NAME; models/train/train_transformer.sh makes one",
    );
  const opened = await openTransformer(modelDir, options.engine);
  const { model } = opened;
  const cut = options.cut ?? model.cuts[focus];
  return {
    name: `${model.name}@${model.digest}`,
    async label(batch, { limit } = {}) {
      const labelled: Document<LabelledLine>[] = [];
      // One document after the other: the rest of a batch must not change a score.
      for (const document of batch) labelled.push(await labelDocument(document, opened, { cut, limit }));
      return labelled;
    },
    close: () => closeTransformer(opened),
  };
}

export interface OpenTransformer {
  readonly model: TransformerModel;
  readonly encoder: Encoder;
  readonly head: Network | undefined;
}

/** Opens encoder and head. The encoder runs with its own library; `engine` runs the head, which reads embeddings. */
export async function openTransformer(folder: string, engine?: EngineName): Promise<OpenTransformer> {
  const model = await loadTransformerModel(folder);
  const encoder = await openEncoder(model);
  try {
    checkTokenizer(encoder, model);
    const head =
      model.head && (await openNetwork(model.head.network, model.folder, await chooseEngine(engine)));
    return { model, encoder, head };
  } catch (error) {
    await encoder.close();
    throw error;
  }
}

export async function closeTransformer({ encoder, head }: OpenTransformer): Promise<void> {
  await encoder.close();
  await head?.close();
}

/** Checks that the tokenizer belongs to the encoder: another model's token numbers would be meaningless here. */
function checkTokenizer({ highest, known, padding, before, behind }: Encoder, model: TransformerModel): void {
  const { special, maxTokens } = model;
  if (highest >= known)
    model.refuse(
      `its tokenizer has token numbers up to ${highest}, but its encoder knows only ${known} tokens: they do not belong together`,
    );
  const pairs = { pad: padding, bos: before[0], eos: behind.at(-1) } as const;
  for (const [name, number] of Object.entries(pairs)) {
    // Object.entries widens the names of `pairs` to string.
    const wanted = special[name as keyof typeof pairs];
    if (wanted !== undefined && number !== undefined && wanted !== number)
      model.refuse(
        `the ${name} token of its tokenizer is ${number}, but its encoder was trained with ${wanted}: they do not belong together`,
      );
  }
  if (before.length + behind.length >= maxTokens)
    model.refuse(`"settings.maxTokens" is ${maxTokens}, which leaves no room for a line`);
}

async function labelDocument(
  document: Document,
  opened: OpenTransformer,
  { cut, limit }: { readonly cut: number; readonly limit: TimeLimit | undefined },
): Promise<Document<LabelledLine>> {
  const texts = document.lines.map(({ text }) => text).filter((text) => !isBlank(text));
  const scores = await scoreTexts(texts, opened, limit);
  const lines = labelEach(document.lines, (line, at) => labelLine(line, scores[at] ?? 0, cut));
  return { ...document, lines };
}

/** Returns P(content) of lines that are not blank. */
export async function scoreTexts(
  texts: readonly string[],
  opened: OpenTransformer,
  limit?: TimeLimit,
): Promise<Float64Array> {
  const { model, encoder, head } = opened;
  const { slope, offset } = model.calibration;
  const segment = model.head?.segment ?? MOST_WHOLE;
  // As many whole segments as fit, so that a stretch ends at the end of a segment.
  const stretch = head === undefined ? STRETCH : Math.max(1, Math.floor(STRETCH / segment)) * segment;
  const scores = new Float64Array(texts.length);
  for (let start = 0; start < texts.length; start += stretch) {
    const part = texts.slice(start, start + stretch);
    const rows = await encodeLines(part, {
      encoder,
      maxTokens: model.maxTokens,
      how: model.head?.pooling,
      limit,
    });
    const logits = head === undefined ? rows.data : await readSegments(rows, head, segment);
    for (const [at, logit] of logits.entries()) scores[start + at] = sigmoid(slope * logit + offset);
  }
  return scores;
}

async function readSegments({ data, width }: Rows, head: Network, segment: number): Promise<Float32Array> {
  const lines = data.length / width;
  const logits = new Float32Array(lines);
  for (let start = 0; start < lines; start += segment) {
    const count = Math.min(segment, lines - start);
    const embeddings = data.subarray(start * width, (start + count) * width);
    const { logits: found } = await head.run(count, { embeddings });
    if (found?.length !== count)
      throw new Error(`the head did not return one logit for each of ${count} lines`);
    logits.set(found, start);
  }
  return logits;
}
