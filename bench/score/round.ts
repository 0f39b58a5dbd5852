/** Scores into the digits that a results file keeps. */
import type { Score } from "../metrics/fractions.js";

const DIGITS = 1e5;

export function round(score: Score): Score {
  return score === null ? null : Math.round(score * DIGITS) / DIGITS;
}
