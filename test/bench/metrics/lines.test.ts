import { describe, expect, it } from "vitest";
import { alignText } from "../../../bench/metrics/align/align.js";
import { countAligned, countLabelled, NO_LINES, scoreLines } from "../../../bench/metrics/lines.js";
import type { GoldLine } from "../../../bench/corpora/gold.js";

const PAGE: readonly GoldLine[] = [
  { text: "Home and News", label: 0 },
  { text: "the first line of content here", label: 1 },
  { text: "the second one is much shorter", label: 1 },
  { text: "***", label: 0 },
  { text: "Share this with your friends", label: 0 },
];

describe("countAligned", () => {
  it("counts lines and words, and skips lines without letters", () => {
    // six content words kept, five boilerplate words kept, one word from nowhere
    const output = "the first line of content here\nShare this with your friends\nnowhere";
    const counts = countAligned(
      PAGE,
      alignText(
        PAGE.map(({ text }) => text),
        output,
      ),
    );
    expect(counts).toEqual({
      ...{ tp: 1, fp: 1, fn: 1, tn: 1, unscored: 1 },
      ...{ contentWords: 12, keptWords: 6, outputWords: 12, boilerplateWords: 5, movedWords: 0 },
    });
    const scores = scoreLines(counts);
    expect(scores.cleanliness).toEqual({ lines: 0.5, words: 6 / 12 });
    expect(scores.loss).toEqual({ lines: 0.5, words: 6 / 12 });
    expect(scores.unplaced).toBeCloseTo(1 / 12);
  });
});

describe("countLabelled", () => {
  it("compares labels line by line, weighted by words", () => {
    const counts = countLabelled(PAGE, [
      { label: 1 },
      { label: 1 },
      { label: 0 },
      { label: 0 },
      { label: 0 },
    ]);
    expect(counts).toEqual({
      ...{ tp: 1, fp: 1, fn: 1, tn: 2, unscored: 0 },
      ...{ contentWords: 12, keptWords: 6, outputWords: 9, boilerplateWords: 3, movedWords: 0 },
    });
  });

  it("skips unlabelled lines and their words", () => {
    const masked = PAGE.map((line, at): GoldLine => (at === 0 || at === 2 ? { ...line, label: null } : line));
    const known = { tp: 1, fp: 0, fn: 0, tn: 1, contentWords: 6, keptWords: 6, outputWords: 6 };
    const text = PAGE.slice(0, 3).map((line) => line.text);
    const aligned = alignText(
      PAGE.map((line) => line.text),
      text.join("\n"),
    );
    const rest = { unscored: 3, boilerplateWords: 0, movedWords: 0 };
    expect(countAligned(masked, aligned)).toEqual({ ...known, ...rest });
    const said = [1, 1, 1, 0, 0].map((label) => ({ label: label === 1 ? (1 as const) : (0 as const) }));
    expect(countLabelled(masked, said)).toEqual({ ...known, ...rest, tn: 2, unscored: 2 });
  });

  it("rejects labels if their number is not that of the gold lines", () => {
    expect(() => countLabelled(PAGE, [{ label: 1 }])).toThrow("1 labels for 5 gold lines");
  });
});

describe("scoreLines", () => {
  // 100 lines: 8 content kept, 2 boilerplate kept, 4 content lost, 86 boilerplate removed
  const counts = {
    ...{ tp: 8, fp: 2, fn: 4, tn: 86, unscored: 3 },
    ...{ contentWords: 200, keptWords: 150, outputWords: 200, boilerplateWords: 40, movedWords: 20 },
  };

  it("agrees with sums calculated by hand", () => {
    const scores = scoreLines(counts);
    expect(scores.lines).toBe(100);
    expect(scores.accuracy).toBeCloseTo(0.94);
    expect(scores.content.precision).toBeCloseTo(8 / 10);
    expect(scores.content.recall).toBeCloseTo(8 / 12);
    expect(scores.content.f1).toBeCloseTo(16 / 22);
    expect(scores.boilerplate.precision).toBeCloseTo(86 / 90);
    expect(scores.boilerplate.recall).toBeCloseTo(86 / 88);
    expect(scores.boilerplate.f1).toBeCloseTo(172 / 178);
    expect(scores.macroF1).toBeCloseTo((16 / 22 + 172 / 178) / 2);
    expect(scores.majority).toBeCloseTo(0.88);
    expect(scores.errorReduction).toBeCloseTo(0.5); // 12 errors of the majority, 6 left
    expect(scores.cleanliness.words).toBeCloseTo(0.75);
    expect(scores.loss.words).toBeCloseTo(0.25);
    expect(scores.loss.lines).toBeCloseTo(4 / 12);
    expect(scores.unplaced).toBeCloseTo(10 / 200);
    expect(scores.moved).toBeCloseTo(0.1);
  });

  it("has Schäfer's reduction: correct .976 over a baseline of .910 is .733", () => {
    const schaefer = { ...NO_LINES, tp: 80, fn: 10, fp: 14, tn: 896 };
    expect(scoreLines(schaefer).errorReduction).toBeCloseTo((0.976 - 0.91) / 0.09, 6);
  });

  it("uses content as the majority if it is more frequent", () => {
    expect(scoreLines({ ...NO_LINES, tp: 90, fp: 10 }).errorReduction).toBeCloseTo(0);
    expect(scoreLines({ ...NO_LINES, tp: 45, fn: 45, tn: 10 }).errorReduction).toBeLessThan(0);
  });

  it("returns null for undefined scores, not 0 or NaN", () => {
    const nothing = scoreLines(NO_LINES);
    expect([nothing.accuracy, nothing.content.f1, nothing.cleanliness.words, nothing.errorReduction]).toEqual(
      [null, null, null, null],
    );
    const silent = scoreLines({ ...NO_LINES, fn: 3, tn: 7, contentWords: 30 });
    expect(silent.content).toEqual({ precision: null, recall: 0, f1: 0 });
    expect(silent.loss).toEqual({ lines: 1, words: 1 });
    expect(scoreLines({ ...NO_LINES, tn: 7 }).errorReduction).toBeNull();
  });
});
