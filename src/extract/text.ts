/** Makes a document from plain text, or from lines that are already split. */
import type { Document, Line } from "../document.js";
import { accept, reject, type Outcome } from "../outcome.js";
import { cutSentences, LONGEST_LINE, NOTE_CUT } from "../language/sentences.js";
import { createInk, isBlank, normaliseText, readInk } from "./lines/text/characters.js";

interface Origin {
  readonly id: string;
  readonly url: string;
  readonly notes?: readonly string[];
}

/** Line ends of any system, Unicode's line and paragraph separators, and the form feed between pages. */
const LINE_END = /\r\n|[\n\r\f\u2028\u2029]/g;

/**
 * Returns each line of the text that is not blank; a blank line or a form feed ends a block. A line longer than
 * LONGEST_LINE has lost its line breaks, so it is cut into sentences, with a note.
 */
export function extractText(page: Origin & { readonly text: string }): Outcome<Document> {
  const lines: Line[] = [];
  let breakBefore: Line["breakBefore"] = "block";
  let start = 0;
  const ink = createInk();
  let cut = 0;
  const addInk = (start: number): void => {
    const span: Line["span"] = [start + ink.start, start + ink.end];
    lines.push({ text: ink.text, block: "text", path: "", linkChars: 0, breakBefore, span });
    breakBefore = "line";
  };
  const addPiece = (start: number, end: number): void => {
    readInk(page.text.slice(start, end), ink);
    if (!ink.isBlank) addInk(start);
  };
  const addLine = (start: number, end: number): void => {
    const source = page.text.slice(start, end);
    readInk(source, ink);
    if (ink.isBlank) breakBefore = "block";
    else if (ink.text.length <= LONGEST_LINE) addInk(start);
    else {
      cut += 1;
      for (const [from, to] of cutSentences(source)) addPiece(start + from, start + to);
    }
  };
  for (const match of page.text.matchAll(LINE_END)) {
    addLine(start, match.index);
    start = match.index + match[0].length;
    if (match[0] === "\f") breakBefore = "block";
  }
  addLine(start, page.text.length);
  return toDocument(cut > 0 ? { ...page, notes: [...(page.notes ?? []), NOTE_CUT] } : page, lines);
}

/** Returns one line for each string, in order. A blank string becomes a line with the text "" and ends a block. */
export function extractLines(page: Origin & { readonly lines: readonly string[] }): Outcome<Document> {
  let breakBefore: Line["breakBefore"] = "block";
  const lines = page.lines.map((source) => {
    const normal = normaliseText(source);
    const text = isBlank(normal) ? "" : normal;
    const line: Line = { text, block: "text", path: "", linkChars: 0, breakBefore };
    breakBefore = text === "" ? "block" : "line";
    return line;
  });
  return toDocument(page, lines);
}

function toDocument(page: Origin, lines: readonly Line[]): Outcome<Document> {
  if (lines.every((line) => line.text === "")) return reject(page, "extract", "no-lines");
  return accept({ id: page.id, url: page.url, source: "text", meta: {}, notes: page.notes ?? [], lines });
}
