import { describe, expect, it, vi } from "vitest";
import { createBags, fillBags, TABLE_ROWS, type LineBags } from "../../../src/label/features/bags.js";
import { createScan } from "../../../src/label/features/tokens.js";
import { scanLine } from "../../../src/label/features/scan-line.js";
import { createVocabulary } from "../../../src/label/features/pieces/vocabulary.js";
import type { PathBuckets, Paths } from "../../../src/label/features/page/path-bags.js";
import { createPagePool, createTextPool } from "../../../src/label/network/pool.js";

const WIDTH = 16;
const SCALE = 0.25;
const table = Int8Array.from({ length: TABLE_ROWS * WIDTH }, (_, at) => Math.imul(at, 2_654_435_761) >> 24);
const model = { table, width: WIDTH, scale: SCALE };
const PIECES = ["▁the", "▁ferry", "▁", "c", "a", "m", "e"];
const vocabulary = createVocabulary(PIECES, new Float32Array(PIECES.length).fill(-2));
const PIECE_WIDTH = 8;
/** Each row of the table holds the number of its piece in every column. */
const pieces = {
  vocabulary,
  table: Int8Array.from({ length: PIECES.length * PIECE_WIDTH }, (_, at) => Math.floor(at / PIECE_WIDTH)),
  width: PIECE_WIDTH,
  scale: 0.5,
};

/** Computes the mean of the rows, one after the other. */
function meanOf(numbers: readonly number[]): number[] {
  return Array.from({ length: WIDTH }, (_, column) => {
    const rows = numbers.map((bucket) => table[bucket * WIDTH + column] ?? Number.NaN);
    return rows.length === 0 ? 0 : (SCALE * rows.reduce((sum, one) => sum + one, 0)) / rows.length;
  });
}

function expectClose(values: Iterable<number>, wanted: readonly number[]): void {
  const all = [...values];
  expect(all).toHaveLength(wanted.length);
  for (const [at, value] of all.entries()) expect(value).toBeCloseTo(wanted[at] ?? Number.NaN, 4);
}

const TEXTS = ["The ferry came in late.", "", "River 河水在夜里上涨 17:45"];

function bagsOf(text: string): { words: number[]; shapes: number[]; characters: number[]; fill: LineBags } {
  const scan = createScan();
  const bags = createBags();
  scanLine(scan, text);
  fillBags(scan, bags);
  const [words = 0, shapes = 0, characters = 0] = bags.counts;
  return {
    words: [...bags.words.slice(0, words)],
    shapes: [...bags.shapes.slice(0, shapes)],
    characters: [...bags.characters.slice(0, characters)],
    fill: bags,
  };
}

describe("createTextPool", () => {
  it("gives the mean of each bag of a line, and zeros for an empty bag", () => {
    const pool = createTextPool(model, pieces);
    pool.begin(TEXTS.length, 0);
    for (const [row, text] of TEXTS.entries()) pool.take(row, bagsOf(text).fill, text);
    const wanted = TEXTS.flatMap((text) => {
      const { words, shapes, characters } = bagsOf(text);
      return [...meanOf(words), ...meanOf(shapes), ...meanOf(characters)];
    });
    expectClose(pool.values(), wanted);
  });

  it("gives the mean of a line's pieces, then the first and the last, and zeros if there are none", () => {
    const pool = createTextPool(model, pieces);
    const texts = ["the ferry came", "渡", "ferry"];
    pool.begin(texts.length, 0);
    for (const [row, text] of texts.entries()) pool.take(row, bagsOf(text).fill, text);
    // "the ferry came": 0, 1, 2, 3, 4, 5, 6; no piece has the character of the second line, but one has the mark at the start of a word.
    const wanted = [3, 0, 6, 2, 2, 2, 1, 1, 1].flatMap((number) =>
      Array<number>(PIECE_WIDTH).fill(number / 2),
    );
    expectClose(pool.pieces?.() ?? [], wanted);
    pool.begin(1, 0);
    pool.take(0, bagsOf("").fill, "");
    expectClose(pool.pieces?.() ?? [], Array<number>(3 * PIECE_WIDTH).fill(0));
  });

  it("holds each table of a model in only one memory of WebAssembly, however many pools there are", () => {
    createTextPool(model, pieces);
    const { WebAssembly } = globalThis as unknown as { WebAssembly: { Memory(): void } }; // not in Node's types
    const memories = vi.spyOn(WebAssembly, "Memory");
    createTextPool(model, pieces);
    expect(memories).not.toHaveBeenCalled();
    memories.mockRestore();
  });
});

