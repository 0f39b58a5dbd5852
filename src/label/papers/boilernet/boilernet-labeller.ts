/** Labels lines by their tags and texts with the network of BoilerNet or MultiBoilerNet (the labeller `boilernet`). */
import type { Document, LabelledLine, Line } from "../../../document.js";
import { UsageError } from "../../../outcome.js";
import type { TimeLimit } from "../../../time/time-limit.js";
import type { Labeller, LabellerOptions } from "../../labeller.js";
import { DEFAULT_BOILERNET_MODEL } from "../../models/shipped-models.js";
import { chooseEngine } from "../../network/engines.js";
import { openNetwork, type Network } from "../../network/session.js";
import { isSolid, labelEach, labelLine, sigmoid } from "../../label-line.js";
import { createBagEncoder, createWordEncoder, openTransformerEncoder, type LineEncoder } from "./encoders.js";
import { loadBoilernetModel, type BoilernetModel, type EncoderPlan } from "./boilernet-model.js";
import { fillTags } from "./path-tags.js";

/**
 * Loads a model (MultiBoilerNet unless `modelDir` names another). Throws UsageError when it does not fit. The labeller
 * throws UsageError for plain text: its lines have no tags, so a network that reads tags would answer at random.
 */
export async function createBoilernetLabeller(options: LabellerOptions): Promise<Labeller> {
  const folder = options.modelDir ?? DEFAULT_BOILERNET_MODEL;
  const model = await loadBoilernetModel(folder);
  const encoder = await openLineEncoder(model.encoder);
  const network = await openNetwork(model.network, folder, await chooseEngine(options.engine));
  const { slope, offset } = model.calibration;
  const cut = options.cut ?? model.cuts[options.focus];
  return {
    name: `${model.name}@${model.digest}`,
    async label(batch, { limit } = {}) {
      const labelled: Document<LabelledLine>[] = [];
      for (const document of batch) {
        refuseText(document);
        const solid = document.lines.filter(isSolid);
        const logits = await scoreLines(solid, { model, network, encoder }, limit);
        const lines = labelEach(document.lines, (line, at) =>
          labelLine(line, sigmoid(slope * (logits[at] ?? 0) + offset), cut),
        );
        labelled.push({ ...document, lines });
      }
      return labelled;
    },
    async close() {
      await network.close();
      await encoder.close();
    },
  };
}

function refuseText({ id, source }: Document): void {
  if (source === "text")
    throw new UsageError(
      `the labeller boilernet reads the tags around each line, but ${id} is plain text; use --labeller text for it`,
    );
}

/** Opens the encoder that the model names, which makes one vector for each line. Throws UsageError when it cannot. */
export async function openLineEncoder(plan: EncoderPlan): Promise<LineEncoder> {
  if (plan.kind === "words") return createWordEncoder(plan.words);
  if (plan.kind === "bags") return createBagEncoder(plan.table, plan.bags);
  return openTransformerEncoder(plan);
}

interface Scorer {
  readonly model: BoilernetModel;
  readonly network: Network;
  readonly encoder: LineEncoder;
}

/**
 * Returns the logits before calibration of lines that are not blank. Splits long pages into windows with context lines
 * on both sides to bound memory; an LSTM has mostly forgotten lines farther away.
 */
export async function scoreLines(
  lines: readonly Line[],
  by: Scorer,
  limit?: TimeLimit,
): Promise<Float32Array> {
  const { lines: most, context } = by.model.window;
  const logits = new Float32Array(lines.length);
  for (let core = 0; core < lines.length; core += most) {
    limit?.check();
    const start = Math.max(0, core - context);
    const end = Math.min(lines.length, core + most);
    const window = lines.slice(start, Math.min(lines.length, end + context));
    const scores = await scoreWindow(window, by);
    logits.set(scores.subarray(core - start, end - start), core);
  }
  return logits;
}

async function scoreWindow(
  lines: readonly Line[],
  { model, network, encoder }: Scorer,
): Promise<Float32Array> {
  const width = model.tags.size + 1;
  const values = new Float32Array(lines.length * width);
  for (const [at, line] of lines.entries()) fillTags(line, model.tags, { values, base: at * width });
  const text = await encoder.encode(lines.map((line) => line.text));
  const { logits } = await network.run(lines.length, { tags: values, text });
  if (logits?.length !== lines.length)
    throw new Error(`the model ${model.name} did not return one logit for each of ${lines.length} lines`);
  return logits;
}
