import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "thresher";
import { describe, expect, it } from "vitest";
import {
  askLabeller,
  compareAll,
  formatTables,
  listLabellers,
} from "../../../../bench/lab/gate/known-failures.js";
import {
  readMarkedDocuments,
  type MarkedDocument,
} from "../../../../bench/lab/gate/known-failures/marked-documents.js";
import {
  compareKinds,
  scoreKinds,
  type Said,
} from "../../../../bench/lab/gate/known-failures/failure-scores.js";
import { makeFolder } from "../../documents.js";

const HEAD = { proves: "A test.", lang: "en", type: "article", condition: "raw" };
const LONG =
  "The harbour master said on Monday that the old crane would be taken down before the winter storms, which " +
  "nobody in the town had asked for and everybody had expected.";

/** Makes a folder with one document of a kind. */
function makeFixture(kind: string, ...rows: readonly (object | string)[]): string {
  const folder = makeFolder();
  mkdirSync(join(folder, kind));
  const text = rows.map((row) => `${typeof row === "string" ? row : JSON.stringify(row)}\n`).join("");
  writeFileSync(join(folder, kind, "one.jsonl"), text);
  return folder;
}

/** Reads labels from digits, with a star after the marked ones. */
function makeMarked(kind: "lyrics" | "duplicates", gold: string): MarkedDocument {
  const lines = [...gold.matchAll(/([01])(\*?)/g)].map(([, label, star]) => ({
    text: LONG,
    label: label === "1" ? (1 as const) : (0 as const),
    ...(star === "*" ? { cls: kind } : {}),
  }));
  return {
    id: `${kind}/x`,
    kind,
    proves: "",
    lang: gold.length > 4 ? "fi" : "en",
    type: "",
    condition: "raw",
    lines,
  };
}

const say = (digits: string): Said => Array.from(digits, (digit) => (digit === "1" ? 1 : 0));

describe("a file of a known failure", () => {
  it("is read together with its marks", async () => {
    const folder = makeFixture(
      "lyrics",
      HEAD,
      { text: "La la", label: "content", cls: "lyrics" },
      { text: "Print", label: "boilerplate" },
    );
    expect(await readMarkedDocuments(folder)).toEqual([
      {
        ...HEAD,
        id: "lyrics/one",
        kind: "lyrics",
        lines: [
          { text: "La la", label: 1, cls: "lyrics" },
          { text: "Print", label: 0 },
        ],
      },
    ]);
  });

  it.each([
    ["a broken row", [HEAD, '{"text": "x"'], "lyrics/one, line 2: not a JSON object"],
    ["a row that is a list", [HEAD, []], "line 2: not a JSON object"],
    ["no text", [HEAD, { text: " ", label: "content" }], "line 2: no text"],
    ["a label of another scheme", [HEAD, { text: "x", label: 1 }], "line 2: no label is 1"],
    [
      "another kind's mark",
      [HEAD, { text: "x", label: "content", cls: "duplicates" }],
      'cls is not "lyrics"',
    ],
    ["no number of rows", [HEAD, { text: "x", label: "content", rows: 0 }], "line 2: no rows"],
    [
      "a word that is in no list",
      [HEAD, { text: "a {b}", label: "content", rows: 2, words: { c: ["x"] } }],
      "line 2: no words for {b}",
    ],
    ["no language", [{ ...HEAD, lang: "" }], "line 1: no lang"],
    ["an unknown condition", [{ ...HEAD, condition: "cooked" }], 'line 1: no condition is "cooked"'],
  ])("is rejected with %s", async (_, rows, message) => {
    await expect(readMarkedDocuments(makeFixture("lyrics", ...rows))).rejects.toThrow(message);
  });

  it("may have one row that expands to many, the same ones each time", async () => {
    const row = { text: "{n}. {who} and {who}", label: "content", rows: 40, words: { who: ["A", "B", "C"] } };
    const [first, again] = await Promise.all(
      [1, 2].map(() => readMarkedDocuments(makeFixture("lyrics", HEAD, row))),
    );
    expect(first).toEqual(again);
    const texts = (first?.[0]?.lines ?? []).map(({ text }) => text);
    expect(texts).toHaveLength(40);
    for (const [at, text] of texts.entries())
      expect(text).toMatch(new RegExp(`^${at + 1}\\. [ABC] and [ABC]$`));
    expect(new Set(texts.map((text) => text.replace(/^\d+/, ""))).size).toBeGreaterThan(5);
  });

  it("may be missing together with its folder", async () => {
    expect(await readMarkedDocuments(join(makeFolder(), "nowhere"))).toEqual([]);
  });
});

