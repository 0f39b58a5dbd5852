/** Text as the source has it into text as a reader sees it: which characters count, and which are white space. */

/**
 * Characters that are not drawn: soft hyphen, zero-width space, word joiner, invisible operators, byte order mark, bidirectional controls,
 * and control characters. Zero-width joiners and non-joiners are not among them: Persian, Indic scripts and emoji
 * change without them.
 */
const UNDRAWN =
  /[\u0000-\u0008\u000e-\u001b\u007f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]+/g;

/**
 * C1 controls in a page are windows-1252 that was taken for Latin-1: quotes, dashes, the euro. HTML says so for
 * character references (13.2.5.80), and browsers never meet the others. Five of them are not assigned.
 */
const C1 = /[\u0080-\u009f]/g;
const WINDOWS_1252 = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

/** Unicode white space and the information separators. */
const SPACE_RUN = /[\s\u001c-\u001f]+/g;

/** White space that a `pre` does not keep as it is. */
const ODD_SPACE = /[^\S\n\t ]|[\u001c-\u001f]/g;

/** Half a surrogate pair cannot be written as UTF-8. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Anything that leaves ink: not white space, and not a joiner or a variation selector by itself. */
const INK = /[^\s\u034f\u115f\u1160\u200c\u200d\u3164\ufe00-\ufe0f\uffa0]/;

function clean(text: string): string {
  return text
    .replace(UNDRAWN, "")
    .replace(C1, (control) => WINDOWS_1252.charAt(control.charCodeAt(0) - 0x80))
    .replace(LONE_SURROGATE, "\ufffd");
}

/** Drops what is not drawn and makes every run of white space one space, also at the ends. */
export function collapseSpace(text: string): string {
  return clean(text).replace(SPACE_RUN, " ");
}

/** The normal form of a line: `collapseSpace` without spaces at the ends. */
export function normaliseText(text: string): string {
  return collapseSpace(text).trim();
}

/** The normal form inside a `pre`: spaces, tabs and line breaks stay, other white space becomes a space. */
export function normalisePre(text: string): string {
  return clean(text.replace(/\r\n?/g, "\n")).replace(ODD_SPACE, " ");
}

/** Whether a reader sees nothing of a normalised text. */
export function isBlank(text: string): boolean {
  return !INK.test(text);
}

/** Offsets [start, end) of what is left of a source text without white space and undrawn characters at its ends. */
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
