import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openParts } from "../../../src/acquire/open-parts.js";
import { inOneChunk } from "../../../src/acquire/streams.js";
import { readWarc } from "../../../src/acquire/warc/warc.js";
import type { Page } from "../../../src/document.js";
import type { Outcome } from "../../../src/outcome.js";
import { toPart, type ShardInput } from "../../../src/shard/plan/manifest.js";
import { planRecords } from "../../../src/shard/plan/plan-records.js";
import { gather } from "../../acquire/gather.js";
import { writeParquet } from "../../acquire/parquet/parquet-file.js";
import { makeCrawl } from "../../cli/crawl/crawl-warc.js";
import { collectAll } from "../../collect-all.js";

const work = mkdtempSync(join(tmpdir(), "thresher-plan-records-"));
afterAll(() => {
  rmSync(work, { recursive: true, force: true });
});

type Row = readonly [file: string | undefined, offset: number, length: number];

function index(name: string, rows: readonly Row[]): string {
  const path = join(work, name);
  const columns = [
    { name: "warc_filename", data: rows.map(([file]) => file), nullable: true },
    { name: "warc_record_offset", data: rows.map(([, at]) => BigInt(at)), type: "INT64" as const },
    { name: "url", data: rows.map(() => "https://example.org/") },
    { name: "warc_record_length", data: rows.map(([, , length]) => length), type: "INT32" as const },
  ];
  writeFileSync(path, writeParquet(columns));
  return path;
}

const { signal } = new AbortController();
const plan = async (...indexes: string[]): Promise<ShardInput[]> =>
  (await collectAll(planRecords(indexes, { base: work, say: () => undefined, signal }))).flat();

describe("the records of an index", () => {
  it("are sorted by file and offset, and joined if they are close together", async () => {
    for (const name of ["a.warc.gz", "b.warc.gz"]) {
      writeFileSync(join(work, name), "");
      truncateSync(join(work, name), 10_000_000);
    }
    const one = index("one.parquet", [
      ["b.warc.gz", 5_000_000, 100],
      ["a.warc.gz", 3_000, 500],
      ["a.warc.gz", 0, 1_000],
      ["a.warc.gz", 9_000_000, 1_000_000],
    ]);
    const two = index("two.parquet", [
      ["b.warc.gz", 5_000_100, 50],
      ["b.warc.gz", 5_000_000, 100],
      ["b.warc.gz", 7_000_000, 10],
    ]);
    const planned = await plan(one, two);
    expect(
      planned.map(({ uri, offset, length, only }) => [uri.split("/").at(-1), offset, length, only]),
    ).toEqual([
      // The records are more than a twentieth of the file, so it is read completely.
      ["a.warc.gz", 0, null, [0, 3_000, 9_000_000]],
      ["b.warc.gz", 5_000_000, 150, [5_000_000, 5_000_100]],
      ["b.warc.gz", 7_000_000, 10, [7_000_000]],
    ]);
  });

  it("are no longer searched for after Ctrl-C, even if a server does not answer", async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => void silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    const interrupt = new AbortController();
    silent.once("connection", () => {
      interrupt.abort(new Error("stopped"));
    });
    const options = { base: `http://127.0.0.1:${port}/`, say: () => undefined, signal: interrupt.signal };
    const wanted = index("silent.parquet", [["a.warc.gz", 0, 10]]);
    await expect(collectAll(planRecords([wanted], options))).rejects.toThrow("stopped");
    silent.close();
  });

  it.each([
    ["a missing file", [["none.warc.gz", 0, 10]], /none\.warc\.gz cannot be planned/],
    ["a record behind the end", [["a.warc.gz", 9_999_999, 10]], /ends at 10000009/],
    ["no name", [[undefined, 0, 10]], /row 1 does not say/],
    ["no length", [["a.warc.gz", 0, 0]], /row 1 does not say/],
    [
      "a negative offset",
      [
        ["a.warc.gz", 0, 5],
        ["a.warc.gz", -1, 10],
      ],
      /row 2 does not say/,
    ],
  ] as const)("are rejected with %s", async (_, rows, message) => {
    await expect(plan(index("bad.parquet", rows))).rejects.toThrow(message);
  });

  it("are rejected if the index is truncated, is not an index, or lacks a column", async () => {
    const whole = index("whole.parquet", [["a.warc.gz", 0, 10]]);
    truncateSync(whole, 100);
    await expect(plan(whole)).rejects.toThrow(/whole\.parquet cannot be used/);
    writeFileSync(join(work, "other.parquet"), writeParquet([{ name: "url", data: ["x"] }]));
    await expect(plan(join(work, "other.parquet"))).rejects.toThrow(/no column warc_filename/);
    await expect(plan(join(work, "missing.parquet"))).rejects.toThrow(/missing\.parquet cannot be used/);
  });
});

describe("what is read of an index", () => {
  const bytes = makeCrawl(30);
  const starts: number[] = [];
  let all: Outcome<Page>[] = [];

  beforeAll(async () => {
    writeFileSync(join(work, "crawl.warc.gz"), bytes);
    const options = { input: "crawl", maxBytes: 1e7, packing: "gzip" as const, judges: "later" as const };
    all = await collectAll(
      readWarc(inOneChunk(bytes), { ...options, onStart: ({ offset }) => starts.push(offset) }),
    );
    expect(starts.length).toBe(all.length);
  });

  const read = async (
    rows: readonly Row[],
  ): Promise<{ planned: ShardInput[]; outcomes: Outcome<Page>[] }> => {
    const planned = await plan(index("read.parquet", rows));
    const parts = planned.map((input) => toPart(input, work));
    return {
      planned,
      outcomes: await gather(openParts(parts, { maxBytes: 1e7, judges: "later" })),
    };
  };
  const row = (at: number): Row => {
    const from = starts[at] ?? 0;
    return ["crawl.warc.gz", from, (starts[at + 1] ?? bytes.length) - from];
  };
  const idOf = (outcome: Outcome<Page> | undefined): string | undefined =>
    outcome?.ok === true ? outcome.value.id : outcome?.id;

  it("consists of those records and no others, of a file that is read completely", async () => {
    const wanted = starts.map((_, at) => at).filter((at) => at % 2 === 1);
    const { planned, outcomes } = await read(wanted.map(row));
    expect(planned).toMatchObject([{ offset: 0, length: null }]);
    expect(outcomes.map(idOf)).toEqual(wanted.map((at) => idOf(all[at])));
  });

  it("consists of those records and no others, of ranges", async () => {
    // The smallest record is less than a twentieth of the file.
    const [small = 0] = starts.map((_, at) => at).sort((a, b) => row(a)[2] - row(b)[2]);
    const { planned, outcomes } = await read([row(small)]);
    expect(planned).toMatchObject([{ offset: starts[small] }]);
    expect(planned[0]?.length).not.toBeNull();
    expect(outcomes.map(idOf)).toEqual([idOf(all[small])]);
  });

  it("is a reject if no record begins there, next to the good ones", async () => {
    const [file, from, length] = row(3);
    const { outcomes } = await read([
      [file, from + 7, 20],
      ...starts.slice(10, 28).map((_, at) => row(at + 10)),
      [file, from, length],
    ]);
    const rejects = outcomes.filter(
      (outcome) => !outcome.ok && outcome.detail?.includes("begins there") === true,
    );
    expect(rejects).toMatchObject([{ id: `${work}/${file ?? ""}@${from + 7}`, reason: "bad-record" }]);
    expect(outcomes.map(idOf)).toContain(idOf(all[3]));
  });
});
