/** Tells how lines end and begin: by marks that end a sentence, ellipses and bullets, in the scripts of the world. */
import type { Script } from "./scripts.js";

/** Marks that end a sentence. */
export const END_MARKS = ".!?…。．｡！？؟۔।॥։።፧။།༎᙮‼⁇⁈⁉";
/** End marks behind which the next sentence needs no space. */
const CLOSE_MARKS = "。｡！？";
/** Quotation marks, in all fashions of quoting, and brackets that may close behind an end mark. */
export const CLOSERS = "\"'’”“»«›‹」』）)]】〉》";
/** Marks that count as an end of a sentence, too: the published rules for English take a quotation mark at the end so. */
export const QUOTES = "\"'’”“»«›‹」』";
/** What lists begin with where the page does not mark them up. */
export const BULLETS = "•‣⁃◦●○▪■‧∙·*-–";

/** Scripts that end a sentence with a space, so that marks say nothing of it. */
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

/** Armenian has a full stop that looks like a colon, and many write it as one. */
const ARMENIAN_STOP = ":";
const ARMENIAN_LETTER = /^[\u0561-\u0587]/;

/** `before` is the character before it. */
function isEndMark(character: string, before: string): boolean {
  return END_MARKS.includes(character) || (character === ARMENIAN_STOP && ARMENIAN_LETTER.test(before));
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
 * Sentences of a line: runs that end marks close before a space, at the end, or anywhere for the marks of scripts
 * without spaces; what follows the last is one more.
 */
export function countSentences(line: string): number {
  let sentences = 0;
  /** Nothing since the last sentence, text, an end mark, or one that needs no space behind it. */
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
