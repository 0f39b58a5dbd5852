import { describe, expect, it } from "vitest";
import { measure } from "../../bench/score/columns.js";
import { judge } from "../../bench/score/judge.js";
import { mapScores } from "../../bench/score/map-scores.js";
import { reportScores } from "../../bench/score/scored-report.js";
import type { GoldDocument, OutputLine } from "../../bench/types.js";
import { makeDocument } from "./documents.js";

const line = (text: string, score: number): OutputLine => ({ text, score, label: score >= 0.5 ? 1 : 0 });

/** A document of a line corpus: it has no page. */
function asLines({ html, ...document }: GoldDocument): GoldDocument {
  expect(html).toBeDefined();
  return document;
}

describe("scores on gold lines", () => {
  const { lines: gold = [] } = makeDocument(0);
  const [menu, first, second, third, letter] = gold.map(({ text }) => text);

  it("follow lines that were split and joined", () => {
    const [half, rest] = [first!.split(" ").slice(0, 5).join(" "), first!.split(" ").slice(5).join(" ")];
    const scores = mapScores(gold, [
      line(menu!, 0.1),
      line(half, 0.4),
      line(rest, 0.8),
      line(`${second!} ${third!}`, 0.9),
    ]);
    expect(scores[0]).toBeCloseTo(0.1);
    expect(scores[1]).toBeGreaterThan(0.5);
    expect(scores[1]).toBeLessThan(0.8);
    expect(scores[2]).toBeCloseTo(0.9);
    expect(scores[3]).toBeCloseTo(0.9);
    expect(scores[4]).toBeNaN();
    expect(letter).toBeDefined();
  });

  it("are all missing where the system saw nothing", () => {
    expect([...mapScores(gold, [])].every((score) => Number.isNaN(score))).toBe(true);
  });
});

describe("a judged document", () => {
  it("takes labels line by line where the system kept the lines of a text", () => {
    const document = asLines(makeDocument(0));
    const lines = document.lines!.map(({ text, label }, index) => line(text, index === 1 ? 0.2 : label));
    const judged = judge(document, { ok: true, text: "", lines });
    const { lineF1, lineRecall, linePrecision } = measure(judged.columns);
    expect([...judged.said!]).toEqual([0, 0, 1, 1, 0]);
    expect(lineRecall).toBeCloseTo(2 / 3);
    expect(linePrecision).toBe(1);
    expect(lineF1).toBeCloseTo(0.8);
  });

  it("goes by the text on pages, whatever the labels say", () => {
    const document = makeDocument(0);
    const lines = document.lines!.map(({ text }) => line(text, 1));
    const judged = judge(document, { ok: true, text: document.lines![1]!.text, lines });
    expect([...judged.said!]).toEqual([0, 1, 0, 0, 0]);
  });

  it("goes by the text where the lines are others", () => {
    const document = asLines(makeDocument(0));
    const text = document.lines![1]!.text;
    const judged = judge(document, { ok: true, text, lines: [line(text, 0.9)] });
    expect([...judged.said!]).toEqual([0, 1, 0, 0, 0]);
    expect(judged.scores![1]).toBeCloseTo(0.9);
    expect(judged.scores![2]).toBeNaN();
  });

  it("counts an empty answer as everything lost, and a failure as no answer", () => {
    const document = makeDocument(0);
    const empty = measure(judge(document, { ok: true, text: "" }).columns);
    expect(empty).toMatchObject({ lineRecall: 0, lineLoss: 1, wordLoss: 1, lineF1WithFailures: 0 });
    const failed = measure(judge(document, { ok: false, failure: "crash", detail: "" }).columns);
    expect(failed).toMatchObject({
      lineRecall: null,
      wordLoss: null,
      wordF1: null,
      lineF1WithFailures: 0,
      wordLossWithFailures: 1,
    });
  });

  it("counts snippets of a failed page as Trafilatura's evaluation does", () => {
    const document = { ...makeDocument(0), with: ["a", "b"], without: ["c"] };
    const { segmentRecall, segmentAccuracy } = measure(
      judge(document, { ok: false, failure: "timeout", detail: "" }).columns,
    );
    expect(segmentRecall).toBe(0);
    expect(segmentAccuracy).toBeCloseTo(1 / 3);
  });

  it("has no line score without gold lines, and no text score without any gold", () => {
    const { lines, ...document } = makeDocument(0);
    expect(lines).toBeDefined();
    const none = measure(judge(document, { ok: true, text: "some text" }).columns);
    expect(Object.values(none).every((value) => value === null)).toBe(true);
    const text = measure(judge({ ...document, text: "some text" }, { ok: true, text: "some text" }).columns);
    expect(text).toMatchObject({
      wordF1: 1,
      rougeF1: 1,
      rougeBevendorff: 1,
      shingleF1: 1,
      wcxbF1: 1,
      lineF1: null,
    });
  });
});

describe("the report of scored lines", () => {
  const document = makeDocument(0);
  const documents = new Map([[document.id, document]]);
  const texts = document.lines!.map(({ text }) => text);

  it("loses recall, not calibration, for what the extractor dropped", () => {
    const lines = [line(texts[1]!, 1), line(texts[2]!, 1)];
    const judged = judge(document, { ok: true, text: lines.map(({ text }) => text).join("\n"), lines });
    const report = reportScores([judged], documents);
    expect(report?.calibrationError).toBe(0);
    expect(report?.averagePrecision).toBeCloseTo(2 / 3, 4);
    expect(report?.curve[0]).toMatchObject({ threshold: 0, precision: 1, recall: 0.66667 });
    expect(report?.bins.at(-1)?.lines).toBe(2);
    expect(report?.byLength.reduce((sum, bucket) => sum + bucket.lines, 0)).toBe(5);
  });

  it("is absent for a system without scores", () => {
    const judged = judge(document, {
      ok: true,
      text: "",
      lines: texts.map((text) => ({ text, label: 1 as const })),
    });
    expect(reportScores([judged], documents)).toBeUndefined();
  });
});
