import { describe, expect, it } from "vitest";
import { ROUGE_KINDS, scoreRouge, splitSentences } from "../../../bench/metrics/rouge.js";
import { expectLinear } from "../../growth.js";

describe("scoreRouge", () => {
  it("gives the value of the example of Lin 2004, section 3.2: a union LCS of 4 of 5 words", () => {
    const score = scoreRouge("w1 w2 w3 w4 w5", "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", ROUGE_KINDS.package);
    expect(score.recall).toBeCloseTo(4 / 5);
    expect(score.precision).toBeCloseTo(4 / 10);
    expect(score.f1).toBeCloseTo(8 / 15);
    expect(score.exact).toBe(true);
  });

  it("counts each token once, like ROUGE 1.5.5", () => {
    // "a" is in both gold lines and once in the output
    const score = scoreRouge("a b\na c", "a b", ROUGE_KINDS.package);
    expect(score.precision).toBe(1);
    expect(score.recall).toBe(0.5);
  });

  it("requires order within a sentence, but not between sentences", () => {
    expect(scoreRouge("a b c", "c b a", ROUGE_KINDS.package).recall).toBeCloseTo(1 / 3);
    expect(scoreRouge("a\nb\nc", "c\nb\na", ROUGE_KINDS.package).recall).toBe(1);
  });

  it("resolves ties as rouge-score 0.1.2 does", () => {
    // "c d" and "d c" share either; rouge-score takes "c", which the first line has used. With "d", the scores would be 1 and 2/3.
    const score = scoreRouge("c\nc d", "d c", ROUGE_KINDS.package);
    expect(score.precision).toBe(0.5);
    expect(score.recall).toBeCloseTo(1 / 3);
  });

  it("gives the value of rouge-score for a longer text", () => {
    const score = scoreRouge("a b a\nb c a b", "b a b a c\na b", ROUGE_KINDS.package);
    expect(score.f1).toBeCloseTo(0.8571428571428571, 12);
  });

  it("scores an empty gold and an empty output as Bevendorff et al. do", () => {
    const score = (gold: string, output: string): number[] => {
      const { precision, recall, f1 } = scoreRouge(gold, output, ROUGE_KINDS.bevendorff);
      return [precision, recall, f1];
    };
    expect(score("", " \n")).toEqual([1, 1, 1]);
    expect(score("", "text")).toEqual([0, 1, 0]);
    expect(score("text", "")).toEqual([0, 0, 0]);
  });

  it("depends on the definition of a token", () => {
    const [gold, output] = ["Die Häuser, alt", "die häuser alt"];
    expect(scoreRouge(gold, output, ROUGE_KINDS.bevendorff).recall).toBeCloseTo(1 / 3);
    expect(scoreRouge(gold, output, ROUGE_KINDS.words).recall).toBe(1);
    expect(scoreRouge("東京都庁", "東京駅", ROUGE_KINDS.package).f1).toBe(1); // no [a-z0-9] at all: both empty
    expect(scoreRouge("東京都庁", "東京駅", ROUGE_KINDS.words).recall).toBe(0.5);
  });

  it("limits its work, and reports when the score is inexact", async () => {
    const write = (words: number): string =>
      Array.from({ length: words }, (_, at) => `w${at % 997}`).join(" ");
    const gold = write(6000);
    const score = scoreRouge(gold, `x ${gold} y`, ROUGE_KINDS.package);
    await expectLinear(48_000, write, (text) => scoreRouge(text, `x ${text} y`, ROUGE_KINDS.package));
    expect(score.exact).toBe(false);
    expect(score.recall).toBeGreaterThan(0.99);
  });
});

describe("splitSentences", () => {
  it("ends sentences at marks, not at line breaks", () => {
    expect(splitSentences('A heading\nHe said "no." Then 3.5 m. of rain fell, e.g. here! Yes。 是')).toEqual([
      'A heading\nHe said "no."',
      "Then 3.5 m. of rain fell, e.g. here!",
      "Yes。",
      "是",
    ]);
  });
});