describe("a bag of more rows than a sum of 16 bits holds", () => {
  it("has the mean of all rows", () => {
    const many = createBags();
    const numbers = Array.from({ length: 700 }, (_, i) => Math.imul(i, 40_503) & (TABLE_ROWS - 1));
    many.characters.set(numbers);
    many.counts[2] = numbers.length;
    const pool = createTextPool(model, pieces);
    pool.begin(1, 0);
    pool.take(0, many, "");
    expectClose(pool.values().subarray(2 * WIDTH), meanOf(numbers));
  });

  it("has the exact mean if all rows are minimal", () => {
    const lowest = { table: new Int8Array(TABLE_ROWS * WIDTH).fill(-128), width: WIDTH, scale: 0.25 };
    const many = createBags();
    many.counts[2] = 700;
    const pool = createTextPool(lowest, pieces);
    pool.begin(1, 0);
    pool.take(0, many, "");
    expect(pool.values()).toEqual(new Float32Array(3 * WIDTH).fill(-32, 2 * WIDTH));
  });
});

/** Overwrites what it returned before with what it reads next. */
function pathsOf(nodes: Int32Array, buckets: readonly PathBuckets[]): Paths {
  const near = new Uint16Array(9).fill(999);
  const far = new Uint16Array(9).fill(999);
  return {
    nodes,
    elements: buckets.length,
    read(node) {
      const path = buckets[node] ?? { near: [], far: [] };
      near.fill(999).set(path.near);
      far.fill(999).set(path.far);
      return { near, far, nears: path.near.length, fars: path.far.length };
    },
  };
}

describe("createPagePool", () => {
  const paths = [
    { near: Uint16Array.of(1, 1, 32_767), far: Uint16Array.of() },
    { near: Uint16Array.of(40), far: Uint16Array.of(0, 5, 6) },
  ];
  const wantedOf = (text: string, line: number): number[] => {
    const { words, shapes } = bagsOf(text);
    const { near, far } = paths[line % 2] ?? { near: [], far: [] };
    return [...meanOf(words), ...meanOf(shapes), ...meanOf([...near]), ...meanOf([...far])];
  };

  it("gives the bags of the text, then those of the path of the same line", () => {
    const nodes = Int32Array.from(Array(TEXTS.length + 3), (_, line) => line % 2);
    const pool = createPagePool(model, pathsOf(nodes, paths));
    expect(pool.bags).toBe(2);
    for (const start of [0, 3]) {
      pool.begin(TEXTS.length, start);
      for (const [row, text] of TEXTS.entries()) pool.take(row, bagsOf(text).fill, text);
      expectClose(
        pool.values(),
        TEXTS.flatMap((text, row) => wantedOf(text, start + row)),
      );
    }
  });

  it("returns the newest window, and leaves the previous one unchanged", () => {
    const path = { near: Uint16Array.of(7), far: Uint16Array.of(8) };
    const pool = createPagePool(model, pathsOf(new Int32Array(3), [path]));
    pool.begin(1, 0);
    pool.take(0, bagsOf("First window").fill, "");
    const first = pool.values();
    const copy = [...first];
    pool.begin(2, 1);
    expect(pool.values()).toHaveLength(2 * 4 * WIDTH);
    pool.take(0, bagsOf("Second window").fill, "");
    expect([...first]).toEqual(copy);
  });
});
