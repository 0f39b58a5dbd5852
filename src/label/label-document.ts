/** Labels one document of lines: what its labeller says, what the extractor left out, what comments are. */
import type { Document, LabelledLine } from "../document.js";
import { accept, reject, type Outcome } from "../outcome.js";
import type { ExtractedDocument, PathTree } from "../path-tree.js";
import type { LabellerChoice } from "./labeller-choice.js";
import { settleComments, type CommentsOption } from "./comments.js";
import type { Labeller } from "./labeller.js";

/** The tree of paths is read here at most, and goes no further. */
export async function labelDocument(
  { paths, ...document }: ExtractedDocument,
  choice: LabellerChoice,
  comments: CommentsOption,
): Promise<Document<LabelledLine>> {
  const labelled = await labelTaken(document, await choice.of(document.source), paths);
  const judge = async (part: Document): Promise<Document<LabelledLine>> =>
    labelOne(part, await choice.ofText());
  return settleComments({ document, labelled, comments, judge });
}

/**
 * Labels what the extractor took, as if the rest were not there, so that the text is the same with and without the
 * rest. A line that it left out is boilerplate by its word, with the score that it has among all lines.
 */
async function labelTaken(
  document: Document,
  labeller: Labeller,
  paths: PathTree | undefined,
): Promise<Document<LabelledLine>> {
  const taken = document.lines.filter((line) => line.leftOutBy === undefined);
  if (taken.length === document.lines.length) return labelOne(document, labeller, paths);
  const labelled = await labelOne({ ...document, lines: taken }, labeller);
  const all = await labelOne(document, labeller, paths);
  let next = 0;
  const lines = all.lines.map((line): LabelledLine => {
    if (line.leftOutBy !== undefined) return { ...line, label: "boilerplate", why: line.leftOutBy };
    next += 1;
    return labelled.lines[next - 1] ?? line;
  });
  return { ...labelled, lines };
}

async function labelOne(
  document: Document,
  labeller: Labeller,
  paths?: PathTree,
): Promise<Document<LabelledLine>> {
  const [labelled] = await labeller.label([document], [paths]);
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
  return reject(labelled, "label", "no-content", explain(labelled, comments));
}

function explain({ lines, verdict }: Document<LabelledLine>, comments: CommentsOption): string {
  if (comments === "only" && lines.every((line) => line.kind !== "comment"))
    return `${lines.length} lines, none of them in comments`;
  const all = `${lines.length} lines, all boilerplate`;
  if (verdict === undefined) return all;
  const probability = `P(main content) ${verdict.score.toFixed(2)}`;
  return verdict.hasContent ? `${all}; ${probability}` : `nothing here: ${probability}`;
}
