/** Checks how lines begin and end: sentence-ending marks, ellipses and bullets in the scripts of the world. */
import type { Script } from "./scripts.js";

/** Marks that end a sentence. */
export const END_MARKS = ".!?…。．｡！？؟۔।॥։።፧။។៕།༎᠃᠉᙮;‼⁇⁈⁉";
/** End marks after which the next sentence needs no space. */
const CLOSE_MARKS = "。｡！？।॥።။។៕᠃";
/** Quotation marks of all styles, and brackets, that may follow an end mark. */
export const CLOSERS = "\"'’”“»«›‹」』）)]】〉》";
/** Quotation marks also count as the end of a sentence, as in the published rules for English. */
export const QUOTES = "\"'’”“»«›‹」』";
/** The characters that list items begin with if the page has no list markup. */
export const BULLETS = "•‣⁃◦●○▪■‧∙·・･*-–";

/** Scripts that end a sentence with a space instead of a mark, so end marks mean nothing in them. */
const WITHOUT_END_MARKS: ReadonlySet<Script | undefined> = new Set<Script | undefined>([
  "Thai",
  "Lao",
  undefined,
]);

export function hasEndMarks(script: Script | undefined): boolean {
  return !WITHOUT_END_MARKS.has(script);
}

export function endsWithEllipsis(line: string): boolean {
  const end = line.trimEnd();
  return end.endsWith("...") || end.endsWith("…") || end.endsWith("。。。");
}

/** The Armenian full stop looks like a colon, and many people type a colon for it. */
const ARMENIAN_STOP = ":";
const ARMENIAN_LETTER = /^[\u0561-\u0587]/;
/** The question mark of Greek is a semicolon, also by normalisation. */
const GREEK_QUESTION = ";";
const GREEK_LETTER = /^[\u0386-\u03ce\u1f00-\u1fff]/;

/** Whether a character ends a sentence; `before` is the character before it. */
function isEndMark(character: string, before: string): boolean {
  if (character === ARMENIAN_STOP) return ARMENIAN_LETTER.test(before);
  if (character === GREEK_QUESTION) return GREEK_LETTER.test(before);
  return END_MARKS.includes(character);
}

/** Whether the last character ends a sentence or closes a quotation. */
export function endsWithMark(line: string): boolean {
  const end = line.trimEnd();
  const last = end.at(-1) ?? "";
  return last !== "" && (isEndMark(last, end.at(-2) ?? "") || QUOTES.includes(last));
}

export function beginsWithBullet(line: string): boolean {
  const first = line.trimStart().charAt(0);
  return first !== "" && BULLETS.includes(first);
}

/**
 * Counts the sentences of a line. A sentence ends at an end mark before a space or the end of the line, or, for the
 * marks of scripts without spaces, at the mark itself. Text after the last end mark is one more sentence.
 */
export function countSentences(line: string): number {
  let sentences = 0;
  /** What was read since the last sentence: nothing, text, an end mark, or an end mark that needs no space after it. */
  let state: "between" | "text" | "ended" | "closed" = "between";
  let before = "";
  for (const character of line) {
    if (isEndMark(character, before)) {
      if (state !== "between") state = CLOSE_MARKS.includes(character) ? "closed" : "ended";
    } else if (/\s/.test(character)) {
      if (state === "ended" || state === "closed") {
        sentences += 1;
        state = "between";
      }
    } else if ((state === "ended" || state === "closed") && CLOSERS.includes(character)) {
      // Belongs to the sentence before it.
    } else {
      if (state === "closed") sentences += 1;
      state = "text";
    }
    before = character;
  }
  return state === "between" ? sentences : sentences + 1;
}
