/** Turns source text into the text that a reader sees: drops characters that are not drawn and collapses whitespace. */
import { codeUnit } from "../../../code-unit.js";
import { dropBreaks } from "./breaks.js";

/**
 * Characters that are not drawn: soft hyphen, zero-width space, word joiner, invisible operators, byte order mark,
 * bidirectional controls, and control characters. Zero-width joiners and non-joiners are not among them: Persian, Indic
 * scripts and emoji change without them.
 */
const UNDRAWN =
  /[\u0000-\u0008\u000e-\u001b\u007f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]+/g;

/**
 * C1 controls in a page are windows-1252 that was decoded as Latin-1: quotes, dashes, the euro. HTML says so for
 * character references (13.2.5.80), and browsers never see the others. Five of them are not assigned.
 */
const C1 = /[\u0080-\u009f]/g;
const WINDOWS_1252 = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

/** Unicode white space and the information separators. */
const SPACE_RUN = /[\s\u001c-\u001f]+/g;

/** White space that a `pre` does not keep as it is. */
const ODD_SPACE = /[^\S\n\t ]|[\u001c-\u001f]/g;

/** Half a surrogate pair cannot be written as UTF-8. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Joiners, variation selectors and fillers. */
const JOINERS = "\\u034f\\u115f\\u1160\\u200c\\u200d\\u3164\\ufe00-\\ufe0f\\uffa0";
const JOINER = new RegExp(`[${JOINERS}]`);

/** Anything that leaves ink: not white space, and not one of `JOINERS` by itself. */
const INK = new RegExp(`[^\\s${JOINERS}]`);

/** Classes of characters. Characters that `fillClasses` does not list leave ink. */
const INK_CLASS = 0;
const SPACE_CLASS = 1;
/** The characters of `JOINERS`: kept, but invisible by themselves. */
const JOINER_CLASS = 2;
/** Characters that `clean` may have to change, and others that are as rare. */
const ODD_CLASS = 3;

/** The class of each UTF-16 code unit. One lookup replaces the expressions above, which cost more than all the rest. */
const CLASSES = fillClasses();

function fillClasses(): Uint8Array {
  const classes = new Uint8Array(0x10000);
  const ranges: readonly (readonly [number, number, number])[] = [
    [0x00, 0x08, ODD_CLASS],
    [0x09, 0x0d, SPACE_CLASS],
    [0x0e, 0x1f, ODD_CLASS],
    [0x20, 0x20, SPACE_CLASS],
    [0x7f, 0x9f, ODD_CLASS],
    [0xa0, 0xa0, SPACE_CLASS],
    [0xad, 0xad, ODD_CLASS],
    [0x34f, 0x34f, JOINER_CLASS],
    [0x61c, 0x61c, ODD_CLASS],
    [0x115f, 0x1160, JOINER_CLASS],
    [0x1680, 0x1680, SPACE_CLASS],
    [0x2000, 0x200a, SPACE_CLASS],
    [0x200b, 0x200b, ODD_CLASS],
    [0x200c, 0x200d, JOINER_CLASS],
    [0x200e, 0x200f, ODD_CLASS],
    [0x2028, 0x2029, SPACE_CLASS],
    [0x202a, 0x202e, ODD_CLASS],
    [0x202f, 0x202f, SPACE_CLASS],
    [0x205f, 0x205f, SPACE_CLASS],
    [0x2060, 0x2064, ODD_CLASS],
    [0x2066, 0x2069, ODD_CLASS],
    [0x3000, 0x3000, SPACE_CLASS],
    [0x3164, 0x3164, JOINER_CLASS],
    [0xd800, 0xdfff, ODD_CLASS],
    [0xfe00, 0xfe0f, JOINER_CLASS],
    [0xfeff, 0xfeff, ODD_CLASS],
    [0xffa0, 0xffa0, JOINER_CLASS],
  ];
  for (const [from, to, kind] of ranges) classes.fill(kind, from, to + 1);
  return classes;
}

function clean(text: string): string {
  return hasOdd(text) ? cleanOdd(text) : text;
}

function hasOdd(text: string): boolean {
  for (let index = 0, { length } = text; index < length; index += 1)
    if (CLASSES[codeUnit(text, index)] === ODD_CLASS) return true;
  return false;
}

function cleanOdd(text: string): string {
  return replaceHalfPairs(
    text.replace(UNDRAWN, "").replace(C1, (control) => WINDOWS_1252.charAt(control.charCodeAt(0) - 0x80)),
  );
}

/** Replaces each half of a surrogate pair by U+FFFD. */
export function replaceHalfPairs(text: string): string {
  return text.replace(LONE_SURROGATE, "\ufffd");
}

/**
 * Drops characters that are not drawn, and makes each run of whitespace one space, also at the ends; a line break
 * between Chinese or Japanese characters is dropped (see `breaks.ts`).
 */
