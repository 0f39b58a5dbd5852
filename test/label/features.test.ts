import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBags, fillBags, TABLE_ROWS } from "../../src/label/features/bags.js";
import { AT, COLUMN_COUNT, COLUMNS, type Column } from "../../src/label/features/columns.js";
import { exportFeatures } from "../../src/label/features/export.js";
import { createKeyIndex } from "../../src/label/features/hash.js";
import { scanLine } from "../../src/label/features/scan-line.js";
import { createScan } from "../../src/label/features/tokens.js";
import {
  createWorkspace,
  featureWindows,
  type BagSink,
  type WindowSize,
} from "../../src/label/features/windows.js";
import { expectLinear } from "../growth.js";

const WHOLE: WindowSize = { lines: 1e9, context: 0 };

function features(
  lines: readonly string[],
  size: WindowSize = WHOLE,
): { hand: number[][]; bags: number[][] } {
  const hand: number[][] = [];
  const bags: number[][] = [];
  let window: number[][] = [];
  const sink: BagSink = {
    begin: () => {
      window = [];
    },
    take: (row, { words, shapes, characters, counts }) => {
      const [w = 0, s = 0, c = 0] = counts;
      window[row] = [...words.slice(0, w), -1, ...shapes.slice(0, s), -1, ...characters.slice(0, c)];
    },
  };
  for (const { rows, contextBefore, contextAfter, hand: values } of featureWindows(
    lines,
    createWorkspace(),
    sink,
    size,
  )) {
    for (let row = contextBefore; row < rows - contextAfter; row++) {
      hand.push([...values.slice(row * COLUMN_COUNT, (row + 1) * COLUMN_COUNT)]);
      bags.push(window[row] ?? []);
    }
  }
  return { hand, bags };
}

function column(lines: readonly string[], name: Column): number[] {
  return features(lines).hand.map((row) => row[AT[name]] ?? Number.NaN);
}

describe("columns", () => {
  it("are lower-case, unique and well-formed", () => {
    expect(new Set(COLUMNS).size).toBe(COLUMNS.length);
    for (const name of COLUMNS) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });
});

describe("line features", () => {
  const english = "The river rose in the night, and by morning the lower road was gone.";
  const paragraphs = [
    english,
    "河水在夜里上涨，到了早上，下游的路已经不见了。",
    "川の水は夜のうちに増え、朝には下の道がなくなっていた。",
    "แม่น้ำเอ่อขึ้นในตอนกลางคืน และพอถึงตอนเช้าถนนสายล่างก็หายไปแล้ว",
    "غمر النهر الطريق السفلي في الليل، وفي الصباح كان الطريق قد اختفى.",
    "रात में नदी का पानी बढ़ गया, और सुबह तक निचली सड़क गायब हो चुकी थी।",
    "밤사이 강물이 불어났고, 아침이 되자 아랫길은 사라지고 없었다.",
  ];

  it("gives the same sentence a similar length in every script", () => {
    for (const line of paragraphs) {
      const [length = 0] = column([line], "log-words");
      expect(Math.expm1(length), line).toBeGreaterThan(7);
      expect(Math.expm1(length), line).toBeLessThan(24);
    }
  });

  it("finds the end of a sentence in every script that marks it", () => {
    for (const line of paragraphs.filter((one) => !/\p{Script=Thai}/u.test(one)))
      expect(column([line], "ends-sentence"), line).toEqual([1]);
    expect(
      column(["He said “no.”", "(See below.)", "No end", "Wait...", "Wirklich?"], "ends-sentence"),
    ).toEqual([1, 1, 0, 0, 1]);
    expect(column(["ما هذا؟", "这是什么？", "What?"], "ends-question")).toEqual([1, 1, 1]);
  });

  it("recognises dates, years, addresses, prices and glued words", () => {
    expect(column(["3.4.2021", "2011年12月9日", "14/03/2023", "12 3 4"], "dates").map((n) => n > 0)).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(column(["in 1987 and 2020", "code 8812"], "years").map((n) => n > 0)).toEqual([true, false]);
    expect(column(["http://a.example", "me@b.example", "a @ b"], "addresses").map((n) => n > 0)).toEqual([
      true,
      true,
      false,
    ]);
    expect(column(["€ 12", "12 EUR"], "currencies").map((n) => n > 0)).toEqual([true, false]);
    expect(column(["alphaBeta", "alpha Beta"], "glued-words").map((n) => n > 0)).toEqual([true, false]);
    expect(column(["Home » News", "il dit «oui»"], "arrows").map((n) => n > 0)).toEqual([true, false]);
  });

  it("is finite for any text, lone surrogates included", () => {
    const text = fc.string({ unit: "binary", maxLength: 60 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 12 }), (lines) => {
        for (const row of features(lines).hand)
          for (const value of row) expect(Number.isFinite(value)).toBe(true);
      }),
    );
    expect(features(["\ud800", "\udc00x", "a\ud83d"]).hand).toHaveLength(3);
  });
});

