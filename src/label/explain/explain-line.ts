/** Explains which features of a line had the most effect on the score that its labeller's network gave it. */
import type { Document, LabelledLine, Line } from "../../document.js";
import { BAGS } from "../features/bags.js";
import { createLineGroups } from "../features/page/line-groups.js";
import { createPaths, PAGE_BAGS } from "../features/page/path-bags.js";
import { createPlaces } from "../features/page/place.js";
import { createWorkspace, featureWindows } from "../features/windows.js";
import { isBlank } from "../label-line.js";
import { cutLongLines } from "../long-lines.js";
import { chooseEngine } from "../network/engines.js";
import { createPagePool, createTextPool } from "../network/pool.js";
import { openModel } from "../network/session.js";
import { DEFAULT_PAGE_MODEL, DEFAULT_TEXT_MODEL } from "../models/shipped-models.js";
import { doubtComment, isComment, shareOfComments } from "../page/page-comments.js";
import { loadPageModel } from "../page/page-folder.js";
import { scorePage } from "../page/page-labeller.js";
import { pageOdds } from "../page/page-model.js";
import { conditionInput, saidShares } from "../text/condition.js";
import { calibrationOf, scoreDocument } from "../text/text-labeller.js";
import { loadTextModel } from "../text/text-folder.js";
import { explainRow, findRow, type Explanation, type RowInput } from "./explain-row.js";
import { PAGE_PARTS, TEXT_PARTS } from "./feature-parts.js";

export interface Explainer {
  /**
   * Returns undefined for a line that the network does not score: a blank line, a line that the extractor left out, a
   * line of an alphabetical index, and any line of a text with lines so long that they are cut into sentences.
   */
  explain(document: Document<LabelledLine>, line: number): Promise<Explanation | undefined>;
  close(): Promise<void>;
}

/** Opens an explainer for the labeller `page`. Throws UsageError for a model that cannot be used. */
export async function openPageExplainer(folder: string = DEFAULT_PAGE_MODEL): Promise<Explainer> {
  const model = loadPageModel(folder);
  const session = await openModel(model.network, folder, await chooseEngine());
  const { window: size, correction, calibration } = model;
  const parts = { parts: PAGE_PARTS, bags: PAGE_BAGS.length };
  const toOdds = (logit: number): number => pageOdds(logit, calibration);
  /** For a comment, the odds also depend on the page's type, which needs the logits of the whole page. */
  const toOddsOf = async (asked: Document, line: Line | undefined): Promise<(logit: number) => number> => {
    if (!isComment(line)) return toOdds;
    const workspace = createWorkspace();
    const share = shareOfComments(await scorePage(asked, { model, session, workspace }));
    return (logit) => doubtComment(toOdds(logit), share);
  };
  return {
    async explain(document, line) {
      const { lines, at } = findAsked(document, line);
      if (at === -1) return undefined;
      const texts = lines.map(({ text }) => text);
      const places = createPlaces(lines, document.statedTitle ?? document.meta.title ?? "");
      const pool = createPagePool(model, createPaths(places));
      const windows = featureWindows(texts, createWorkspace(), pool, size, places);
      const groups = session.takesGroups ? createLineGroups(places) : undefined;
      const input = findRow(windows, at, {
        pool,
        more: ({ start, rows }) => (groups === undefined ? {} : { groups: groups(start, rows) }),
      });
      const ofLine = await toOddsOf({ ...document, lines }, lines[at]);
      return input && explainRow(input, { ...parts, session, correction, toOdds: ofLine });
    },
    close: () => session.close(),
  };
}

/** Opens an explainer for the labeller `text`. Throws UsageError for a model that cannot be used. */
export async function openTextExplainer(folder: string = DEFAULT_TEXT_MODEL): Promise<Explainer> {
  const model = loadTextModel(folder);
  const session = await openModel(model.network, folder, await chooseEngine());
  const { window: size, correction } = model;
  const parts = { parts: TEXT_PARTS, bags: BAGS.length };
  return {
    async explain(document, line) {
      const { lines, at } = findAsked(document, line);
      const asked = { ...document, lines };
      if (at === -1 || cutLongLines(asked) !== undefined) return undefined;
      // A condition with score 1 was stated, or can be treated as if it was.
      const { condition: told } = document;
      const said = saidShares(told?.score === 1 ? told.name : "auto");
      const { conditions, given, indexes, texts } = await scoreDocument(asked, { model, session, said });
      if (indexes[at] === 1) return undefined;
      const place = at - indexes.subarray(0, at).reduce((sum, one) => sum + one, 0);
      const pool = createTextPool(model, model.pieces);
      const windows = featureWindows(texts, createWorkspace(), pool, size);
      const condition = conditionInput(given, texts);
      const input: RowInput | undefined = findRow(windows, place, { pool, more: () => ({ condition }) });
      const { slope, offset } = calibrationOf(conditions, model);
      const toOdds = (logit: number): number => slope * logit + offset;
      return input && explainRow(input, { ...parts, session, correction, toOdds });
    },
    close: () => session.close(),
  };
}

/** Returns the lines that the network scores, and the index of the wanted line among them, or -1. */
function findAsked(
  { lines }: Document<LabelledLine>,
  line: number,
): { readonly lines: readonly LabelledLine[]; readonly at: number } {
  const asked = lines.filter(({ text, leftOutBy }) => leftOutBy === undefined && !isBlank(text));
  const wanted = lines[line];
  return { lines: asked, at: wanted === undefined ? -1 : asked.indexOf(wanted) };
}
