/** Labels one document: combines its labeller's verdict, the lines the extractor left out, and the comments option. */
import { tellCount } from "../count.js";
import type { Document, LabelledLine } from "../document.js";
import { accept, addMeta, reject, type Outcome } from "../outcome.js";
import type { ExtractedDocument, PathTree } from "../document/path-tree.js";
import type { TimeLimit } from "../time/time-limit.js";
import type { LabellerChoice } from "./labeller-choice.js";
import { isTaken, mapPlaces } from "./label-line.js";
import { cutLongLines } from "./long-lines.js";
import { settleComments, type CommentsOption } from "./comments.js";
import type { Labeller } from "./labeller.js";

interface LabellingTools {
  readonly choice: LabellerChoice;
  readonly comments: CommentsOption;
  /** Called after the labeller is open, so that loading a model does not count as time of the document. */
  readonly startLimit?: () => TimeLimit;
}

/** Labels one extracted document. The result does not carry the tree of paths. Throws TookTooLong. */
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
    // Labellers do not read these.
    ...(holders && { holders }),
    ...(base === undefined ? {} : { base }),
    // A later run that labels the lines anew reads these.
    ...(statedTitle === undefined ? {} : { statedTitle }),
    ...(clues && { clues }),
  };
}

/**
 * Labels the lines that the extractor took as if the others did not exist, so that the text is the same with and
 * without them. A line that it left out is boilerplate with the extractor as reason, and has the score it gets among
 * all lines.
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

/** Size in characters, plus 100 for each line, above which labelling takes a noticeable part of any time limit. */
const LONG = 500_000;

/** Labels one document, and long lines by their sentences. Throws TookTooLong. */
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
  // A labeller spends most time before its first await; after that it checks the clock itself.
  const [labelled] = await (limit === undefined || !isLong ? begin() : limit.run(begin));
  if (labelled === undefined)
    throw new Error(`labeller ${labeller.name} returned no document for ${document.id}`);
  return labelled;
}

interface KeepOptions {
  readonly keepBoilerplate: boolean;
  readonly comments: CommentsOption;
}

/** Rejects a document without content lines, with the reason, unless the user wants all lines. */
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
  return verdict.hasContent ? `${all}; ${probability}` : `no main content: ${probability}`;
}
