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
 * So short copies are left to the model (which sees that they are copies): they are refrains, names and dates of forum
 * posts, cells of tables, prices. Only two kinds are decided by rule, and the figures above are what their scores are
 * capped at. Case does not count,
 * digits do: "page 1" is no copy of "page 2".
 */
import { countLetters } from "../features/chars.js";

export const WHY_DUPLICATE = "duplicate-line";

interface DuplicateRule {
  /** Length in letters of an alphabet from which the rule holds. */
  readonly fewestLetters: number;
  /** Lines between the original and the copy, at most. */
  readonly mostBetween: number;
  /** What P(content) is capped at: the share of such copies that were content. */
  readonly cap: number;
}

const RULES: readonly DuplicateRule[] = [
  { fewestLetters: 30, mostBetween: 0, cap: 0.12 },
  { fewestLetters: 160, mostBetween: Number.MAX_SAFE_INTEGER, cap: 0.4 },
];

/** For each line the cap on its P(content), or 1 where no rule speaks. Blank lines are neither copies nor in between. */
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