describe("the scores", () => {
  const answers = [
    { document: makeMarked("lyrics", "01*1*0*"), said: say("0101") },
    { document: makeMarked("lyrics", "1*1*"), said: say("11") },
    { document: makeMarked("duplicates", "1*0*"), said: say("11") },
  ];

  it("count marked lines, lines of each label, and all lines", () => {
    const [duplicates, lyrics, mean] = scoreKinds(answers);
    expect(duplicates).toMatchObject({ kind: "duplicates", documents: 1, languages: 1, markedLines: 2 });
    expect(duplicates?.accuracy).toMatchObject({
      marked: { value: 1 / 2, low: 1 / 2, high: 1 / 2 },
      content: { value: 1 },
      boilerplate: { value: 0 },
    });
    expect(lyrics).toMatchObject({ kind: "lyrics", documents: 2, languages: 2, markedLines: 5 });
    expect(lyrics?.accuracy).toMatchObject({
      marked: { value: 3 / 5, low: 1 / 3, high: 1 },
      content: { value: 3 / 4 },
      boilerplate: { value: 0 },
      all: { value: 4 / 6 },
    });
    expect(mean).toMatchObject({ documents: 3, markedLines: 7 });
    expect(mean?.accuracy.marked.value).toBeCloseTo((1 / 2 + 3 / 5) / 2, 12);
  });

  it("are compared in pairs: the second minus the first", () => {
    const better = answers.map(({ document }) => ({
      document,
      said: document.lines.map(({ label }) => label),
    }));
    const [duplicates, lyrics, mean] = compareKinds(answers, better);
    expect(duplicates?.marked.difference.value).toBe(1 / 2);
    expect(lyrics?.marked.difference.low).toBe(0);
    expect(lyrics?.marked.difference.high).toBeCloseTo(2 / 3, 12);
    expect(mean?.marked.difference.value).toBeCloseTo(1 - 0.55, 12);
    expect(compareKinds(better, answers)[0]?.marked.difference.value).toBe(-1 / 2);
  });
});

describe("the labellers", () => {
  it("are the models by their folders, followed by the untrained ones", () => {
    expect(listLabellers(["models/text-7", "/elsewhere/text-9/"]).map(({ name }) => name)).toEqual([
      "text-7",
      "text-9",
      "justext",
      "rules",
    ]);
    expect(listLabellers([]).map(({ options }) => options)).toEqual([
      { labeller: "text", focus: "balanced" },
      { labeller: "justext", focus: "balanced" },
      { labeller: "rules", focus: "balanced" },
    ]);
    expect(() => listLabellers(["a/text-7", "b/text-7"])).toThrow(UsageError);
  });

  it("label every line even if there is no content, and are printed in tables", async () => {
    const folder = makeFixture(
      "in-article-headings",
      HEAD,
      { text: "Menu", label: "boilerplate", cls: "in-article-headings" },
      ...["a", "b"].map((end) => ({ text: `${LONG} ${end}.`, label: "content", cls: "in-article-headings" })),
      { text: "Home", label: "boilerplate" },
      { text: "© 2020", label: "boilerplate" },
    );
    const documents = await readMarkedDocuments(folder);
    const bare = documents.map((document) => ({ ...document, lines: document.lines.slice(3) }));
    const [rules] = listLabellers([]).slice(-1);
    const result = await askLabeller(rules!, documents);
    expect(result.answers.map(({ said }) => said)).toEqual([[0, 1, 1, 0, 0]]);
    expect((await askLabeller(rules!, bare)).answers[0]?.said).toEqual([0, 0]);

    const worse = { ...result, name: "worse", answers: [{ document: documents[0]!, said: say("10000") }] };
    const results = [result, { ...worse, kinds: scoreKinds(worse.answers) }];
    const tables = formatTables(results, compareAll(results));
    const cells = (line: string): string[] => line.split("|").map((cell) => cell.trim());
    const [rows, against] = tables.split("\n\n").map((table) => table.trim().split("\n").map(cells));
    expect(rows?.[2]).toEqual([
      "",
      "in-article-headings",
      "1",
      "1",
      "3",
      "rules",
      "1.000",
      "1.000–1.000",
      "1.000",
      "1.000",
      "1.000",
      "",
    ]);
    expect(rows?.[3]?.slice(5)).toEqual(["worse", ".000", ".000–.000", ".000", ".000", ".400", ""]);
    expect(rows).toHaveLength(2 + 2 * 2);
    expect(against?.[2]?.slice(1, 4)).toEqual([
      "in-article-headings",
      "worse − rules",
      "−1.000 (−1.000 to −1.000)",
    ]);
  });
});
