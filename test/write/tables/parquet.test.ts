import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { describe, expect, it } from "vitest";
import type { Document, LabelledLine } from "../../../src/document.js";
import { PARQUET } from "../../../src/write/tables/parquet.js";
import { toRecord } from "../../../src/write/document-record.js";
import type { Sink, WriterOptions } from "../../../src/write/writer.js";
import { anyDocument } from "../arbitrary.js";
import { document, line } from "../documents.js";
import { findPython, runPython } from "../python.js";
import { createMemorySink, OPTIONS } from "../files/sinks.js";

async function write(
  docs: Iterable<Document<LabelledLine>>,
  options: Partial<WriterOptions> = {},
): Promise<ArrayBuffer> {
  const sink = createMemorySink();
  const writer = PARQUET.create(sink, { ...OPTIONS, ...options });
  for (const doc of docs) await writer.write(doc);
  await writer.close();
  return new Uint8Array(sink.bytes()).buffer;
}

const VERDICT = {
  ...({ type: "article", typeScore: 0.9, score: 0.8, hasContent: true, cut: 0.4 } as const),
  cuts: { precision: 0.5, balanced: 0.4, recall: 0.2 },
};
const RICH = document(
  [
    line("Text, 線 😀", {
      ...({ span: [3, 9], why: "some-rule", kind: "comment" } as const),
      ...{ links: [{ start: 0, end: 4, href: "/a" }], spans: [{ kind: "em", start: 0, end: 2 }] },
    }),
    line("Cell", {
      holder: 2,
      spans: [{ kind: "image", start: 0, end: 0, src: "/i", isAlone: true, holder: 1, follows: true }],
    }),
    line("Menu", { label: "boilerplate", score: 0.25, block: "li", path: "body>nav>ul>li", number: 2 }),
    line("Rest", { score: 0.783, ownScore: 0.3, leftOutBy: "readability", continuesItem: true }),
  ],
  {
    id: "a",
    url: "https://example.org/",
    meta: {
      ...{ title: "T", lang: "sv", author: "A", modified: "2024-05-06", tags: ["a", "b"] },
      from: { title: "og:title", tags: "meta" },
    },
    holders: [
      { tag: "table", isLayout: true },
      { tag: "tr", parent: 0, isHeader: true },
      { tag: "td", parent: 1, colSpan: 2, align: "right" },
      { tag: "aside", alert: "tip" },
    ],
    base: "https://example.org/v2/",
    statedTitle: "T | Site",
    clues: ["og:type=article"],
    notes: ["depth-capped", "other"],
    verdict: VERDICT,
    carried: `{"deep":[1,{"two":null}]}`,
  },
);

/** Returns a text as it is after encoding in UTF-8. */
const spoken = (text: string): string => Buffer.from(text).toString();

const nothingOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));
const NO_SPAN = nothingOf([
  ...["href", "src", "alt", "tex", "isDisplay", "note", "spaces", "isAlone", "holder", "follows"],
]);
const NO_HOLDER = nothingOf([
  ...["parent", "number", "isHeader", "isNumber", "isLayout", "colSpan", "rowSpan"],
  ...["align", "lang", "note", "task", "title", "alert"],
]);
const NO_ORIGINS = nothingOf([
  ...["author", "date", "site", "modified", "description", "image", "license"],
  ...["tags", "categories", "canonical", "feed", "type", "reservations"],
]);
const NO_META = { ...NO_ORIGINS, from: null };

/** Converts a record to a row: all columns are present, missing values are null, and carried fields are JSON. */
function toRow(doc: Document<LabelledLine>, lines: WriterOptions["lines"]): unknown {
  const record = toRecord(doc, { ...OPTIONS, lines });
  const {
    title = null,
    lang = null,
    page = null,
    condition = null,
    registers = null,
    carried,
    meta,
    holders,
    ...others
  } = record;
  const nothing = nothingOf(["ownScore", "leftOutBy", "continuesItem", "number", "spans", "holder"]);
  const rows = record.lines?.map(({ span = null, kind = null, why = null, spans, ...rest }) => ({
    ...nothing,
    ...rest,
    ...(spans && { spans: spans.map((one) => ({ ...NO_SPAN, ...one })) }),
    span,
    kind,
    why,
  }));
  return mapStrings({
    ...nothingOf(["base", "statedTitle", "clues"]),
    ...others,
    holders: holders?.map((one) => ({ ...NO_HOLDER, ...one })) ?? null,
    title,
    lang,
    page: page && { cuts: null, hasContent: null, ...page },
    condition: condition && { cuts: null, ...condition },
    registers,
    meta: {
      ...NO_META,
      ...meta,
      from: meta.from ? { title: null, lang: null, ...NO_ORIGINS, ...meta.from } : null,
    },
    formatted: record.formatted ?? null,
    lines: rows ?? null,
    carried: carried ?? null,
  });
}

function mapStrings(value: unknown): unknown {
  if (typeof value === "string") return spoken(value);
  if (Array.isArray(value)) return value.map(mapStrings);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapStrings(item)]));
}

