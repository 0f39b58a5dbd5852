/** Turns strings of data into pieces of a page, each piece once. */
import { toLetters } from "./page-identity.js";

/** Elements that part a text into blocks, and any that a text may have inside. */
const BLOCK = /<(?:p|br|div|h[1-6]|[uo]l|li|blockquote|pre|table|section|article|figure)(?:\s[^<>]*)?\/?>/i;
const MARKUP =
  /<\/(?:[abi]|p|div|h[1-6]|[uo]l|li|em|strong|span|blockquote|pre|code|table|figure|section|article)\s*>|<(?:p|br|img)(?:\s[^<>]*)?\/?>/i;
const ESCAPED = /&lt;\/?(?:p|br|div|h[1-6]|[uo]l|li|strong|em|span|a)(?:\s|\/?&gt;)/i;

/** The end of a sentence, in any script. */
const SENTENCE_END = /[.!?…]["'”’»)\]]*(?:\s|$)|[。！？؟।۔]/g;
const MIN_SENTENCES = 2;
/** Shorter texts are said twice for other reasons: names, thanks, labels of buttons. */
const MIN_REPEATED = 40;

/** The markup of a text that is put together, and how many letters it shows at most. */
export interface Pieces {
  readonly parts: string[];
  letters: number;
  readonly known: Set<string>;
}

export function createPieces(): Pieces {
  return { parts: [], letters: 0, known: new Set() };
}

export function joinPieces({ parts }: Pieces): string {
  return parts.join("").replaceAll("</ul><ul>", "");
}

/** Puts what is added meanwhile between two tags; nothing where nothing is. */
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

/** Whether a string of unknown purpose is text of a page: blocks of markup, or several sentences. */
export function isProse(text: string): boolean {
  if (BLOCK.test(text) || ESCAPED.test(text)) return true;
  return (text.match(SENTENCE_END)?.length ?? 0) >= MIN_SENTENCES;
}

/** Adds a string in blocks of that tag; one with blocks of its own stands by itself, and what was said before is left out. */
export function addPiece(pieces: Pieces, text: string, tag = "p"): void {
  const html = ESCAPED.test(text) && !MARKUP.test(text) ? unescape(text) : text;
  const letters = toLetters(html);
  if (letters === "" || (letters.length >= MIN_REPEATED && pieces.known.has(letters))) return;
  pieces.known.add(letters);
  pieces.letters += letters.length;
  pieces.parts.push(BLOCK.test(html) && tag === "p" ? `<div>${html}</div>` : wrapLines(html, tag));
}

/** Each line of a text is a block; where there is no markup, nothing is meant as a tag. */
function wrapLines(text: string, tag: string): string {
  const html = MARKUP.test(text) ? text : escapeTags(text);
  const lines = tag === "li" ? [html] : html.split("\n").filter((line) => line.trim() !== "");
  const blocks = lines.map((line) => `<${tag}>${line}</${tag}>`).join("");
  return tag === "li" ? `<ul>${blocks}</ul>` : blocks;
}

/** What is no markup may still have a sign that begins a tag. */
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