describe("document features", () => {
  it("distinguishes copies from originals", () => {
    const lines = ["Reply", "Some text", "Reply", "page 1", "page 2", "Reply"];
    expect(column(lines, "copy")).toEqual([0, 0, 1, 0, 0, 1]);
    expect(column(lines, "copied-later")).toEqual([1, 0, 1, 0, 0, 0]);
    expect(column(lines, "near-copy")).toEqual([0, 0, 1, 0, 1, 1]);
  });

  it("has no column that is the same for all lines of a mixed document", () => {
    const lines = [
      "Home | About • Contact ©",
      "Why the bridge fell: an inquiry",
      "by Ada, 3.4.2021 at 10:15",
      "The bridge fell at dawn, and nobody was on it. “Luck,” said the mayor; (the press agreed)!",
      "- what now?",
      "The mayor of the bridge town asked, again and again: who's to pay €400, and when... http://x.example/a",
      "> #bridge TOWN 2 a alphaBeta x86 one.Two \ufffd = ★",
      "Home | About • Contact ©",
      "page 1",
      "page 2",
      "... wait…",
      "* (list), “quoted",
      "“Quoted first",
      "(opening first",
      "lower first 7",
      "Read more »",
      "ends with comma,",
      "ends with colon:",
      "Why though?",
      "Really...",
      "She left.)",
      "3 first",
    ];
    const { hand } = features(lines);
    for (const [place, name] of COLUMNS.entries()) {
      const values = new Set(hand.map((row) => row[place]));
      expect(values.size, name).toBeGreaterThan(1);
    }
  });

  it("gives the same features in windows as for the whole document", () => {
    const lines = Array.from(
      { length: 300 },
      (_, i) => `Line ${i % 7} says something ${i % 13 === 0 ? "long, and goes on." : ""}`,
    );
    expect(features(lines, { lines: 50, context: 10 })).toEqual(features(lines));
  });
});

describe("bags", () => {
  it("stay within the table, and within their arrays for the longest line", () => {
    const scan = createScan();
    const bags = createBags();
    for (const text of [
      "abcdefghijklmnopqrstuvwxyz ".repeat(500),
      "漢字かな".repeat(500),
      ".,;".repeat(500),
      "x".repeat(10_000),
      "",
    ]) {
      scanLine(scan, text);
      fillBags(scan, bags);
      const [words = 0, shapes = 0, characters = 0] = bags.counts;
      expect(words).toBeLessThanOrEqual(bags.words.length);
      expect(shapes).toBeLessThanOrEqual(bags.shapes.length);
      expect(characters).toBeLessThanOrEqual(bags.characters.length);
      expect(Math.max(0, ...bags.words.slice(0, words))).toBeLessThan(TABLE_ROWS);
    }
  });

  it("normalises digits, case and full-width marks, and reads the first 40 and last 20 tokens of a line", () => {
    const bagOf = (text: string): number[] => features([text]).bags[0] ?? [];
    const words = (text: string): number[] => bagOf(text).slice(0, bagOf(text).indexOf(-1));
    expect(words("Page 12!")).toEqual(words("page 7！"));
    const long = (middle: string): string => `${"a ".repeat(40)}${middle} ${"b ".repeat(20)}`;
    expect(bagOf(long("seen"))).toEqual(bagOf(long("other")));
    expect(bagOf(`${long("x")} end`)).not.toEqual(bagOf(long("x")));
  });
});

describe("key index", () => {
  it("numbers keys like a Map", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -40, max: 40 }), { maxLength: 500 }), (keys) => {
        const index = createKeyIndex(4);
        const map = new Map<number, number>();
        for (const key of keys) {
          if (!map.has(key)) map.set(key, map.size);
          expect(index.idOf(key)).toBe(map.get(key));
        }
        expect(index.size()).toBe(map.size);
      }),
    );
  });
});

describe("cost", () => {
  it("is linear in the text: 100,000 lines, one line of 2 MB, and identical lines", async () => {
    const run = (lines: string[]): number => {
      let rows = 0;
      const sink: BagSink = { begin: () => undefined, take: () => undefined };
      for (const window of featureWindows(lines, createWorkspace(), sink, { lines: 2048, context: 128 }))
        rows += window.rows;
      return rows;
    };
    const write = (length: number): string[] =>
      Array.from({ length }, (_, i) => (i % 2 === 0 ? "Reply" : `Line ${i} of a long document`));
    expect(run(write(100_000))).toBeGreaterThanOrEqual(100_000);
    await expectLinear(100_000, write, run);
    await expectLinear(400_000, (size) => ["word ".repeat(size)], run);
  });
});

describe("exportFeatures", () => {
  it("writes what the trainer reads, without blank lines", async () => {
    const directory = await mkdtemp(join(tmpdir(), "features-"));
    const lines = [
      { text: "Home", label: 0 as const },
      { text: "  ", label: 0 as const },
      { text: "It rained all day.", label: 1 as const },
    ];
    const summary = await exportFeatures(
      [
        { id: "a", lang: "en", source: "s", lines },
        { id: "empty", lang: "en", source: "s", lines: [] },
        { id: "b", lang: "en", source: "s", lines: lines.slice(0, 1) },
      ],
      directory,
    );
    expect(summary).toEqual({ documents: 2, lines: 3 });
    const read = (name: string): Promise<Buffer> => readFile(join(directory, name));
    expect((await read("features.f32")).byteLength).toBe(3 * COLUMN_COUNT * 4);
    expect([...(await read("labels.u8"))]).toEqual([0, 1, 0]);
    const documents = (await read("documents.jsonl")).toString().trim().split("\n");
    expect(documents.map((line): unknown => JSON.parse(line))).toEqual([
      { id: "a", lang: "en", source: "s", start: 0, lines: 2 },
      { id: "b", lang: "en", source: "s", start: 2, lines: 1 },
    ]);
    for (const bag of ["words", "shapes", "characters"]) {
      const ends = await read(`${bag}.ends.u32`);
      expect(ends.byteLength).toBe(12);
      expect((await read(`${bag}.u16`)).byteLength).toBe(2 * ends.readUInt32LE(8));
    }
  });

  it("writes 255 for an unlabelled line", async () => {
    const directory = await mkdtemp(join(tmpdir(), "features-"));
    const lines = ([1, null, 0] as const).map((label) => ({ text: "It rained all day.", label }));
    await exportFeatures([{ id: "a", lang: "en", source: "s", lines }], directory);
    expect([...(await readFile(join(directory, "labels.u8")))]).toEqual([1, 255, 0]);
  });
});
