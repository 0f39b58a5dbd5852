/**
 * Finds line breaks of the source that are not spaces: those between characters of Chinese and Japanese (CSS Text 3,
 * section 4.1.3).
 */
import { codeUnit } from "../../../code-unit.js";
import type { TextNode } from "../../../document/tree.js";
import { isOrIsIn } from "../../around.js";

/** Han, kana, Bopomofo and their punctuation, without the ideographic space; Hangul is written with spaces. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x2e80, 0x2fdf],
  [0x3001, 0x3029],
  [0x3030, 0x312f],
  [0x31a0, 0x31ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe4f],
  [0xff01, 0xff0f],
  [0xff1a, 0xff20],
  [0xff3b, 0xff40],
  [0xff5b, 0xff9f],
];

function isWide(text: string, at: number): boolean {
  const code = at < 0 || at >= text.length ? 0 : codeUnit(text, at);
  return code >= 0x2e80 && WIDE.some(([from, to]) => code >= from && code <= to);
}

/** Drops whitespace with a line break between two characters of Chinese or Japanese. */
export function dropBreaks(text: string): string {
  let kept = "";
  let from = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    let before = at - 1;
    while (before > from && isSpace(text, before)) before -= 1;
    while (at < text.length && isSpace(text, at)) at += 1;
    if (!isWide(text, before) || !isWide(text, at)) continue;
    kept += text.slice(from, before + 1);
    from = at;
  }
  return from === 0 ? text : kept + text.slice(from);
}

function isSpace(text: string, at: number): boolean {
  const code = codeUnit(text, at);
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/** Punctuation of a sentence; labels and tags on lines of their own in the source do not have it. */
const PROSE = /[、。，！？]/;
/** Characters of a text node that are read, and of the whitespace at its end. */
const MAX_LOOKED = 500;
const MAX_SPACE = 100;

/** The end of the line so far. */
interface Ending {
  readonly tail: string;
  readonly node: TextNode | undefined;
  /** Whether the whitespace after it has a line break. */
  readonly hasBreak: boolean;
}

/**
 * Checks whether the whitespace between two texts is only a line break inside a sentence: between words and an inline
 * element among them, or around the parts of ruby.
 */
export function goesOnBehindBreak(
  { tail, node: before, hasBreak }: Ending,
  node: TextNode,
  text: string,
): boolean {
  if (before === undefined || !isWide(text, 0)) return false;
  const isBehindWide = isWide(tail, tail.length - 1);
  // The text before is a ruby annotation if it ends in our own parenthesis.
  if (!isBehindWide && tail !== ")") return false;
  if (!hasBreak && !/\n\s*$/.test(before.value.slice(-MAX_SPACE)) && !/^\s*\n/.test(node.value)) return false;
  if (isInRuby(before) || isInRuby(node)) return true;
  // Texts of one element are next to each other; a parser cuts them at character references and at CRLF.
  return isBehindWide && (before.parent === node.parent || isProse(before) || isProse(node));
}

function isProse({ value }: TextNode): boolean {
  return PROSE.test(value.slice(0, MAX_LOOKED));
}

function isInRuby({ parent }: TextNode): boolean {
  return isOrIsIn(parent, ({ tag }) => tag === "ruby");
}
