/** Labels lines by their text and their place in the page, and judges the page as a whole: the labeller `page`. */
import type { Document, LabelledLine, Line, PageVerdict } from "../../document.js";
import type { PathTree } from "../../document/path-tree.js";
import type { TimeLimit } from "../../time/time-limit.js";
import { countLetters } from "../features/chars.js";
import { createLineGroups } from "../features/page/line-groups.js";
import { createPaths } from "../features/page/path-bags.js";
import { createPlaces } from "../features/page/place.js";
import { PAGE_COLUMNS } from "../features/page/place-columns.js";
import { excessOfWalls } from "../features/page/wall-words.js";
import { createWorkspace, featureWindows, type Workspace } from "../features/windows.js";
import type { Labeller, LabellerOptions } from "../labeller.js";
import { createPagePool } from "../network/pool.js";
import { scoreWindows } from "../network/score-windows.js";
import type { Session } from "../network/session.js";
import { isSolid, labelEach, labelLine, setLabel, sigmoid, WHY_NOTHING_HERE } from "../label-line.js";
import { mayRescue } from "../rescue-lines.js";
import { keepElements } from "./keep-elements.js";
import { doubtComments, isComment } from "./page-comments.js";
import { calibrate, type PageLogits, type PageModel } from "./page-model.js";
import { typePage } from "./page-typing.js";
import { choosePageCuts, judgePage, lowerCuts } from "./page-verdict.js";

/** A model whose network is open. */
export interface OpenPageModel {
  readonly model: PageModel;
  readonly session: Session;
}

/** Creates a labeller from an open model. The caller's `close` releases the model. */
export function labelPages(
  options: LabellerOptions,
  { model, session }: OpenPageModel,
  close: () => Promise<void>,
): Labeller {
  const workspaces: Workspace[] = [];
  return {
    name: `${model.name}@${model.digest}`,
    async label(batch, { paths = [], limit } = {}) {
      const workspace = workspaces.pop() ?? createWorkspace();
      const labelled: Document<LabelledLine>[] = [];
      // One document per run: the rest of a batch must not change a score, not even its last digit.
      for (const [at, document] of batch.entries()) {
        const logits = await scorePage(document, { model, session, workspace, paths: paths[at], limit });
        labelled.push(labelPage(document, logits, { ...options, model }));
      }
      workspaces.push(workspace);
      return labelled;
    },
    close,
  };
}

/** The most letters of a line that count for the cut. */
const MOST_LETTERS = 10_000;

/** Returns logits before calibration. Splits long documents into windows with overlapping context to bound memory. */
export async function scorePage(
  document: Document,
  by: {
    readonly model: PageModel;
    readonly session: Session;
    readonly workspace: Workspace;
    readonly paths?: PathTree | undefined;
    readonly limit?: TimeLimit | undefined;
  },
): Promise<PageLogits> {
  const { model, session, workspace, limit } = by;
  const lines = document.lines.filter(isSolid);
  const texts = lines.map((line) => line.text);
  // The tree is for all lines: a blank line, which is left out here, may have its own node.
  const paths = lines.length === document.lines.length ? by.paths : undefined;
  const places = createPlaces(lines, document.statedTitle ?? document.meta.title ?? "", paths);
  const pool = createPagePool(model, createPaths(places), workspace.bagValues);
  const windows = featureWindows(texts, workspace, pool, model.window, places);
  // Networks older than the line groups do not take them.
  const groups = session.takesGroups && { groups: createLineGroups(places) };
  const { correction, typing } = model;
  const sums = typing && new Float64Array(PAGE_COLUMNS.length);
  const scores = await scoreWindows(windows, {
    ...{ pool, session, lines: lines.length, limit, correction, sums },
    ...groups,
  });
  const judgements = model.types.length + 1;
  const page = lines.length === 0 ? new Float32Array(judgements) : scores.whole;
  if (page?.length !== judgements)
    throw new Error(`the model ${model.name} did not judge the page as a whole`);
  const { corrections } = scores;
  const { clues = [] } = document;
  const types = typing && sums && typePage({ page, lines: lines.length, sums, clues }, typing);
  return {
    of: lines,
    lines: scores.lines,
    page,
    ...(types && { types }),
    ...(corrections && { corrections }),
  };
}

/** Turns the logits of `scorePage` into labels: calibrates, cuts, and applies the verdict on the whole page. */
export function labelPage(
  document: Document,
  logits: PageLogits,
  by: Pick<LabellerOptions, "focus" | "cut"> & { readonly model: PageModel },
): Document<LabelledLine> {
  const { calibration } = by.model;
  const { corrections } = logits;
  const alone = logits.lines.map((logit, at) => calibrate(logit, calibration, corrections?.[at]));
  const doubted = logits.of.some(isComment) && doubtComments(logits, by.model);
  const scores = doubted
    ? Float32Array.from(doubted, (odds, at) => sigmoid(odds + (corrections?.[at] ?? 0)))
    : alone;
  const lengths = logits.of.map((line) => countLetters(line.text, MOST_LETTERS));
  const cuts = lowerCuts(choosePageCuts(alone, lengths), doubted && choosePageCuts(scores, lengths));
  // A cut that the user set replaces the page's own.
  const cut = by.cut ?? cuts[by.focus];
  // The verdict was trained on line scores before comments are lowered.
  const judged = judgePage(logits, { scores: alone, lengths, walls: excessOfWalls(logits.of) }, by.model);
  // No model runs on a page without lines, and there is no content on it.
  const verdict: PageVerdict = {
    ...judged,
    cut,
    cuts,
    ...(logits.of.length === 0 && { score: 0, hasContent: false }),
  };
  const label = (line: Line, at: number): LabelledLine => {
    const labelled = labelLine(line, scores[at] ?? 0, cut);
    const isEmptied = !verdict.hasContent && labelled.label === "content";
    return isEmptied
      ? setLabel(labelled, { score: labelled.score, label: "boilerplate", why: WHY_NOTHING_HERE })
      : labelled;
  };
  // Copied field by field: spreading gives each object its own hidden class, which slows every property read.
  const { id, url, source, meta, notes, carried } = document;
  const cutLines = labelEach(document.lines, label);
  const lines = mayRescue(by) ? keepElements(cutLines, cut) : cutLines;
  const labelled = { id, url, source, meta, notes, lines, verdict };
  return carried === undefined ? labelled : { ...labelled, carried };
}
