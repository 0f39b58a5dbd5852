/** Distinguishes a mistyped command from an input, and finds the nearest command. */
import { lstatSync } from "node:fs";
import { UsageError } from "../outcome.js";

/** Most edits between a typed word and the command that was meant; for a short command, a third of its length. */
const MOST_EDITS = 3;

/**
 * Throws UsageError if the word looks like a command and no file or directory has this name. A word with slashes, dots
 * or stars is an input.
 */
export function checkFirstWord(word: string, commands: readonly string[]): void {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}_-]*$/u.test(word) || isThere(word)) return;
  if (commands.includes(word)) throw new UsageError(`the command ${word} comes first, before all options`);
  const nearest = findNearest(word.toLowerCase(), [...commands, "--version", "--help"]);
  const hint =
    nearest === undefined ? `the commands are ${commands.join(", ")}` : `did you mean "${nearest}"?`;
  throw new UsageError(`there is no command "${word}", and no file or directory of this name; ${hint}`);
}

/** Throws UsageError for a command after the first word, unless a file or directory has its name. */
export function checkOtherWords(words: readonly string[], commands: readonly string[]): void {
  const late = words.find((word) => commands.includes(word) && !isThere(word));
  if (late !== undefined)
    throw new UsageError(`the command ${late} comes first, before all inputs and options`);
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true; // reading it reports the error
  }
}

/** Returns the name that takes the fewest edits to reach from the word, if there are few enough. */
export function findNearest(word: string, meant: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let least = MOST_EDITS + 1;
  for (const one of meant) {
    const edits = countEdits(word, one);
    if (edits >= least || edits > Math.ceil(one.length / 3)) continue;
    nearest = one;
    least = edits;
  }
  return nearest;
}

/** Counts the letters to add, drop, replace or swap with their neighbour (optimal string alignment). */
function countEdits(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const options = [at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + (isSame ? 0 : 1)];
      next.push(Math.min(...options, ...(isSwapped ? [at(before, j - 2) + 1] : [])));
    }
    [before, row] = [row, next];
  }
  return at(row, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
