import { mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bagAt } from "../../../src/label/features/bags.js";
import { exportFeatures, columnDigest, type GoldDocument } from "../../../src/label/features/export.js";
import { createLineGroups, GROUP_LEVELS } from "../../../src/label/features/page/line-groups.js";
import { PAGE_COLUMNS } from "../../../src/label/features/page/place-columns.js";
import { createPathBuckets, PAGE_BAGS } from "../../../src/label/features/page/path-bags.js";
import { createPlaces } from "../../../src/label/features/page/place.js";
import { createWorkspace, featureWindows } from "../../../src/label/features/windows.js";

let directory = "";
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "export-")));
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

const read = (name: string): Buffer => readFileSync(join(directory, name));
const numbersOf = (name: string): number[] => {
  const bytes = read(name);
  if (name.endsWith(".u16"))
    return Array.from({ length: bytes.length / 2 }, (_, at) => bytes.readUInt16LE(2 * at));
  if (name.endsWith(".f32"))
    return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(4 * at));
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readUInt32LE(4 * at));
};

const PAGE: GoldDocument = {
  id: "page",
  lang: "en",
  source: "s",
  title: "The old ferry",
  pageType: "article",
  lines: [
    { text: "Home", label: 0, path: "body>nav>a", linkChars: 4, block: "nav", breakBefore: "block" },
    { text: "The old ferry crossed the bay twice a day.", label: 1, path: "body>main#m>p", span: [40, 90] },
    { text: "\u200b ", label: 0, path: "body>nav>a" },
    { text: "It sank.", label: 1, path: "body>main#m>div>div>p", block: "p", breakBefore: "block" },
  ],
};
const TEXT: GoldDocument = { id: "text", lang: "", source: "", lines: [{ text: "Plain.", label: 1 }] };

describe("exportFeatures of pages", () => {
  it("writes exactly what the labeller computes", async () => {
    await exportFeatures([TEXT, PAGE], directory, "page");
    const rows: number[] = [];
    const groups: number[] = [];
    const bags = PAGE_BAGS.map((): number[][] => []);
    for (const { lines, title = "" } of [TEXT, PAGE]) {
      // These are the fields that the extractor would have given, without blank lines, which the labeller leaves out.
      const placed = lines
        .filter(({ text }) => text !== "\u200b ")
        .map((line) => ({ block: "text", path: "", linkChars: 0, breakBefore: "line" as const, ...line }));
      const places = createPlaces(placed, title);
      const bucketsOf = createPathBuckets(places);
      groups.push(...createLineGroups(places)(0, placed.length).of);
      const texts = placed.map(({ text }) => text);
      const sink = {
        begin: () => undefined,
        take: (line: number, words: Parameters<typeof bagAt>[0]) => {
          const { near, far } = bucketsOf(line);
          for (const [bag, numbers] of [bagAt(words, 0), bagAt(words, 1), near, far].entries())
            bags[bag]?.push([...numbers]);
        },
      };
      const size = { lines: 4096, context: 64 };
      for (const { hand } of featureWindows(texts, createWorkspace(), sink, size, places)) rows.push(...hand);
    }
    expect(numbersOf("features.f32")).toEqual(rows);
    expect(rows).toHaveLength(4 * PAGE_COLUMNS.length);
    expect(numbersOf("groups.i32")).toEqual(groups);
    for (const [bag, name] of PAGE_BAGS.entries()) {
      const wanted = bags[bag] ?? [];
      expect(numbersOf(`${name}.u16`)).toEqual(wanted.flat());
      const ends = wanted.map((_, line) => wanted.slice(0, line + 1).flat().length);
      expect(numbersOf(`${name}.ends.u32`)).toEqual(ends);
    }
    expect(bags.map((lines) => lines.flat().length > 0)).toEqual([true, true, true, true]);
  });

  it("describes the files", async () => {
    expect(await exportFeatures([TEXT, PAGE], directory, "page")).toEqual({ documents: 2, lines: 4 });
    expect([...read("labels.u8")]).toEqual([1, 0, 1, 1]);
    expect(JSON.parse(read("columns.json").toString())).toEqual({
      kind: "page",
      columns: PAGE_COLUMNS,
      columnCount: PAGE_COLUMNS.length,
      bags: PAGE_BAGS,
      groups: GROUP_LEVELS,
      tableRows: 32_768,
      digest: columnDigest(PAGE_COLUMNS),
    });
    const documents = read("documents.jsonl").toString().trim().split("\n");
    expect(documents.map((line): unknown => JSON.parse(line))).toEqual([
      { id: "text", lang: "", source: "", start: 0, lines: 1, walls: 0 },
      { id: "page", lang: "en", source: "s", pageType: "article", start: 1, lines: 3, walls: 0 },
    ]);
  });

  it("overwrites existing files with the same bytes", async () => {
    await exportFeatures([PAGE, TEXT], directory, "page");
    const before = readdirSync(directory).map((name) => [name, read(name)]);
    await exportFeatures([PAGE, TEXT], directory, "page");
    expect(readdirSync(directory).map((name) => [name, read(name)])).toEqual(before);
  });

  it("writes no columns.json, and leaves no file open, if reading the gold fails", async () => {
    function* broken(): Generator<GoldDocument> {
      yield PAGE;
      throw new Error("line 2: not JSON");
    }
    await expect(exportFeatures(broken(), directory, "page")).rejects.toThrow("line 2: not JSON");
    expect(readdirSync(directory)).not.toContain("columns.json");
    if (process.platform !== "linux") return;
    const open = readdirSync("/proc/self/fd").flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/self/fd/${fd}`)];
      } catch {
        return []; // closed since the listing, as the listing itself is
      }
    });
    expect(open.filter((path) => path.startsWith(directory))).toEqual([]);
  });

  it("accepts a page of 100,000 lines", async () => {
    const lines = Array.from({ length: 100_000 }, (_, at) => ({
      text: `Row ${at}`,
      label: 0 as const,
      path: `body>table>tr#r${at}`,
    }));
    expect(await exportFeatures([{ ...PAGE, lines }], directory, "page")).toMatchObject({ lines: 100_000 });
  });
});
