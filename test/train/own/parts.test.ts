import { describe, expect, it } from "vitest";
import type { Document } from "../../../src/document.js";
import { createFitter, lossOf, product, type Rows } from "../../../src/train/fit/logistic.js";
import { computeFigures, countDocument } from "../../../src/train/figures.js";
import { partIntoFolds } from "../../../src/train/fit/folds.js";
import { whyNotBetter } from "../../../src/train/decide.js";
import { chooseCuts } from "../../../src/train/fit/cuts.js";
import { createRandom } from "../../../src/random.js";

/** Makes rows whose labels are drawn with the weights 2 and −1, and an offset of .5. */
function drawRows(count: number): Rows {
  const random = createRandom(7);
  const width = 3;
  const inputs = Float32Array.from({ length: count * width }, (_, at) =>
    at % width === 2 ? 1 : 4 * random() - 2,
  );
  const odds = new Float32Array(count).fill(0);
  const labels = Uint8Array.from({ length: count }, (_, row) => {
    const wanted = product(inputs, row * width, Float64Array.of(2, -1, 0.5));
    return random() < 1 / (1 + Math.exp(-wanted)) ? 1 : 0;
  });
  return {
    inputs,
    width,
    odds,
    labels,
    weights: new Float32Array(count).fill(1),
    starts: [0, count / 2, count],
  };
}

const lossAt = (rows: Rows, weights: Float64Array, penalties: Float64Array): number =>
  rows.labels.reduce(
    (sum, label, row) => sum + lossOf(product(rows.inputs, row * rows.width, weights), label),
    weights.reduce((sum, weight, at) => sum + ((penalties[at] ?? 0) * weight * weight) / 2, 0),
  );

describe("a fit", () => {
  const rows = drawRows(4000);
  const fit = createFitter(rows);
  const weak = Float64Array.of(0.01, 0.01, 0.01);

  it("recovers the weights that made the labels", () => {
    const weights = fit([0, 1], weak);
    expect([...weights].map((weight) => Math.round(weight * 5) / 5)).toEqual([2, -1, expect.closeTo(0.5, 0)]);
  });

  it("minimises its loss: every step away increases it", () => {
    const penalties = Float64Array.of(50, 50, 5);
    const weights = fit([0, 1], penalties);
    const least = lossAt(rows, weights, penalties);
    for (let at = 0; at < 3; at += 1)
      for (const by of [-0.05, 0.05]) {
        const aside = weights.map((weight, place) => weight + (place === at ? by : 0));
        expect(lossAt(rows, aside, penalties)).toBeGreaterThan(least);
      }
  });

  it("uses only the given folds", () => {
    const half = fit([0], weak);
    const others = { ...rows, labels: rows.labels.map((label, row) => (row < 2000 ? label : 1 - label)) };
    expect([...createFitter(others)([0], weak)]).toEqual([...half]);
    expect([...fit([1], weak)]).not.toEqual([...half]);
  });

  it("shrinks to zero under a strong penalty", () => {
    const weights = fit([0, 1], Float64Array.of(1e7, 1e7, 1e7));
    expect(Math.max(...weights.map(Math.abs))).toBeLessThan(1e-3);
  });
});

const documentOf = (url: string, text: string): Document => ({
  ...{ id: url, url, source: "text", meta: {}, notes: [] },
  lines: text
    .split("\n")
    .map((line) => ({ text: line, block: "text", path: "", linkChars: 0, breakBefore: "line" })),
});

describe("folds", () => {
  const words = (from: number): string =>
    Array.from({ length: 120 }, (_, at) => `w${from * 1000 + at}`).join(" ");
  const documents = [
    ...Array.from({ length: 6 }, (_, at) => documentOf("https://www.one.example/a", words(at))),
    ...Array.from({ length: 6 }, (_, at) => documentOf(`https://host${at}.example/`, words(100 + at))),
    documentOf("", words(500)),
    documentOf("", `${words(500)} and a word more`),
    documentOf("https://ONE.example:8080/b", words(900)),
  ];
  const folds = partIntoFolds(documents, 3);

  it("keep a host on one side, and near copies if there is no address", () => {
    expect(new Set(folds.of.slice(0, 6)).size).toBe(1);
    expect(folds.of[14]).toBe(folds.of[0]);
    expect(folds.of[12]).toBe(folds.of[13]);
    expect([folds.groups, folds.hosts, folds.count]).toEqual([8, 7, 5]);
  });

  it("depend only on the seed", () => {
    expect(partIntoFolds(documents, 3)).toEqual(folds);
    const others = [4, 5, 6, 7].map((seed) => partIntoFolds(documents, seed).of);
    expect(others.some((of) => JSON.stringify(of) !== JSON.stringify(folds.of))).toBe(true);
  });
});

describe("figures", () => {
  const { lines, ...rest } = documentOf("", "one two three\nfour\nfive six\nseven");
  const labelled = {
    ...rest,
    lines: lines.map((line, at) => ({
      ...line,
      score: [0.9, 0.8, 0.2, 0.1][at] ?? 0,
      label: at < 2 ? ("content" as const) : ("boilerplate" as const),
    })),
  };

  it("count lines and words, and skip unlabelled ones", () => {
    const figures = computeFigures(countDocument(labelled, [1, 0, 1, null]));
    expect(figures.lineAccuracy).toBeCloseTo(1 / 3, 9);
    expect(figures.lineF1).toBeCloseTo(1 / 2, 9);
    // 3 of 4 found words are right, and 5 words are wanted.
    expect(figures.wordF1).toBeCloseTo(6 / 9, 9);
    expect(figures.calibrationError).toBeCloseTo((0.1 + 0.8 + 0.8) / 3, 9);
  });

  it("are zero if nothing is labelled", () => {
    expect(computeFigures(countDocument(labelled, [null, null, null, null]))).toMatchObject({
      lineF1: 0,
      lineAccuracy: 0,
    });
  });

  it("choose cuts where content ends, as close to the old ones as possible", () => {
    const condition = {
      name: "raw",
      score: 1,
      isDoubtful: false,
      cut: 0.5,
      cuts: { precision: 0.8, balanced: 0.5, recall: 0.1 },
    } as const;
    const cuts = chooseCuts([{ document: { ...labelled, condition }, labels: [1, 1, 1, 0] }]);
    expect(cuts.balanced).toBe(0.2);
    expect(cuts.recall).toBe(0.11);
    expect(cuts.precision).toBeGreaterThanOrEqual(cuts.balanced);
  });
});

describe("a gain that may be chance", () => {
  it("is reported with the number of draws, which is not rounded up to the required one", () => {
    const interval = (value: number, above: number) => ({ value, low: value, high: value, above });
    const why = (above: number): string | undefined =>
      whyNotBetter({ difference: { macroF1: interval(0.03, above) }, skill: interval(0.2, 1) });
    expect(why(0.896)).toBe(
      "its gain may be chance: 896 of 1000 draws of documents show one, but 900 are required",
    );
    expect(why(0.9)).toBeUndefined();
  });
});
