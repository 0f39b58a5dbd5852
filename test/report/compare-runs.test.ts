import { describe, expect, it } from "vitest";
import { accept, reject, type Outcome } from "../../src/outcome.js";
import { compareRuns } from "../../src/report/compare-runs.js";
import type { ReportedDocument } from "../../src/report/read-corpus.js";

function makeDocument(id: string, ...texts: readonly string[]): Outcome<ReportedDocument> {
  const lines = texts.map((text) => ({ text: text.replace(/^-/, ""), isKept: !text.startsWith("-") }));
  return accept({
    ...{
      id,
      url: "",
      lang: "en-US",
      pageType: undefined,
      condition: undefined,
      registers: undefined,
      score: undefined,
      lines,
    },
    document: { id, url: "", source: "text", meta: {}, notes: [], lines: [] },
  });
}

function at(
  outcomes: readonly Outcome<ReportedDocument>[],
  urls: readonly string[],
): Outcome<ReportedDocument>[] {
  return outcomes.map((one, index) => (one.ok ? accept({ ...one.value, url: urls[index] ?? "" }) : one));
}

async function* stream(
  ...outcomes: readonly Outcome<ReportedDocument>[]
): AsyncGenerator<Outcome<ReportedDocument>> {
  await Promise.resolve();
  yield* outcomes;
}

describe("compareRuns", () => {
  it("lists which lines were added and removed, and which documents", async () => {
    const { first, second, same, changed, onlyFirst, onlySecond, byLanguage, most } = await compareRuns(
      stream(
        makeDocument("same", "One", "-Two"),
        makeDocument("gone", "Gone"),
        makeDocument("changed", "Begin", "-a line that comes", "a line that goes away", "End"),
        reject({ id: "bad", url: "" }, "label", "no-content"),
      ),
      stream(
        makeDocument("same", "One"),
        makeDocument("changed", "Begin", "a line that comes", "End"),
        makeDocument("new", "New"),
      ),
      1,
    );
    expect([first.documents, second.documents, same]).toEqual([3, 3, 1]);
    expect([onlyFirst, onlySecond]).toEqual([
      { count: 1, ids: ["gone"] },
      { count: 1, ids: ["new"] },
    ]);
    const tally = { documents: 1, keptLines: 1, keptWords: 4, droppedLines: 1, droppedWords: 5 };
    expect(changed).toEqual(tally);
    expect(byLanguage.list(9)).toEqual([["en", tally]]);
    const [document] = most.items;
    expect(document).toMatchObject({ id: "changed", addedWords: 4, removedWords: 5 });
    expect(document?.changes).toHaveLength(2);
    expect(document?.changes).toContainEqual({ text: "a line that comes", isAdded: true });
    expect(document?.changes).toContainEqual({ text: "a line that goes away", isAdded: false });
  });

  it("matches documents that are far apart, and waits only a limited time", async () => {
    const many = Array.from({ length: 3000 }, (_, at) => makeDocument(`d${at}`, "text"));
    const moved = await compareRuns(
      stream(...many.slice(0, 1500)),
      stream(...many.slice(0, 1500).reverse()),
      1,
    );
    expect(moved).toMatchObject({ same: 1500, onlyFirst: { count: 0 }, onlySecond: { count: 0 } });
    const lost = await compareRuns(
      stream(...many),
      stream(makeDocument("x", "a"), makeDocument("d0", "b")),
      1,
    );
    expect(lost).toMatchObject({ onlyFirst: { count: 2999 }, onlySecond: { count: 1, ids: ["x"] } });
  });

  it("pairs documents of one id in order", async () => {
    const twice = [makeDocument("a", "1"), makeDocument("a", "2")];
    expect(await compareRuns(stream(...twice), stream(...twice), 1)).toMatchObject({ same: 2 });
  });

  it("pairs the documents of a crawl with those of its archives by their addresses", async () => {
    const [a, b] = ["https://a.example/", "https://b.example/"] as const;
    const crawl = [makeDocument(a, "One"), makeDocument(b, "Two")];
    const archive = [makeDocument("urn:uuid:2", "Two"), makeDocument("urn:uuid:1", "One")];
    const runs = [
      [at(crawl, [a, b]), at(archive, [b, a])],
      [at(archive, [b, a]), at(crawl, [a, b])],
    ] as const;
    for (const [one, other] of runs)
      expect(await compareRuns(stream(...one), stream(...other), 1)).toMatchObject({ same: 2 });
    const twice = at([makeDocument("urn:uuid:3", "Old"), makeDocument("urn:uuid:4", "New")], [a, a]);
    expect(await compareRuns(stream(...twice), stream(...twice.slice(1)), 1)).toMatchObject({
      same: 1,
      onlyFirst: { count: 1, ids: ["urn:uuid:3"] },
    });
  });

  it("gives up on documents that have nothing in common and very many lines", async () => {
    const lines = (word: string): string[] => Array.from({ length: 8000 }, (_, at) => `${word} ${at}`);
    const compared = compareRuns(
      stream(makeDocument("a", ...lines("one"))),
      stream(makeDocument("a", ...lines("two"))),
      1,
    );
    expect(await compared).toMatchObject({ tooLong: 1, same: 0 });
  });
});