export function collapseSpace(text: string): string {
  return dropBreaks(clean(text)).replace(SPACE_RUN, " ");
}

/** What `readInk` finds in the text of a node; the object is reused for the next node. */
export interface Ink {
  /** `collapseSpace` without the spaces at its ends. */
  text: string;
  hasSpaceBefore: boolean;
  hasSpaceAfter: boolean;
  /** Whether a reader sees nothing of the source text (`isSourceBlank`), and of the line's text (`isBlank`). */
  isSourceBlank: boolean;
  isBlank: boolean;
  /** Whether the text has joiners, variation selectors or fillers. */
  hasJoiner: boolean;
  /** `findInk` of the source. */
  start: number;
  end: number;
}

export function createInk(): Ink {
  return {
    text: "",
    hasSpaceBefore: false,
    hasSpaceAfter: false,
    isSourceBlank: true,
    isBlank: true,
    hasJoiner: false,
    start: 0,
    end: 0,
  };
}

/**
 * Matches what may change in a text without whitespace at its ends, and what may leave no ink. The fewer ranges it has,
 * the faster it reads a plain text: in a fraction of the time of the loop in `readInk`.
 */
const UNEVEN = /[^ -~\u00a1-\u00ac\u00ae-\u033f\u0370-\u05ff\u2010-\u2027\u4e00-\u9fff]| {2}/;

/**
 * Fills `ink` in for a source text. Most text nodes are whitespace and most others are plain; only the rest is looked at
 * character by character.
 */
export function readInk(source: string, ink: Ink): void {
  const { length } = source;
  let start = 0;
  while (start < length && CLASSES[codeUnit(source, start)] === SPACE_CLASS) start += 1;
  let end = length;
  while (end > start && CLASSES[codeUnit(source, end - 1)] === SPACE_CLASS) end -= 1;
  const text = start === 0 && end === length ? source : source.slice(start, end);
  const isPlain = start < end && !UNEVEN.test(text);
  let isBlank = !isPlain;
  let isCollapsed = true;
  let hasJoiner = false;
  for (let index = isPlain ? end : start; index < end; index += 1) {
    const kind = CLASSES[codeUnit(source, index)];
    if (kind === INK_CLASS) isBlank = false;
    else if (kind === ODD_CLASS) {
      readOddInk(source, ink);
      return;
    } else if (kind === SPACE_CLASS) {
      // The last character is no space, so there is a next one.
      if (codeUnit(source, index) !== 0x20 || CLASSES[codeUnit(source, index + 1)] === SPACE_CLASS)
        isCollapsed = false;
    } else hasJoiner = true;
  }
  ink.text = isCollapsed ? text : dropBreaks(text).replace(SPACE_RUN, " ");
  ink.hasSpaceBefore = start > 0;
  ink.hasSpaceAfter = end < length;
  ink.isSourceBlank = isBlank;
  ink.isBlank = isBlank;
  ink.hasJoiner = hasJoiner;
  ink.start = start;
  ink.end = end;
}

function readOddInk(source: string, ink: Ink): void {
  const collapsed = collapseSpace(source);
  ink.text = collapsed.trim();
  ink.hasSpaceBefore = collapsed.startsWith(" ");
  ink.hasSpaceAfter = collapsed.endsWith(" ");
  ink.isSourceBlank = isBlank(source);
  ink.isBlank = isBlank(collapsed);
  ink.hasJoiner = JOINER.test(ink.text);
  [ink.start, ink.end] = findInk(source);
}

/** The normal form of a line: `collapseSpace` without spaces at the ends. */
export function normaliseText(text: string): string {
  const ink = createInk();
  readInk(text, ink);
  return ink.text;
}

/** The normal form inside a `pre`: spaces, tabs and LF stay, other white space becomes a space. */
export function normalisePre(text: string): string {
  return clean(text).replace(ODD_SPACE, " ");
}

/** Checks whether a reader sees nothing of a text. */
export function isBlank(text: string): boolean {
  const { length } = text;
  let at = 0;
  while (at < length && CLASSES[codeUnit(text, at)] === SPACE_CLASS) at += 1;
  if (at === length) return true;
  return CLASSES[codeUnit(text, at)] !== INK_CLASS && !INK.test(text);
}

/** Returns the offsets [start, end) of a source text without whitespace and undrawn characters at its ends. */
export function findInk(text: string): readonly [number, number] {
  let start = 0;
  let end = text.length;
  while (start < end && isEdge(text.charAt(start))) start += 1;
  while (end > start && isEdge(text.charAt(end - 1))) end -= 1;
  return [start, end];
}

function isEdge(character: string): boolean {
  return (
    character === " " ||
    character === "\n" ||
    (!/[!-~]/.test(character) && collapseSpace(character).trim() === "")
  );
}
