/** The `page` labeller: lines with their place in the page into labelled lines, and a verdict on the page as a whole. */
import type { Document, LabelledLine, Line, PageVerdict } from "../document.js";
import { createPathBuckets } from "./features/page/path-bags.js";
import { createPlaces } from "./features/page/place.js";
import { createWorkspace, featureWindows, type Workspace } from "./features/windows.js";
import type { Labeller, LabellerOptions } from "./labeller.js";
import { DEFAULT_PAGE_MODEL, loadPageModel, type PageModel } from "./model.js";
import { createPagePool } from "./pool.js";
import { mayRescue, rescueLines } from "./rescue.js";
import { openModel, type Session } from "./session.js";
import { isBlank, labelBlank, labelLine, roundScore, sigmoid } from "./verdict.js";

/** Why a line is boilerplate although its own score is above the cut: the page as a whole holds no main content. */
export const WHY_NOTHING_HERE = "nothing-here";

/** Loads a model (the shipped one unless `modelDir` names another). Throws UsageError when it does not fit. */
export async function createPageLabeller(options: LabellerOptions): Promise<Labeller> {
  const folder = options.modelDir ?? DEFAULT_PAGE_MODEL;
  const model = loadPageModel(folder);
  const session = await openModel(model.network, folder);
  const threshold = options.threshold ?? model.thresholds[options.focus];
  const workspaces: Workspace[] = [];
  return {
    name: `${model.name}@${model.digest}`,
    async label(batch) {
      const workspace = workspaces.pop() ?? createWorkspace();
      const labelled: Document<LabelledLine>[] = [];
      // One document a run: what else is in a batch must not touch a score, not even in its last digit.
      for (const document of batch) {
        const logits = await scorePage(document, { model, session, workspace });
        const one = labelPage(document, logits, { model, threshold });
        const isRescued = mayRescue(options) && (one.verdict?.score ?? 0) >= model.verdict.threshold;
        labelled.push(isRescued ? { ...one, lines: rescueLines(one.lines) } : one);
      }
      workspaces.push(workspace);
      return labelled;
    },
    close: () => session.close(),
  };
}

export interface PageLogits {
  /** One for each line that is not blank. */
  readonly lines: Float32Array;
  /** One a type, then that of main content; the mean over windows, each by its lines. */
  readonly page: Float32Array;
}

/** Before calibration. Long documents go in windows whose context overlaps, so that memory stays bounded. */
export async function scorePage(
  document: Document,
  by: { readonly model: PageModel; readonly session: Session; readonly workspace: Workspace },
): Promise<PageLogits> {
  const { model, session, workspace } = by;
  const lines = document.lines.filter((line) => !isBlank(line.text));
  const logits = new Float32Array(lines.length);
  const page = new Float32Array(model.types.length + 1);
  const places = createPlaces(lines, document.meta.title ?? "");
  const pool = createPagePool(model, createPathBuckets(places));
  const texts = lines.map((line) => line.text);
  for (const window of featureWindows(texts, workspace, pool, model.window, places)) {
    const { start, rows, contextBefore, contextAfter, hand } = window;
    const scores = await session.run(hand, pool.values(), rows);
    logits.set(scores.lines.subarray(contextBefore, rows - contextAfter), start + contextBefore);
    const share = (rows - contextBefore - contextAfter) / lines.length;
    for (let i = 0; i < page.length; i++) page[i] = (page[i] ?? 0) + share * (scores.page?.[i] ?? 0);
  }
  return { lines: logits, page };
}

function labelPage(
  document: Document,
  logits: PageLogits,
  { model, threshold }: { readonly model: PageModel; readonly threshold: number },
): Document<LabelledLine> {
  const verdict = judgePage(logits.page, model);
  const isNothing = verdict.score < model.verdict.threshold;
  const { slope, offset } = model.calibration;
  let at = 0;
  const label = (line: Line): LabelledLine => {
    if (isBlank(line.text)) return labelBlank(line);
    const labelled = labelLine(line, sigmoid(slope * (logits.lines[at] ?? 0) + offset), threshold);
    at += 1;
    if (!isNothing || labelled.label === "boilerplate") return labelled;
    return { ...labelled, label: "boilerplate", why: WHY_NOTHING_HERE };
  };
  return { ...document, lines: document.lines.map(label), verdict };
}

function judgePage(logits: Float32Array, { types, verdict }: PageModel): PageVerdict {
  const last = types.length;
  let best = 0;
  let sum = 0;
  for (let i = 1; i < last; i++) if ((logits[i] ?? 0) > (logits[best] ?? 0)) best = i;
  for (let i = 0; i < last; i++) sum += Math.exp((logits[i] ?? 0) - (logits[best] ?? 0));
  return {
    type: types[best] ?? "article",
    typeScore: roundScore(1 / sum),
    score: roundScore(sigmoid(verdict.slope * (logits[last] ?? 0) + verdict.offset)),
  };
}
