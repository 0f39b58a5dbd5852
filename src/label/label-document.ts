/** Labels one document of lines: what its labeller says, what the extractor left out, what comments are. */
import { tellCount } from "../count.js";
import type { Document, LabelledLine } from "../document.js";
import { accept, addMeta, reject, type Outcome } from "../outcome.js";
import type { ExtractedDocument, PathTree } from "../path-tree.js";
import type { TimeLimit } from "../time/time-limit.js";
import type { LabellerChoice } from "./labeller-choice.js";
import { isTaken, mapPlaces } from "./label-line.js";
import { cutLongLines } from "./long-lines.js";
import { settleComments, type CommentsOption } from "./comments.js";
import type { Labeller } from "./labeller.js";

export interface LabellingTools {
  readonly choice: LabellerChoice;
  readonly comments: CommentsOption;
  /** To be called once the labeller is there: to load a model is no time of the document. */
  readonly startLimit?: () => TimeLimit;
}

/** The tree of paths is read here at most, and goes no further. Throws TookTooLong. */
export async function labelDocument(
  { paths, holders, base, ...document }: ExtractedDocument,
  { choice, comments, startLimit }: LabellingTools,
): Promise<Document<LabelledLine>> {
  const labeller = await choice.of(document.source);
  const limit = startLimit?.();
  const labelled = await labelTaken(document, labeller, { paths, limit });
  const judge = async (part: Document): Promise<Document<LabelledLine>> =>
    labelOne(part, await choice.ofText(), { limit });
  const settled = await settleComments({ document, labelled, comments, judge });
  const { statedTitle, clues } = document;
  return {
    ...settled,
    // No labeller looks at these.
    ...(holders && { holders }),
    ...(base === undefined ? {} : { base }),
    // Whoever labels the lines anew does at these.
    ...(statedTitle === undefined ? {} : { statedTitle }),
    ...(clues && { clues }),
  };
}

/**
 * Labels what the extractor took, as if the rest were not there, so that the text is the same with and without the
 * rest. A line that it left out is boilerplate by its word, with the score that it has among all lines.
 */
async function labelTaken(
  document: Document,
  labeller: Labeller,
  { paths, limit }: OneTools,
): Promise<Document<LabelledLine>> {
  const taken = document.lines.filter(isTaken);
  if (taken.length === document.lines.length) return labelOne(document, labeller, { paths, limit });
  const labelled = await labelOne({ ...document, lines: taken }, labeller, { limit });
  const all = await labelOne(document, labeller, { paths, limit });
  const lines = mapPlaces(all.lines, isTaken, (line, at) =>
    at === undefined ? leaveOut(line) : (labelled.lines[at] ?? line),
  );
  return { ...labelled, lines };
}

function leaveOut(line: LabelledLine): LabelledLine {
  const { leftOutBy: why } = line;
  return why === undefined ? line : { ...line, label: "boilerplate", why };
}

interface OneTools {
  readonly paths?: PathTree | undefined;
  readonly limit?: TimeLimit | undefined;
}

/** Characters, and lines at a hundred each, of a document whose labelling takes a noticeable part of any limit. */
const LONG = 500_000;

/** Labels one document, long lines by their sentences. Throws TookTooLong. */
export async function labelOne(
  document: Document,
  labeller: Labeller,
  { paths, limit }: OneTools,
): Promise<Document<LabelledLine>> {
  const cut = cutLongLines(document);
  if (cut !== undefined) return cut.join(await labelOne(cut.document, labeller, { limit }));
  const begin = (): ReturnType<Labeller["label"]> =>
    labeller.label([document], { paths: [paths], ...(limit && { limit }) });
  const isLong = document.lines.reduce((sum, { text }) => sum + text.length + 100, 0) > LONG;
  // Most of the time goes before the first wait; after it a labeller looks at the clock itself.
  const [labelled] = await (limit === undefined || !isLong ? begin() : limit.run(begin));
  if (labelled === undefined)
    throw new Error(`labeller ${labeller.name} gave no document back for ${document.id}`);
  return labelled;
}

interface KeepOptions {
  readonly keepBoilerplate: boolean;
  readonly comments: CommentsOption;
}

/** A document without any content is a reject that says why, unless all lines are wanted. */
export function keepDocument(
  labelled: Document<LabelledLine>,
  { keepBoilerplate, comments }: KeepOptions,
): Outcome<Document<LabelledLine>> {
  if (keepBoilerplate || labelled.lines.some((line) => line.label === "content")) return accept(labelled);
  return addMeta(reject(labelled, "label", "no-content", explain(labelled, comments)), labelled.meta);
}

function explain({ lines, verdict }: Document<LabelledLine>, comments: CommentsOption): string {
  if (comments === "only" && lines.every((line) => line.kind !== "comment"))
    return `${tellCount(lines.length, "line")}, none of them in comments`;
  const all = `${tellCount(lines.length, "line")}, all boilerplate`;
  if (verdict === undefined) return all;
  const probability = `P(main content) ${verdict.score.toFixed(2)}`;
  return verdict.hasContent ? `${all}; ${probability}` : `nothing here: ${probability}`;
}
