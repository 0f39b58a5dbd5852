import { describe, expect, it } from "vitest";
import { countNothing, measure, sumColumns } from "../../../../bench/run/score/score-sums.js";
import { judge } from "../../../../bench/run/score/judge.js";
import { mapScores } from "../../../../bench/run/score/map-scores.js";
import { reportScores } from "../../../../bench/run/score/scored-report.js";
import type { GoldDocument } from "../../../../bench/corpora/gold.js";
import type { OutputLine, SystemOutput } from "../../../../bench/systems/system.js";
import { makeDocument } from "../../documents.js";

const line = (text: string, score: number): OutputLine => ({ text, score, label: score >= 0.5 ? 1 : 0 });

/** Makes a document of a line corpus, which has no page. */
function asLines({ html, ...document }: GoldDocument): GoldDocument {
  expect(html).toBeDefined();
  return document;
}

describe("scores on gold lines", () => {
  const { lines: gold = [] } = makeDocument(0);
  const [menu, first, second, third, letter] = gold.map(({ text }) => text);

  it("handle lines that were split and joined", () => {
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

  it("are all missing if the system saw no lines", () => {
    expect([...mapScores(gold, [])].every((score) => Number.isNaN(score))).toBe(true);
  });
});

describe("a judged document", () => {
  it("uses labels line by line if the system kept the lines of a text", () => {
    const document = asLines(makeDocument(0));
    const lines = document.lines!.map(({ text, label }, index) => line(text, index === 1 ? 0.2 : label!));
    const judged = judge(document, { ok: true, text: "", lines });
    const { lineF1, lineRecall, linePrecision } = measure(judged.columns);
    expect([...judged.said!]).toEqual([0, 0, 1, 1, 0]);
    expect(lineRecall).toBeCloseTo(2 / 3);
    expect(linePrecision).toBe(1);
    expect(lineF1).toBeCloseTo(0.8);
  });

  it("has no ROUGE if it is not requested, and all other scores", () => {
    const document = makeDocument(0);
    const output: SystemOutput = { ok: true, text: document.lines!.map(({ text }) => text).join("\n") };
    const whole = measure(judge(document, output).columns);
    const { rougePrecision, rougeRecall, rougeF1, rougeBevendorff } = whole;
    for (const score of [rougePrecision, rougeRecall, rougeF1, rougeBevendorff]) expect(score).not.toBeNull();
    const none = { rougePrecision: null, rougeRecall: null, rougeF1: null, rougeBevendorff: null };
    expect(measure(judge(document, output, { hasRouge: false }).columns)).toEqual({ ...whole, ...none });
  });

  it("is scored on labelled lines only, and its text is not scored if some lines are unlabelled", () => {
    const document = asLines(makeDocument(0));
    const gold = document.lines!.map((one, at) => (at === 1 ? { ...one, label: null } : one));
    const masked = { ...document, lines: gold };
    const lines = gold.map(({ text, label }) => line(text, label ?? 0.9));
    const judged = judge(masked, { ok: true, text: lines.map(({ text }) => text).join("\n"), lines });
    expect([...judged.said!]).toEqual([0, -1, 1, 1, 0]);
    expect(measure(judged.columns)).toMatchObject({
      lineF1: 1,
      lineAccuracy: 1,
      wordF1: null,
      rougeF1: null,
    });
    const report = reportScores([judged], new Map([[masked.id, masked]]));
    expect(report?.bins.reduce((sum, bin) => sum + bin.lines, 0)).toBe(4);
    const aligned = judge(masked, { ok: true, text: gold.map(({ text }) => text).join("\n") });
    expect([...aligned.said!]).toEqual([1, -1, 1, 1, 1]);
  });

  it("is scored by the text on pages, whatever the labels say", () => {
    const document = makeDocument(0);
    const lines = document.lines!.map(({ text }) => line(text, 1));
    const judged = judge(document, { ok: true, text: document.lines![1]!.text, lines });
    expect([...judged.said!]).toEqual([0, 1, 0, 0, 0]);
  });

  it("is scored by the text if the lines differ", () => {
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

  it("counts the words of a failed page as lost in one word score, if the gold is text", () => {
    const { lines, ...page } = makeDocument(0);
    expect(lines).toBeDefined();
    const [first, second] = ["one two three four", "five six"].map((text) => ({ ...page, text }));
    const columns = [
      judge(first!, { ok: false, failure: "missing", detail: "" }).columns,
      judge(second!, { ok: true, text: "five six" }).columns,
    ];
    // two words are found and right, and six are wanted
    expect(measure(sumColumns(columns))).toMatchObject({ wordF1: 1, wordF1WithFailures: 0.5 });
    expect(measure(columns[0]!)).toMatchObject({ wordF1: null, wordF1WithFailures: 0 });
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

describe("pages without main content", () => {
  const { lines, ...rest } = makeDocument(0);
  expect(lines).toBeDefined();
  const empty: GoldDocument = { ...rest, text: " \n" };
  const full: GoldDocument = { ...rest, text: "three good words" };
  const nothingOf = (documents: readonly (readonly [GoldDocument, SystemOutput])[]) => {
    const columns = sumColumns(documents.map(([document, output]) => judge(document, output).columns));
    const { nothingHere, falseAlarms } = measure(columns);
    return { ...countNothing(columns), nothingHere, falseAlarms };
  };
  const said = (text: string): SystemOutput => ({ ok: true, text });
  const failed: SystemOutput = { ok: false, failure: "crash", detail: "" };

  it("are recognised by a text without a letter or digit, and never by a failure", () => {
    expect(
      nothingOf([
        [empty, said("")],
        [empty, said("•\n—")],
        [empty, said("Home")],
        [empty, failed],
        [empty, { ...failed, failure: "timeout" }],
      ]),
    ).toEqual({
      ...{ emptyPages: 5, emptySaid: 2, fullPages: 0, fullSaid: 0 },
      ...{ nothingHere: 2 / 5, falseAlarms: null },
    });
  });

  it("cause no false alarm if there is content, whatever the system returns", () => {
    expect(
      nothingOf([
        [full, said("7")],
        [full, said("\u200b")],
        [full, failed],
        [full, said("three good words")],
      ]),
    ).toEqual({
      ...{ emptyPages: 0, emptySaid: 0, fullPages: 4, fullSaid: 1 },
      ...{ nothingHere: null, falseAlarms: 1 / 4 },
    });
  });

  it("are not counted if the gold text is in none of the page's lines", () => {
    const drawn: GoldDocument = { ...full, lines: [{ text: "Please enable scripts", label: 0 }] };
    const shown: GoldDocument = { ...full, lines: [{ text: "three good words", label: 1 }] };
    expect(
      nothingOf([
        [drawn, said("")],
        [shown, said("")],
      ]),
    ).toMatchObject({ emptyPages: 0, fullPages: 1, fullSaid: 1 });
  });

  it("are identified by the lines if there is no text, and never by an unfinished gold", () => {
    const menu: GoldDocument = { ...rest, lines: [{ text: "Home News", label: 0 }] };
    expect(nothingOf([[menu, said("")]])).toMatchObject({ emptyPages: 1, emptySaid: 1 });
    expect(nothingOf([[{ ...empty, with: ["must appear"] }, said("")]])).toMatchObject({
      ...{ emptyPages: 0, fullPages: 0 },
    });
    expect(nothingOf([[rest, said("")]])).toMatchObject({ emptyPages: 0, fullPages: 0 });
  });

  it("score 1 in WCXB's measure if nothing is returned, and 0 if the system fails", () => {
    const scoreOf = (output: SystemOutput) => measure(judge(empty, output).columns).wcxbF1;
    expect([scoreOf(said("")), scoreOf(said("Home")), scoreOf(failed)]).toEqual([1, 0, 0]);
    const two = sumColumns([judge(full, said("three good words")).columns, judge(full, failed).columns]);
    expect(measure(two).wcxbF1).toBe(0.5);
  });
});

describe("the type of a page", () => {
  const judged = (pageType: string | undefined, saidType?: string) =>
    judge(makeDocument(0, pageType === undefined ? {} : { pageType }), {
      ...{ ok: true, text: "x" },
      ...(saidType === undefined ? {} : { pageType: saidType }),
    });

  it("is right, wrong, or not requested", () => {
    const all = [
      judged("forum", "forum"),
      judged("forum", "article"),
      judged("forum", "constructor"),
      judged("poem", "article"),
      judged("forum"),
      judged(undefined, "forum"),
    ];
    expect(measure(sumColumns(all.map(({ columns }) => columns))).pageType).toBeCloseTo(1 / 3);
    expect(all.map(({ pageType }) => pageType?.said)).toEqual([
      ...["forum", "article", "constructor", undefined, undefined, undefined],
    ]);
  });
});

describe("the report of scored lines", () => {
  const document = makeDocument(0);
  const documents = new Map([[document.id, document]]);
  const texts = document.lines!.map(({ text }) => text);

  it("loses recall, not calibration, for lines that the extractor dropped", () => {
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
