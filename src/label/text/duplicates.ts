/**
 * Finds lines that repeat an earlier line of their document and are boilerplate for that reason.
 *
 * How often is a later copy of a *content* line boilerplate? Measured on turku-tq train (620 documents; line length in
 * letters; copies whose first occurrence people labelled content):
 *
 * | the copy                                     | copies | documents | boilerplate |
 * |----------------------------------------------|-------:|----------:|------------:|
 * | follows its original at once, 30 letters up  |     16 |         9 |         .88 |
 * | anywhere, 240 letters up                     |     49 |        15 |         .65 |
 * | anywhere, 160 letters up                     |     65 |        18 |         .60 |
 * | anywhere, 80 to 159 letters                  |     31 |        19 |         .42 |
 * | anywhere, 40 to 79 letters                   |    125 |         – |         .22 |
 * | anywhere, 20 to 39 letters                   |    152 |         – |         .29 |
 * | anywhere, under 20 letters                   |    242 |         – |         .17 |
 *
 * So the model, which sees that a line is a copy, decides on short copies: they are refrains, names and dates of forum
 * posts, table cells, prices. Rules decide only on two kinds, the first and the third row, and cap P(content) at the
 * share of content measured there. Case does not count, but digits do: "page 1" is not a copy of "page 2".
 */
import { countLetters } from "../features/chars.js";

export const WHY_DUPLICATE = "duplicate-line";

interface DuplicateRule {
  /** The shortest length to which the rule applies (`countLetters`). */
  readonly fewestLetters: number;
  /** The most lines between the original and the copy. */
  readonly mostBetween: number;
  /** The highest P(content) of the copy: the share of these copies that were content. */
  readonly cap: number;
}

const RULES: readonly DuplicateRule[] = [
  { fewestLetters: 30, mostBetween: 0, cap: 0.12 },
  { fewestLetters: 160, mostBetween: Number.MAX_SAFE_INTEGER, cap: 0.4 },
];

/** Returns the cap on P(content) of each line, or 1 if no rule applies. `texts`: the lines that are not blank. */
export function duplicateCaps(texts: readonly string[]): Float64Array {
  const caps = new Float64Array(texts.length).fill(1);
  const lastSeen = new Map<string, number>();
  for (let line = 0; line < texts.length; line++) {
    const text = texts[line] ?? "";
    const key = text.toLowerCase();
    const before = lastSeen.get(key);
    lastSeen.set(key, line);
    if (before === undefined) continue;
    const letters = countLetters(text, MOST_LETTERS);
    for (const { fewestLetters, mostBetween, cap } of RULES) {
      if (letters < fewestLetters || line - before - 1 > mostBetween) continue;
      caps[line] = Math.min(caps[line] ?? 1, cap);
    }
  }
  return caps;
}

const MOST_LETTERS = Math.max(...RULES.map((rule) => rule.fewestLetters));
