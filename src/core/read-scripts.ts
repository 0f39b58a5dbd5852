/**
 * Reads the text in the script data of a page that shows little, or marks the page if only its scripts would show it.
 */
import type { Document, Line } from "../document.js";
import { asksForScripts, hasEmptyRoot } from "../extract/script-data/app-shell.js";
import { findScriptText } from "../extract/script-data/script-text.js";
import { accept, type Outcome } from "../outcome.js";
import type { ParsedPage } from "../document/tree.js";
import type { Writable } from "../writable.js";

/** The note on a document whose text comes from the data of a script. */
const NOTE_READ = "script-read";
/** The note on a document that is the empty shell of an application. */
export const NOTE_ONLY = "script-only";

/**
 * The letters that the script data must add to the page. A shorter text is the beginning of one that is elsewhere: of
 * 15 such pages of WCXB and atf, shown without their bodies, 14 had less than a fifth of the gold text.
 */
const MORE_LETTERS = 400;

/**
 * Appends the script text to the page, so that all other lines keep their offsets. The lines of the script text have no
 * offset in the source, so they get no span.
 */
export function readScripts(
  page: ParsedPage,
  shown: Outcome<Document>,
  read: (html: string) => Outcome<Document>,
): Outcome<Document> {
  const text = findScriptText(page);
  const more = text === undefined ? undefined : read(page.html + text);
  const end = page.html.length;
  if (more?.ok === true && countNew(more.value, end) >= MORE_LETTERS) {
    const lines = more.value.lines.map((line) => (isBehind(line, end) ? dropSpan(line) : line));
    return accept({ ...more.value, lines, notes: [...more.value.notes, NOTE_READ] });
  }
  if (!shown.ok)
    return shown.reason === "no-lines" && asksForScripts(page) ? { ...shown, reason: "script-only" } : shown;
  return hasEmptyRoot(page) ? accept({ ...shown.value, notes: [...shown.value.notes, NOTE_ONLY] }) : shown;
}

/** Shorter lines (labels, names, dates) often occur in both by chance. */
const MIN_SAID = 40;

/**
 * Counts the letters of the lines after the end of the page, without the text that the page shows anyway, as whole
 * lines or as parts of the new ones.
 */
function countNew({ lines }: Document, end: number): number {
  const shown = new Set(lines.filter((line) => !isBehind(line, end)).map(({ text }) => text));
  const fresh = lines.filter((line) => isBehind(line, end) && !shown.has(line.text)).map(({ text }) => text);
  const all = fresh.join("\n");
  const again = [...shown].filter((text) => text.length >= MIN_SAID && all.includes(text));
  return countLetters(fresh) - countLetters(again);
}

function countLetters(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

function isBehind({ span }: Line, end: number): boolean {
  return span !== undefined && span[0] >= end;
}

function dropSpan(line: Line): Line {
  const rest: Writable<Line> = { ...line };
  delete rest.span;
  return rest;
}
