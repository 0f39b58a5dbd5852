import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { cutDocuments, printCosts, readDocuments, timeText } from "../../../../bench/lab/speed/text-speed.js";
import { makeFolder } from "../../documents.js";

const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `Line ${at} of the dump`);

describe("documents of 40 lines", () => {
  it("are cut from lines in order, without blank lines and the remainder", () => {
    const cut = cutDocuments(["", ...numbered(50), " \t", ...numbered(50)]);
    expect(cut.map(({ length }) => length)).toEqual([40, 40]);
    expect(cut.flat()).toEqual([...numbered(50), ...numbered(30)]);
  });

  it("are cut from each document of a file separately, compressed or not", async () => {
    const folder = makeFolder();
    const rows = [39, 41, 85].map((count) =>
      JSON.stringify({ lines: numbered(count).map((text) => ({ text })) }),
    );
    const bytes = Buffer.from(`${rows.join("\n")}\n`);
    writeFileSync(join(folder, "a.jsonl"), bytes);
    writeFileSync(join(folder, "a.jsonl.gz"), gzipSync(bytes));
    for (const name of ["a.jsonl", "a.jsonl.gz"]) {
      const documents = await readDocuments(join(folder, name));
      expect(documents.map(({ length }) => length)).toEqual([40, 40, 40]);
      expect(documents[2]?.[0]).toBe("Line 40 of the dump");
    }
  });

  it("come from the fixtures if no file is named", async () => {
    const documents = await readDocuments();
    expect(documents.length).toBeGreaterThan(5);
    expect(new Set(documents.map(({ length }) => length))).toEqual(new Set([40]));
  });
});

describe("the costs of the text labeller", () => {
  it("are split into parts that add up to the total", async () => {
    const { all, parts } = await timeText(cutDocuments(numbered(40)), { rounds: 1 });
    expect(all).toBeGreaterThan(0);
    const sum = Object.values(parts).reduce((total, part) => total + part, 0);
    expect(sum).toBeCloseTo(all, 6);
  });

  it("are printed with lines per second and shares", () => {
    const printed = printCosts({ all: 10, parts: { network: 4, "labels and the rest": 6 } });
    expect(printed).toContain("100,000 lines a second");
    expect(printed).toMatch(/\| network +\| +4\.00 \| +40\.0 % \|/);
  });
});
