/** Computes what another cut would make of a document: text, Markdown, and the lines whose label changes. */
import type { Document, LabelledLine } from "../document.js";
import { cutAgain } from "../label/cut-again.js";
import type { LabellerChoice } from "../label/labeller-choice.js";
import { VERSION } from "../version.js";
import { countWords } from "../language/words.js";
import { formatDocument, type Form } from "../write/registry.js";
import type { CutView } from "./app/wire.js";

const FORM = { lines: "none", links: "drop", fingerprint: "", version: VERSION } as const;

/** Returns the document's own cut, if its labeller states it. */
export function storedCut({ verdict, condition }: Document<LabelledLine>): number | undefined {
  return (verdict ?? condition)?.cut;
}

/** `cut` is from 0 to 1; undefined keeps the document's own cut. */
export async function viewCut(
  document: Document<LabelledLine>,
  cut: number | undefined,
  choice: LabellerChoice,
): Promise<CutView> {
  const now =
    cut === undefined
      ? document
      : await cutAgain(document, { choice, focus: "balanced", cut, comments: "auto" });
  const format = (to: Form["to"]): string => formatDocument(now, { ...FORM, to }, 0);
  const text = format("text");
  return {
    cut: cut ?? storedCut(document) ?? 0.5,
    text,
    markdown: format("markdown"),
    words: countWords(text),
    kept: now.lines.filter(({ label, text: line }) => label === "content" && line.trim() !== "").length,
    changes: now.lines.flatMap(({ label, text: line }, at) =>
      label === document.lines[at]?.label || line.trim() === ""
        ? []
        : [{ line: at, text: line, isAdded: label === "content" }],
    ),
  };
}
