import { describe, expect, it } from "vitest";
import { meanScore } from "../../../bench/metrics/fractions.js";
import { countSegments, scoreSegments } from "../../../bench/metrics/segments.js";
import { countShingles } from "../../../bench/metrics/shingles.js";
import { countText, scoreText, scoreWcxb } from "../../../bench/metrics/words.js";
import { judge } from "../../../bench/run/score/judge.js";
import { measure, sumColumns } from "../../../bench/run/score/score-sums.js";
import { page } from "../systems/broken/systems.js";

describe("countText", () => {
  it("counts words and their characters in place", () => {
    // kept: "one two three four" (15 letters) of six words (22); the output has seven words (29)
    const counts = countText("one two three four\nfive six", "one two three four. Another text altogether");
    expect(counts.words).toEqual({ right: 4, found: 7, wanted: 6 });
    expect(counts.characters).toEqual({ right: 15, found: 36, wanted: 22 });
    const scores = scoreText(counts);
    expect(scores.words.precision).toBeCloseTo(4 / 7);
    expect(scores.words.recall).toBeCloseTo(4 / 6);
    expect(scores.words.f1).toBeCloseTo(8 / 13);
    expect(scores.characters.f1).toBeCloseTo(30 / 58);
  });

  it("distinguishes a bag of the same words from the text", () => {
    const bag = "six four two five three one";
    expect(countText("one two three four five six", bag).words.right).toBe(0);
    expect(scoreWcxb("one two three four five six", bag).f1).toBe(1);
  });

  it("counts a text once if it is returned twice", () => {
    const text = "a text of some words that is returned twice by a broken system";
    expect(scoreText(countText(text, `${text}\n${text}`)).words).toEqual({
      precision: 0.5,
      recall: 1,
      f1: 2 / 3,
    });
  });

  it("counts a number that was put before a line neither as a word nor as characters", () => {
    const counts = countText("apple pie recipe", "3. apple pie recipe");
    expect(counts.words).toEqual({ right: 3, found: 3, wanted: 3 });
    expect(counts.characters).toEqual({ right: 14, found: 14, wanted: 14 });
  });

  it("has no scores for an empty gold", () => {
    expect(scoreText(countText("", "some text")).words).toEqual({ precision: 0, recall: null, f1: 0 });
    expect(scoreText(countText("", "")).words).toEqual({ precision: null, recall: null, f1: null });
  });
});

describe("scoreWcxb", () => {
  it("compares bags of lower-case words", () => {
    // the, cat of {the ×2, cat, mat} and {the, cat, sat}
    const { precision, recall, f1 } = scoreWcxb("The cat, the mat", "the cat sat");
    expect(precision).toBeCloseTo(2 / 3);
    expect(recall).toBeCloseTo(2 / 4);
    expect(f1).toBeCloseTo(4 / 7);
  });

  it("scores 1 for an empty gold only if the output is empty", () => {
    expect(scoreWcxb("", " \n")).toEqual({ precision: 1, recall: 1, f1: 1 });
    expect(scoreWcxb("", "text")).toEqual({ precision: 0, recall: 0, f1: 0 });
    expect(scoreWcxb("text", "")).toEqual({ precision: 0, recall: 0, f1: 0 });
  });
});

describe("countShingles", () => {
  it("gives the shares of a page's 4-grams that are kept, added and lost", () => {
    // abcd in both, bcde lost, bcdx added
    expect(countShingles("a b c d e", "a b, c d x")).toEqual({ tp: 1 / 3, fp: 1 / 3, fn: 1 / 3 });
  });

  it("counts copies", () => {
    // a a a a three times against once
    expect(countShingles("a a a a a a", "a a a a")).toEqual({ tp: 1 / 3, fp: 0, fn: 2 / 3 });
  });

  it("treats a short text as one shingle, respects case, and handles empty texts", () => {
    expect(countShingles("one two", "one two")).toEqual({ tp: 1, fp: 0, fn: 0 });
    expect(countShingles("One two", "one two")).toEqual({ tp: 0, fp: 0.5, fn: 0.5 });
    expect(countShingles("", "one")).toEqual({ tp: 0, fp: 1, fn: 0 });
    expect(countShingles("", "")).toEqual({ tp: 0, fp: 0, fn: 0 });
  });
});

describe("the 4-gram scores of a corpus", () => {
  it("are the F1 of mean precision and mean recall, each over the pages for which it is defined", () => {
    const columns = [
      ["a b c d e", "a b, c d x"], // P .5, R .5
      ["one two", ""], // no output: R 0 only
      ["", "one two"], // no gold: P 0 only
      ["one two", "one two"], // 1, 1
      ["", ""], // neither
    ].map(([text = "", output = ""]) => judge(page("a", "", { text }), { ok: true, text: output }).columns);
    const scores = measure(sumColumns(columns));
    expect(scores.shinglePrecision).toBeCloseTo(0.5);
    expect(scores.shingleRecall).toBeCloseTo(0.5);
    expect(scores.shingleF1).toBeCloseTo(0.5);
    const none = { shinglePrecision: null, shingleRecall: null, shingleF1: null };
    expect(measure(sumColumns([]))).toMatchObject(none);
  });
});

describe("countSegments", () => {
  const gold = { with: ["the first words", "last  words."], without: ["Newsletter", "Read more"] };

  it("counts required and forbidden segments", () => {
    expect(countSegments(gold, "So the first\n words. Newsletter")).toEqual({ tp: 1, fp: 1, fn: 1, tn: 1 });
    expect(countSegments(gold, "last words. the First words")).toEqual({ tp: 1, fp: 0, fn: 1, tn: 2 });
  });

  it("counts a crash as an empty output", () => {
    expect(countSegments(gold, undefined)).toEqual({ tp: 0, fp: 0, fn: 2, tn: 2 });
    expect(countSegments(gold, "")).toEqual({ tp: 0, fp: 0, fn: 2, tn: 2 });
  });

  it("scores the sums", () => {
    const scores = scoreSegments({ tp: 6, fp: 1, fn: 2, tn: 7 });
    expect(scores.precision).toBeCloseTo(6 / 7);
    expect(scores.recall).toBeCloseTo(6 / 8);
    expect(scores.accuracy).toBeCloseTo(13 / 16);
    expect(scores.f1).toBeCloseTo(12 / 15);
    expect(scoreSegments({ tp: 0, fp: 0, fn: 0, tn: 0 })).toEqual({
      ...{ precision: null, recall: null, accuracy: null, f1: null },
    });
  });
});

describe("meanScore", () => {
  it("is the mean of the defined scores", () => {
    expect(meanScore([1, null, 0.5])).toBe(0.75);
    expect(meanScore([null])).toBeNull();
  });
});
