/** Turns strings of data into pieces of HTML, each piece once. */
import { toLetters } from "./page-identity.js";

/** Tags that split a text into blocks, and any tags that a text may have. */
const BLOCK = /<(?:p|br|div|h[1-6]|[uo]l|li|blockquote|pre|table|section|article|figure)(?:\s[^<>]*)?\/?>/i;
const MARKUP =
  /<\/(?:[abi]|p|div|h[1-6]|[uo]l|li|em|strong|span|blockquote|pre|code|table|figure|section|article)\s*>|<(?:p|br|img)(?:\s[^<>]*)?\/?>/i;
const ESCAPED = /&lt;\/?(?:p|br|div|h[1-6]|[uo]l|li|strong|em|span|a)(?:\s|\/?&gt;)/i;

/** The end of a sentence, in any script. */
const SENTENCE_END = /[.!?…]["'”’»)\]]*(?:\s|$)|(?![.!?])\p{STerm}/gu;
const MIN_SENTENCES = 2;
/** Shorter texts may be there twice for other reasons: names, thanks, labels of buttons. */
const MIN_REPEATED = 40;

/** The markup of a text that is put together, and the most letters that it may show. */
export interface Pieces {
  readonly parts: string[];
  letters: number;
  readonly known: Set<string>;
}

export function createPieces(): Pieces {
  return { parts: [], letters: 0, known: new Set() };
}

/** Returns the pieces as HTML, with items that follow each other in one list. */
export function joinPieces({ parts }: Pieces): string {
  return parts.join("").replaceAll("</ul><ul>", "");
}

/** Puts the pieces that `add` adds between two tags; adds no tags if it adds no pieces. */
export function wrapPieces(
  pieces: Pieces,
  add: () => void,
  tags: () => readonly [before: string, after: string],
): void {
  const { parts } = pieces;
  const start = parts.push("");
  add();
  if (parts.length === start) {
    parts.pop();
    return;
  }
  const [before, after] = tags();
  parts[start - 1] = before;
  parts.push(after);
}

/** Checks whether a string of unknown purpose is text of a page: blocks of markup, or several sentences. */
export function isProse(text: string): boolean {
  if (BLOCK.test(text) || ESCAPED.test(text)) return true;
  return (text.match(SENTENCE_END)?.length ?? 0) >= MIN_SENTENCES;
}

/**
 * Adds a string in blocks with that tag; a paragraph with blocks of its own becomes a `div`. Leaves out a text that was
 * added before.
 */
export function addPiece(pieces: Pieces, text: string, tag: string): void {
  const html = ESCAPED.test(text) && !MARKUP.test(text) ? unescape(text) : text;
  const letters = toLetters(html);
  if (letters === "" || (letters.length >= MIN_REPEATED && pieces.known.has(letters))) return;
  pieces.known.add(letters);
  pieces.letters += letters.length;
  pieces.parts.push(BLOCK.test(html) && tag === "p" ? `<div>${html}</div>` : wrapLines(html, tag));
}

/** Makes each line of a text a block; a list item stays whole. In a text without markup, `<` is escaped. */
function wrapLines(text: string, tag: string): string {
  const html = MARKUP.test(text) ? text : escapeTags(text);
  const lines = tag === "li" ? [html] : html.split("\n").filter((line) => line.trim() !== "");
  const blocks = lines.map((line) => `<${tag}>${line}</${tag}>`).join("");
  return tag === "li" ? `<ul>${blocks}</ul>` : blocks;
}

/** Escapes each `<` in a text that is not markup. */
export function escapeTags(text: string): string {
  return text.replaceAll("<", "&lt;");
}

function unescape(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