/** Undefined and null are the same in a table. */
const nullify = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, item: unknown) => (item === undefined ? null : item)));

describe("a Parquet file", () => {
  it("holds the record of each document, in typed columns", async () => {
    const file = await write([RICH, document([line("b")])], { lines: "all" });
    const rows = await parquetReadObjects({ file });
    expect(nullify(rows)).toEqual([toRow(RICH, "all"), toRow(document([line("b")]), "all")]);
    const metadata = parquetMetadata(file);
    expect(metadata.key_value_metadata).toEqual([{ key: "thresher.fingerprint", value: "0123456789abcdef" }]);
    expect(metadata.created_by).toBe("Thresher version 1.2.3");
  });

  it("is valid even without a document", async () => {
    expect(await parquetReadObjects({ file: await write([]) })).toEqual([]);
  });

  it("returns any document unchanged", async () => {
    // By default, the reader would drop a byte order mark at the start of a text.
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const parsers = { stringFromBytes: (bytes: Uint8Array) => decoder.decode(bytes) };
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyDocument, { minLength: 1, maxLength: 6 }),
        fc.constantFrom("none" as const, "content" as const, "all" as const),
        async (docs, lines) => {
          const rows = await parquetReadObjects({ file: await write(docs, { lines }), parsers });
          expect(nullify(rows)).toEqual(docs.map((doc) => toRow(doc, lines)));
        },
      ),
      { numRuns: 100 },
    );
  });

  it("ends a row group by size or number of rows, and writes it at once", async () => {
    const sizes: number[] = [];
    const sink: Sink = {
      write: (chunk) => Promise.resolve(void sizes.push(chunk.length)),
      close: () => Promise.resolve(),
      discard: () => Promise.resolve(),
    };
    const writer = PARQUET.create(sink, OPTIONS);
    const big = document([line("word ".repeat(1_000_000))]);
    for (let i = 0; i < 8; i += 1) await writer.write(big);
    expect(sizes).toHaveLength(2);
    await writer.close();
    const many = await write(Array.from({ length: 25_000 }, (_, i) => document([line(`line ${i}`)])));
    const groups = parquetMetadata(many).row_groups.map((group) => Number(group.num_rows));
    expect(groups).toEqual([10_000, 10_000, 5000]);
  });

  it("holds a line of 10 MB", async () => {
    const text = "å".repeat(5_000_000);
    const [row] = await parquetReadObjects({ file: await write([document([line(text)])]) });
    expect(row?.["text"] === text).toBe(true);
  });
});

const DOCS = [RICH, document([]), ...fc.sample(anyDocument, { numRuns: 200, seed: 3 })];
function save(file: ArrayBuffer): string {
  const path = join(mkdtempSync(join(tmpdir(), "thresher-parquet-")), "a.parquet");
  writeFileSync(path, new Uint8Array(file));
  return path;
}

const pyarrow = findPython("pyarrow.parquet");
const duckdb = findPython("duckdb");
describe("a Parquet file in other programs", () => {
  it.skipIf(pyarrow === undefined)("gives pyarrow every field (needs a Python with pyarrow)", async () => {
    const script = `
import json, sys
import pyarrow.parquet as pq
file = pq.ParquetFile(sys.argv[1])
meta = {k.decode(): v.decode() for k, v in (file.metadata.metadata or {}).items()}
print(json.dumps({"rows": file.read().to_pylist(), "fingerprint": meta["thresher.fingerprint"]}))`;
    for (const lines of ["none", "all"] as const)
      expect(runPython(pyarrow ?? "", script, [save(await write(DOCS, { lines }))])).toEqual({
        rows: DOCS.map((doc) => toRow(doc, lines)),
        fingerprint: "0123456789abcdef",
      });
    expect(runPython(pyarrow ?? "", script, [save(await write([]))])).toMatchObject({ rows: [] });
  });

  it.skipIf(duckdb === undefined)("can be queried by DuckDB (needs a Python with duckdb)", async () => {
    const script = `
import duckdb, json, sys
table = f"read_parquet('{sys.argv[1]}')"
count, words = duckdb.sql(f"select count(*), sum(words) from {table}").fetchall()[0]
lines = duckdb.sql(f"select count(*) from (select unnest(lines) as line from {table}) where line.label = 'content'").fetchall()[0][0]
first = duckdb.sql(f"select id, meta.author, lines[1].span, page.type from {table} limit 1").fetchall()[0]
print(json.dumps([count, int(words), lines, first]))`;
    const path = save(await write(DOCS, { lines: "all" }));
    const records = DOCS.map((doc) => toRecord(doc, { ...OPTIONS, lines: "all" }));
    expect(runPython(duckdb ?? "", script, [path])).toEqual([
      DOCS.length,
      records.reduce((sum, { words }) => sum + words, 0),
      records.flatMap(({ lines = [] }) => lines.filter(({ label }) => label === "content")).length,
      ["a", "A", [3, 9], "article"],
    ]);
  });
});
