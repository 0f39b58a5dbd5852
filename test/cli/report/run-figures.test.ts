import { describe, expect, it } from "vitest";
import type { Document, LabelledLine } from "../../../src/document.js";
import { accept, reject, type Outcome } from "../../../src/outcome.js";
import type { Account } from "../../../src/pipeline.js";
import { findTime } from "../../../src/time/time-scale.js";
import { NEWS } from "../../write/documents.js";
import { countOutcome, createFigures, sumRows, type Figures } from "../../../src/cli/report/run-figures.js";

const line = (text: string, label: LabelledLine["label"]): LabelledLine => ({
  text,
  label,
  score: label === "content" ? 1 : 0,
  block: "p",
  path: "",
  linkChars: 0,
  breakBefore: "block",
});

function makeDocument(id: string, more: Partial<Document<LabelledLine>> = {}): Document<LabelledLine> {
  const lines = [line("Four words are here.", "content"), line("Menu", "boilerplate")];
  return { id, url: "", source: "html", meta: {}, notes: [], lines, ...more };
}

const labelled = (lang: string | undefined, ms = 1): Account => ({
  ms,
  labelled: { lang, contentLines: 1, boilerplateLines: 2, words: 4 },
});

function count(steps: readonly (readonly [Outcome<Document<LabelledLine>>, Account])[]): Figures {
  const figures = createFigures();
  for (const [outcome, account] of steps) countOutcome(figures, outcome, account);
  return figures;
}

describe("the figures of a run", () => {
  it("count texts, lines, words and kept texts by language", () => {
    const figures = count([
      [accept(makeDocument("a")), labelled("pt-BR")],
      [accept(makeDocument("b")), labelled("PT")],
      [reject(makeDocument("c"), "filter", "duplicate"), labelled("pt_PT")],
      [accept(makeDocument("d")), labelled(undefined)],
      [accept(makeDocument("e")), labelled("<script>")],
      [reject(makeDocument("f"), "acquire", "empty"), { ms: 0 }],
    ]);
    expect(figures.languages).toEqual({
      pt: { texts: 3, keptTexts: 2, contentLines: 3, boilerplateLines: 6, words: 8 },
      unknown: { texts: 2, keptTexts: 2, contentLines: 2, boilerplateLines: 4, words: 8 },
    });
    expect(sumRows(Object.values(figures.languages))).toMatchObject({ texts: 5, keptTexts: 4, words: 16 });
    expect([figures.documents, figures.rejects, figures.reasons]).toEqual([4, 2, { duplicate: 1, empty: 1 }]);
  });

  it("count the registers of kept texts, if known", () => {
    const unsure = { ...NEWS, found: [], machine: 0.1 };
    const figures = count([
      [accept(makeDocument("a", { registers: NEWS })), labelled("fi")],
      [accept(makeDocument("b", { registers: unsure })), labelled("fi")],
      [accept(makeDocument("c", { registers: NEWS })), labelled("sv")],
      [reject(makeDocument("d", { registers: NEWS }), "filter", "filtered"), labelled("sv")],
      [accept(makeDocument("e")), labelled("en")],
    ]);
    expect(figures.languages["fi"]?.registers).toEqual({
      told: 2,
      unsure: 1,
      found: { NA: 1, ne: 1 },
      machine: 0.72,
    });
    expect(figures.languages["sv"]?.registers?.told).toBe(1);
    expect(figures.languages["en"] && "registers" in figures.languages["en"]).toBe(false);
    const sum = sumRows(Object.values(figures.languages));
    expect(sum.registers).toMatchObject({ told: 3, unsure: 1, found: { NA: 2, ne: 2 } });
    // The summed rows are unchanged.
    expect(figures.languages["fi"]?.registers?.told).toBe(2);
  });

  it("count each kind of note once per document", () => {
    const notes = ["lang-stated: en", "lang-stated: sv", "constructor", "depth-capped"];
    const figures = count([
      [accept(makeDocument("a", { notes })), labelled("fi")],
      [accept(makeDocument("b", { notes: notes.slice(3) })), labelled("fi")],
    ]);
    expect(figures.notes).toEqual({ "lang-stated": 1, constructor: 1, "depth-capped": 2 });
  });

  it("count the rejects that another attempt may fix", () => {
    const of = { id: "a", url: "" };
    const figures = count([
      [reject(of, "acquire", "http-status", "HTTP 503"), { ms: 0 }],
      [reject(of, "acquire", "http-status", "HTTP 404"), { ms: 0 }],
      [reject(of, "acquire", "http-status", "archived HTTP 503"), { ms: 0 }],
      [reject(of, "acquire", "timeout"), { ms: 0 }],
      [reject(of, "extract", "timeout"), { ms: 5 }],
      [reject(of, "acquire", "fetch-failed"), { ms: 0 }],
    ]);
    expect([figures.rejects, figures.retryable]).toEqual([6, 3]);
  });

  it("give times within three per cent, in bounded memory", () => {
    const times = Array.from({ length: 10_000 }, (_, number) => (number * 7919) % 10_000).map(
      (n) => 0.1 + n / 10,
    );
    const figures = count(
      times.map((ms, number) => [accept(makeDocument(String(number))), labelled("fi", ms)]),
    );
    for (const [share, ms] of [
      [0.5, 500],
      [0.9, 900],
      [0.99, 990],
    ] as const)
      expect(Math.abs(findTime(figures.times, share) / ms - 1)).toBeLessThan(0.03);
    expect(Object.keys(figures.times).length).toBeLessThan(200);
    expect(figures.slowest.map(({ ms }) => ms)).toEqual([
      1000, 999.9, 999.8, 999.7, 999.6, 999.5, 999.4, 999.3, 999.2, 999.1,
    ]);
    expect(findTime(createFigures().times, 0.5)).toBe(0);
  });

  it("survive conversion to JSON and back", () => {
    const steps = [
      [accept(makeDocument("a", { notes: ["x"] })), labelled("fi", 3)],
      [reject(makeDocument("b"), "label", "no-content"), labelled("sv", 8)],
      [accept(makeDocument("c")), labelled("fi", 5)],
    ] as const;
    const first = createFigures();
    countOutcome(first, steps[0][0], steps[0][1]);
    // The JSON has the type that was written.
    const second = JSON.parse(JSON.stringify(first)) as Figures;
    for (const [outcome, account] of steps.slice(1)) countOutcome(second, outcome, account);
    expect(second).toEqual(count(steps));
    expect(second.slowest.map(({ id }) => id)).toEqual(["b", "c", "a"]);
  });
});
