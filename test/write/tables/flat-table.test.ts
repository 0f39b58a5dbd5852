import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parquetReadObjects } from "hyparquet";
import { afterAll, describe, expect, it } from "vitest";
import { writeTable } from "../../../src/write/tables/flat-table.js";
import type { TableRow } from "../../../src/write/tables/parquet-schema.js";

const work = mkdtempSync(join(tmpdir(), "thresher-table-"));
afterAll(() => {
  rmSync(work, { recursive: true });
});

const OPTIONS = {
  name: "outcome",
  version: "1",
  columns: [
    { name: "url", type: "string" },
    { name: "bytes", type: "int" },
    { name: "isDone", type: "boolean" },
  ],
} as const;

const ROWS: readonly TableRow[] = [
  { url: 'http://a/?q="x",\ny', bytes: 5_000_000_000, isDone: true },
  { url: "http://b/ö" },
  { url: "", bytes: 0, isDone: false, more: "not a column" },
];

async function* stream(rows: readonly TableRow[]): AsyncGenerator<TableRow> {
  for (const row of rows) yield await Promise.resolve(row);
}

async function write(name: string, rows = ROWS): Promise<Buffer> {
  const path = join(work, name);
  await writeTable(path, stream(rows), OPTIONS);
  return readFileSync(path);
}

describe("a table", () => {
  it("can be written as JSON Lines", async () => {
    const lines = (await write("t.jsonl")).toString().trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { url: 'http://a/?q="x",\ny', bytes: 5_000_000_000, isDone: true },
      { url: "http://b/ö" },
      { url: "", bytes: 0, isDone: false },
    ]);
  });

  it("can be written as CSV with a header, quoted if necessary", async () => {
    expect((await write("t.CSV")).toString()).toBe(
      'url,bytes,isDone\r\n"http://a/?q=""x"",\ny",5000000000,true\r\nhttp://b/ö,,\r\n,0,false\r\n',
    );
    expect((await write("empty.csv", [])).toString()).toBe("url,bytes,isDone\r\n");
  });

  it("can be written as Parquet that another reader reads, with numbers of more than 32 bits", async () => {
    const bytes = await write("t.parquet");
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    expect(await parquetReadObjects({ file })).toEqual([
      { url: 'http://a/?q="x",\ny', bytes: 5_000_000_000n, isDone: true },
      { url: "http://b/ö", bytes: null, isDone: null },
      { url: "", bytes: 0n, isDone: false },
    ]);
  });

  it("leaves no file behind if a row fails", async () => {
    const failing = async function* (): AsyncGenerator<TableRow> {
      yield await Promise.resolve({ url: "http://a/" });
      throw new Error("no more");
    };
    const path = join(work, "broken.jsonl");
    await expect(writeTable(path, failing(), OPTIONS)).rejects.toThrow("no more");
    expect(existsSync(path)).toBe(false);
  });
});
