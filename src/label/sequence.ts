/** The `text` labeller: lines of a document through features, table and network to calibrated, labelled lines. */
import type { Document, LabelledLine, Line } from "../document.js";
import { duplicateCaps, WHY_DUPLICATE } from "./duplicates.js";
import { createWorkspace, featureWindows, type Workspace } from "./features/windows.js";
import type { Labeller, LabellerOptions } from "./labeller.js";
import { DEFAULT_TEXT_MODEL, loadTextModel, type LineModel } from "./model.js";
import { createBagPool, type BagPool } from "./pool.js";
import { mayRescue, rescueLines } from "./rescue.js";
import { scoreWindows } from "./score.js";
import { openModel, type Session } from "./session.js";
import { isBlank, labelBlank, labelLine, sigmoid } from "./verdict.js";

/** Loads a model (the shipped one unless `modelDir` names another). Throws UsageError when it does not fit. */
export async function createTextLabeller(options: LabellerOptions): Promise<Labeller> {
  const folder = options.modelDir ?? DEFAULT_TEXT_MODEL;
  const model = loadTextModel(folder);
  const threshold = options.threshold ?? model.thresholds[options.focus];
  const session = await openModel(model.network, folder);
  const idle: Scratch[] = [];
  return {
    name: `${model.name}@${model.digest}`,
    async label(batch) {
      const scratch = idle.pop() ?? createScratch(model);
      const labelled: Document<LabelledLine>[] = [];
      // One document a run: what else is in a batch must not touch a score, not even in its last digit.
      for (const document of batch) {
        const texts = document.lines.map((line) => line.text).filter((text) => !isBlank(text));
        const logits = await scoreLines(texts, model, session, scratch);
        const lines = labelLines(document.lines, texts, logits, { ...model, threshold });
        labelled.push({ ...document, lines: mayRescue(options) ? rescueLines(lines) : lines });
      }
      idle.push(scratch);
      return labelled;
    },
    close: () => session.close(),
  };
}

function labelLines(
  lines: readonly Line[],
  texts: readonly string[],
  logits: Float32Array,
  { calibration, threshold }: Pick<LineModel, "calibration"> & { readonly threshold: number },
): LabelledLine[] {
  const caps = duplicateCaps(texts);
  const { slope, offset } = calibration;
  let at = 0;
  return lines.map((line) => {
    if (isBlank(line.text)) return labelBlank(line);
    const probability = sigmoid(slope * (logits[at] ?? 0) + offset);
    const cap = caps[at] ?? 1;
    at += 1;
    if (cap >= probability) return labelLine(line, probability, threshold);
    const capped = labelLine(line, cap, threshold, WHY_DUPLICATE);
    // Under a low threshold the copy stays content, and then no rule decided.
    return capped.label === "boilerplate" ? capped : labelLine(line, cap, threshold);
  });
}

/** What one caller needs to score a document; not to be shared between overlapping calls. */
interface Scratch {
  readonly workspace: Workspace;
  readonly pool: BagPool;
}

function createScratch(model: LineModel): Scratch {
  return { workspace: createWorkspace(), pool: createBagPool(model) };
}

/** One logit a line, before calibration. Long documents go in windows whose context overlaps, so memory stays bounded. */
export async function scoreLines(
  texts: readonly string[],
  model: LineModel,
  session: Session,
  { workspace, pool }: Scratch = createScratch(model),
): Promise<Float32Array> {
  const windows = featureWindows(texts, workspace, pool, model.window);
  return (await scoreWindows(windows, { pool, session, lines: texts.length })).lines;
}
