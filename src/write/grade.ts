/** A score into the ten letters of texrex. */

const LETTERS = "abcdefghij";

/**
 * The boilerplate score 1 − P(content) quantised to a–j: a is 0.0–0.1, j is 0.9–1.0 (Schäfer 2016, section 5).
 * Works on thousandths, because 1 − 0.9 is not 0.1 in binary.
 */
export function grade(score: number): string {
  const tenth = Math.floor((1000 - Math.round(score * 1000)) / 100);
  return LETTERS.charAt(Math.min(9, Math.max(0, tenth)));
}
