/** One document of lines into a labelled one: what its labeller says, what the extractor left out, what comments are. */
import type { Document, LabelledLine } from "../document.js";
import { accept, reject, type Outcome } from "../outcome.js";
import type { LabellerChoice } from "./choice.js";
import { settleComments, type CommentsOption } from "./comments.js";
import type { Labeller } from "./labeller.js";

export async function labelDocument(
  document: Document,
  choice: LabellerChoice,
  comments: CommentsOption,
): Promise<Document<LabelledLine>> {
  const labelled = await labelTaken(document, await choice.of(document.source));
  const judge = async (part: Document): Promise<Document<LabelledLine>> =>
    labelOne(part, await choice.ofText());
  return settleComments({ document, labelled, comments, judge });
}

/**
 * Labels what the extractor took, as if the rest were not there, so that the text is the same with and without the
 * rest. A line that it left out is boilerplate by its word, with the score that it has among all lines.
 */
async function labelTaken(document: Document, labeller: Labeller): Promise<Document<LabelledLine>> {
  const taken = document.lines.filter((line) => line.leftOutBy === undefined);
  if (taken.length === document.lines.length) return labelOne(document, labeller);
  const labelled = await labelOne({ ...document, lines: taken }, labeller);
  const all = await labelOne(document, labeller);
  let next = 0;
  const lines = all.lines.map((line): LabelledLine => {
    if (line.leftOutBy !== undefined) return { ...line, label: "boilerplate", why: line.leftOutBy };
    next += 1;
    return labelled.lines[next - 1] ?? line;
  });
  return { ...labelled, lines };
}

async function labelOne(document: Document, labeller: Labeller): Promise<Document<LabelledLine>> {
  const [labelled] = await labeller.label([document]);
  if (labelled === undefined)
    throw new Error(`labeller ${labeller.name} gave no document back for ${document.id}`);
  return labelled;
}

/* MERGED src/label/label-document.ts: A labelled document into an outcome: one without any content is a reject that says why, unless all lines are wanted. */

interface KeepOptions {
  readonly keepBoilerplate: boolean;
  readonly comments: CommentsOption;
}

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
