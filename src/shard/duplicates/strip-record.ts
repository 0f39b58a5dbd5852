/** Removes lines that many other documents have from the record of a document. */
import { WHY_CORPUS_DUPLICATE } from "../../filter/duplicates/line-memory.js";
import { toFields, type Fields } from "../../json.js";
import { UsageError } from "../../outcome.js";
import { countWords } from "../../language/words.js";
import type { DroppedLine } from "./decision.js";

/**
 * Returns the record with the shorter text and its word count. Its lines, if listed, are labelled as boilerplate, or
 * left out if the record lists no boilerplate. The score and all other fields stay unchanged. Undefined when no text is
 * left.
 */
export function stripRecord(record: Fields, dropped: readonly DroppedLine[]): Fields | undefined {
  const { text, lines, formatted } = record;
  if (formatted !== undefined)
    throw new UsageError(
      "records that hold a second format (--formatted) cannot lose lines; merge with --keep-duplicates",
    );
  const left = stripText(typeof text === "string" ? text : "", new Set(dropped.map(([, row]) => row)));
  if (left === "") return undefined;
  return {
    ...record,
    text: left,
    words: countWords(left),
    ...(Array.isArray(lines) && { lines: stripLines(lines, new Set(dropped.map(([at]) => at))) }),
  };
}

/** Removes rows of the text. Where blank lines on both sides of a removed row meet, one stays. */
function stripText(text: string, gone: ReadonlySet<number>): string {
  const left: string[] = [];
  let isBehindGap = false;
  for (const [row, line] of text.split("\n").entries()) {
    if (gone.has(row)) {
      isBehindGap = true;
      continue;
    }
    if (line === "" && isBehindGap && (left.at(-1) ?? "") === "") continue;
    if (line !== "") isBehindGap = false;
    left.push(line);
  }
  return left.join("\n").trimEnd();
}

function stripLines(lines: readonly unknown[], gone: ReadonlySet<number>): unknown[] {
  const hasBoilerplate = lines.some((line) => toFields(line)["label"] === "boilerplate");
  let counted = -1;
  return lines.flatMap((line) => {
    const fields = toFields(line);
    if (!isSigned(fields)) return [line];
    counted += 1;
    if (!gone.has(counted)) return [line];
    return hasBoilerplate ? [{ ...fields, label: "boilerplate", why: WHY_CORPUS_DUPLICATE }] : [];
  });
}

/** Whether the line is one that `signDocument` signs. */
function isSigned({ label, block, text }: Fields): boolean {
  const isText = typeof text === "string" && text.trim() !== "" && !text.includes("\n");
  return label === "content" && block !== "pre" && isText;
}
