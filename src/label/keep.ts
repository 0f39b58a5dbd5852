/** A labelled document into an outcome: one without any content is a reject that says why, unless all lines are wanted. */
import type { Document, LabelledLine } from "../document.js";
import { accept, reject, type Outcome } from "../outcome.js";
import type { CommentsOption } from "./comment-rule.js";

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
