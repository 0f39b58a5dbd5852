/** Writes labelled documents as plain text. */
import type { Document, LabelledLine } from "../document.js";
import { createJoinedWriter } from "./joined-writers.js";
import { grade, isContent, isItem, showLines } from "./shown-lines.js";
import type { Format, FormatOptions } from "./writer.js";

export const TEXT = {
  title: "text",
  extension: ".txt",
  hasRecords: false,
  gzip: "block",
  needsMetadata: "brief",
  format,
  create: (sink, options) => createJoinedWriter("text", sink, { ...options, format }),
} satisfies Format;

function format(doc: Document<LabelledLine>, { lines }: FormatOptions): string {
  return lines === "all" ? formatLineTable(doc) : formatText(doc);
}

const GAPS = { none: "", line: "\n", block: "\n\n" } as const;

/**
 * Formats the content lines as text: a blank line between blocks, "- " before list items, tabs between table cells,
 * `pre` verbatim. Ends with one line break; "" when there is no content.
 */
export function formatText(doc: Document<LabelledLine>): string {
  const { parts } = joinLines(doc);
  const last = parts.pop();
  return last === undefined ? "" : `${parts.join("")}${trimBreaks(last)}\n`;
}

/** The row of the text in which each content line begins, from 0. */
export function placeLines(doc: Document<LabelledLine>): Map<LabelledLine, number> {
  const { parts, lines } = joinLines(doc);
  const rows = new Map<LabelledLine, number>();
  let row = 0;
  for (const [at, part] of parts.entries()) {
    const line = lines[at];
    if (line !== undefined) rows.set(line, row);
    row += part.split("\n").length - 1;
  }
  return rows;
}

interface Joined {
  /** The shown lines and the gaps between them, in order. */
  readonly parts: string[];
  /** The line of each part; undefined for a gap. */
  readonly lines: readonly (LabelledLine | undefined)[];
}

function joinLines(doc: Document<LabelledLine>): Joined {
  const parts: string[] = [];
  const lines: (LabelledLine | undefined)[] = [];
  for (const { line, gap } of showLines(doc.lines, isContent)) {
    if (gap !== "none") {
      parts.push(trimBreaks(parts.pop() ?? ""), GAPS[gap]);
      lines.push(undefined);
    }
    lines.push(line);
    parts.push(isItem(line) ? `- ${line.text}` : line.text);
  }
  return { parts, lines };
}

/** Drops the line breaks that a chunk of a `pre` keeps at its end for the next chunk. */
function trimBreaks(text: string): string {
  return text.endsWith("\n") ? text.trimEnd() : text;
}

/** Formats each line as tab-separated score, grade, label, rule and text; a line break in a `pre` becomes `\n`. */
export function formatLineTable(doc: Document<LabelledLine>): string {
  return doc.lines
    .map((line) => {
      const text = line.text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
      return `${line.score.toFixed(3)}\t${grade(line.score)}\t${line.label}\t${line.why ?? ""}\t${text}\n`;
    })
    .join("");
}
