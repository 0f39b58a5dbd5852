import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readGold, type GoldRecord } from "../../../src/acquire/records/gold.js";

const path = join(mkdtempSync(join(tmpdir(), "thresher-gold-")), "gold.jsonl");

async function read(...rows: unknown[]): Promise<GoldRecord[]> {
  writeFileSync(path, rows.map((row) => JSON.stringify(row)).join("\n"));
  const records: GoldRecord[] = [];
  for await (const record of readGold(path)) records.push(record);
  return records;
}

describe("readGold", () => {
  it("keeps the page evidence of each line, and the type of the page", async () => {
    const evidence = { block: "li", path: "body>ul>li", linkChars: 4, breakBefore: "line" } as const;
    expect(
      await read({
        id: "a",
        lang: "en",
        source: "s",
        title: "T",
        pageType: "forum",
        lines: [{ text: "Home", label: "boilerplate", score: 0.1, grade: "j", ...evidence }],
      }),
    ).toEqual([
      {
        id: "a",
        lang: "en",
        source: "s",
        title: "T",
        pageType: "forum",
        lines: [{ text: "Home", label: 0, ...evidence }],
      },
    ]);
  });

  it("uses the title that the page states, because the labeller compares lines with it", async () => {
    const lines = [{ text: "x", label: 1 }];
    const [record] = await read({ title: "Mills", statedTitle: "Mills | The Shire", lines });
    expect(record?.title).toBe("Mills | The Shire");
    await expect(read({ statedTitle: 1, lines })).rejects.toThrow(`"statedTitle" is not a string`);
  });

  it("treats a missing or null field as unknown", async () => {
    const [record] = await read({ title: null, lines: [{ text: "x", label: 1, block: null }] });
    expect(record).toEqual({ id: `${path}:1`, lang: "", source: "", lines: [{ text: "x", label: 1 }] });
  });

  it("accepts the label null for a line of unknown label, and refuses a line without a label", async () => {
    const [record] = await read({ lines: [{ text: "By A. Baker", label: null }] });
    expect(record?.lines).toEqual([{ text: "By A. Baker", label: null }]);
    await expect(read({ lines: [{ text: "By A. Baker" }] })).rejects.toThrow(`${path}:1: line 1: "label" is`);
  });

  it.each([
    [{ block: "marquee" }, '"block"'],
    [{ path: 3 }, '"path"'],
    [{ linkChars: -1 }, '"linkChars"'],
    [{ linkChars: 1.5 }, '"linkChars"'],
    [{ linkChars: "1" }, '"linkChars"'],
    [{ linkChars: 5 }, '"linkChars"'], // more than the text has
    [{ breakBefore: true }, '"breakBefore"'],
  ])("refuses a line with %o, and names its place", async (fields, name) => {
    const rows = [
      { lines: [] },
      {
        lines: [
          { text: "good", label: 1 },
          { text: "bad!", label: 1, ...fields },
        ],
      },
    ];
    await expect(read(...rows)).rejects.toThrow(`${path}:2: line 2: ${name} is not`);
  });

  it.each([
    [{ title: [] }, '"title"'],
    [{ pageType: "blog" }, '"pageType"'],
  ])("refuses a record with %o", async (fields, name) => {
    await expect(read({ lines: [], ...fields })).rejects.toThrow(`${path}:1: ${name} is not`);
  });
});
