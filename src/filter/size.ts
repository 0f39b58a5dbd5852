/**
 * Measures the size of a text and the characters that it consists of.
 *
 * `min-words`, `digits` and `foreign` are the document heuristics of Register Oscar (Laippala et al. 2022, section 3: a
 * document is dropped under 75 words, above .075 digits, above .02 foreign characters). The paper does not say which
 * characters are foreign; here they are letters of a script other than the main one and Latin (see `scripts.ts`).
 * Shares are of columns, so that a digit has the same weight beside Han and Latin letters: counted by characters, 35 %
 * of the Chinese documents of the CORE corpora exceed the limit; by columns 22 %, of the others 0-10 %.
 */
import { meanScore } from "../mean-score.js";
import type { Measure } from "./filter.js";
import type { Kept } from "./kept-text.js";
import { countColumns } from "./scripts.js";

/** Returns `part / whole`; undefined if `whole` is 0. */
export function share(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole;
}

/** Returns the mean score of the content lines, weighted by length, with three decimals as in the record. */
export function scoreKept({ document }: Kept): number | undefined {
  const score = meanScore(document.lines);
  return score === undefined ? undefined : Math.round(score * 1000) / 1000;
}

function meanLine({ lines }: Kept): number | undefined {
  const columns = lines.reduce((sum, { text }) => sum + countColumns(text), 0);
  return share(columns, lines.length);
}

export const SIZE_MEASURES = {
  "min-words": { says: "words", side: "at least", limit: 75, measure: ({ words }) => words },
  "max-words": { says: "words", side: "at most", limit: 100_000, measure: ({ words }) => words },
  digits: {
    says: "digits, as share of the characters",
    side: "at most",
    limit: 0.075,
    measure: ({ characters: { digits, columns } }) => share(digits, columns),
  },
  foreign: {
    says: "letters neither of the main script nor Latin, as share of all letters",
    side: "at most",
    limit: 0.02,
    measure: ({ characters: { foreign, letters } }) => share(foreign, letters),
  },
  /** No limit was published: 30 columns is where FineWeb begins to call a line short. */
  "mean-line": {
    says: "mean length of the lines in columns",
    side: "at least",
    limit: 30,
    measure: meanLine,
  },
  /** Has a limit of our own: below .5, the labeller itself takes the text for boilerplate. */
  score: {
    says: "mean score of the content lines, as in the record",
    side: "at least",
    limit: 0.5,
    measure: scoreKept,
  },
} satisfies Readonly<Record<string, Measure>>;
