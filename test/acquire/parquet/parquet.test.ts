import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import type { ColumnSource, SchemaElement } from "hyparquet-writer";
import { afterAll, describe, expect, it } from "vitest";
import { openInputs, type InputOptions } from "../../../src/acquire/inputs.js";
import type { Page } from "../../../src/document.js";
import type { Outcome } from "../../../src/outcome.js";
import { leftBehind } from "../../left-behind.js";
import { findPython, runPython } from "../../write/python.js";
import { gather, inChunks, summarise } from "../gather.js";
import { CODECS, writeParquet } from "./parquet-file.js";

const OPTIONS: InputOptions = { maxBytes: 1_000_000, timeoutMs: 1000 };
const dir = mkdtempSync(join(tmpdir(), "thresher-parquet-"));
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

let files = 0;
function save(bytes: Uint8Array, name = "in.parquet"): string {
  files += 1;
  const path = join(dir, `${files}-${name}`);
  writeFileSync(path, bytes);
  return path;
}

const read = (bytes: Uint8Array, options: Partial<InputOptions> = {}): Promise<Outcome<Page>[]> =>
  gather(openInputs([save(bytes)], { ...OPTIONS, ...options }));

const ROWS = 500;
const textOf = (i: number): string => `Text number ${i}, grün, 線. `.repeat((i % 9) + 1);
const numbers = Array.from({ length: ROWS }, (_, i) => i);
/** Makes many small pages in several row groups. */
const SMALL = { pageSize: 500, rowGroupSize: 200 };
const columns = (codec: NonNullable<ColumnSource["codec"]> = "SNAPPY"): ColumnSource[] =>
  [
    { name: "id", data: numbers.map((i) => `doc-${i}`), type: "STRING" as const },
    { name: "url", data: numbers.map((i) => `https://example.org/${i}`), type: "STRING" as const },
    { name: "text", data: numbers.map(textOf), type: "STRING" as const, nullable: true },
    { name: "lang", data: numbers.map((i) => (i % 2 === 0 ? "sv" : "de")), type: "STRING" as const },
    {
      name: "tokens",
      data: numbers.map((i) => (i % 3 === 0 ? null : BigInt(i))),
      type: "INT64" as const,
      nullable: true,
    },
    { name: "flag", data: numbers.map((i) => i % 5 === 0), type: "BOOLEAN" as const },
  ].map((column) => ({ ...column, codec }));

const expected = (i: number): Outcome<Page> => ({
  ok: true,
  value: {
    id: `doc-${i}`,
    url: `https://example.org/${i}`,
    content: { kind: "text", text: textOf(i) },
    lang: i % 2 === 0 ? "sv" : "de",
    carried: JSON.stringify({
      lang: i % 2 === 0 ? "sv" : "de",
      ...(i % 3 === 0 ? {} : { tokens: i }),
      flag: i % 5 === 0,
    }),
  },
});

/** Writes a row with one text and one value, which is stored unchanged in a column of the given type. */
const writeValue = (element: SchemaElement, value: bigint): Uint8Array =>
  writeParquet(
    [
      { name: "text", data: ["Some text."] },
      { name: element.name, data: [value] },
    ],
    {
      schema: [
        { name: "root", num_children: 2 },
        { name: "text", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "REQUIRED" },
        { ...element, repetition_type: "REQUIRED" },
      ],
    },
  );

const INT64 = { name: "value", type: "INT64" } as const;
const NANOS = { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "NANOS" } as const;
const MICROS = { ...INT64, converted_type: "TIMESTAMP_MICROS" } as const;
const decimal = (scale: number, type_length?: number): SchemaElement => ({
  ...INT64,
  ...(type_length === undefined ? {} : { type: "FIXED_LEN_BYTE_ARRAY" as const, type_length }),
  converted_type: "DECIMAL",
  precision: 38,
  scale,
});

it("counts the bytes of a file in step with its rows", async () => {
  const bytes = writeParquet(columns(), SMALL);
  const source = openInputs([save(bytes)], OPTIONS);
  const counts: number[] = [];
  for await (const outcome of source.pages()) if (outcome.ok) counts.push(source.bytesRead());
  expect(counts).toHaveLength(ROWS);
  expect(counts[0]).toBeLessThan(bytes.length / 2);
  expect(counts.at(-1)).toBe(bytes.length);
});

describe("a Parquet file", () => {
  it.each<[element: SchemaElement, value: bigint, shown: string]>([
    [INT64, 1234567890123456789n, "1234567890123456789"],
    [INT64, -5n, "-5"],
    [MICROS, 1714644000123456n, '"2024-05-02T10:00:00.123456Z"'],
    [MICROS, -1n, '"1969-12-31T23:59:59.999999Z"'],
    [MICROS, 1714644000123000n, '"2024-05-02T10:00:00.123Z"'],
    [MICROS, 1n << 62n, "null"],
    [{ ...INT64, logical_type: NANOS }, 1714644000123456789n, '"2024-05-02T10:00:00.123456789Z"'],
    [decimal(2), 150n, "1.50"],
    [decimal(2), -5n, "-0.05"],
    [decimal(0), 12n, "12"],
    [decimal(3, 16), 12345678901234567890123456789n, "12345678901234567890123456.789"],
    [decimal(3, 16), -1n, "-0.001"],
  ])("keeps every digit of a value of %o: %s as %s", async (element, value, shown) => {
    const [outcome] = await read(writeValue(element, value));
    expect(outcome).toMatchObject(
      shown === "null" ? { ok: true } : { ok: true, value: { carried: `{"value":${shown}}` } },
    );
  });

  it("uses an integer that JavaScript cannot represent as an id", async () => {
    const bytes = writeValue({ ...INT64, name: "id" }, 1234567890123456789n);
    expect(await read(bytes)).toMatchObject([{ ok: true, value: { id: "1234567890123456789" } }]);
  });

  it.each(CODECS)("gives a page for each row, with all columns, compressed as %s", async (codec) => {
    expect(await read(writeParquet(columns(codec), SMALL))).toEqual(numbers.map(expected));
  });

  it.each(["DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY", "RLE_DICTIONARY", "PLAIN"] as const)(
    "reads texts that are encoded as %s",
    async (encoding) => {
      const data = columns().map((column) => (column.type === "STRING" ? { ...column, encoding } : column));
      expect(await read(writeParquet(data, SMALL))).toEqual(numbers.map(expected));
    },
  );

  it("prefers html to text, and reads the column that the option names", async () => {
    const text: ColumnSource = { name: "text", data: ["b", "c", null], type: "STRING", nullable: true };
    const html: ColumnSource = {
      name: "html",
      data: ["<p>a</p>", null, null],
      type: "STRING",
      nullable: true,
    };
    const outcomes = await read(writeParquet([text, html]));
    expect(outcomes.map((outcome) => outcome.ok && outcome.value.content)).toEqual([
      { kind: "html", html: "<p>a</p>" },
      { kind: "text", text: "c" },
      false,
    ]);
    expect(outcomes[2]).toMatchObject({ reason: "bad-record", detail: "row 3: html is null, text is null" });
    const other: ColumnSource = { name: "page", data: ["<!doctype html><p>a", "plain"], type: "STRING" };
    expect(
      (await read(writeParquet([other]), { column: "page" })).map(
        (outcome) => outcome.ok && outcome.value.content,
      ),
    ).toEqual([
      { kind: "html", html: "<!doctype html><p>a" },
      { kind: "text", text: "plain" },
    ]);
    expect(await read(writeParquet([other]))).toMatchObject([
      {
        reason: "bad-record",
        detail: expect.stringMatching(/^no column html, .* there are page; 2 rows$/) as string,
      },
    ]);
  });

  it("reads lists and groups that span pages", async () => {
    const lines = numbers.map((i) => Array.from({ length: i % 40 }, (_, n) => `line ${n} of ${i}`));
    const outcomes = await read(
      writeParquet(
        [
          { name: "lines", data: lines },
          { name: "meta", data: numbers.map((i) => ({ a: `x${i}`, b: { c: i } })) },
        ],
        {
          ...SMALL,
          schema: [
            { name: "root", num_children: 2 },
            { name: "lines", repetition_type: "OPTIONAL", converted_type: "LIST", num_children: 1 },
            { name: "list", repetition_type: "REPEATED", num_children: 1 },
            { name: "element", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" },
            { name: "meta", repetition_type: "OPTIONAL", num_children: 2 },
            { name: "a", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" },
            { name: "b", repetition_type: "REQUIRED", num_children: 1 },
            { name: "c", type: "INT32", repetition_type: "REQUIRED" },
          ],
        },
      ),
    );
    expect(outcomes).toHaveLength(ROWS);
    for (const [i, outcome] of outcomes.entries()) {
      if (i % 40 === 0) expect(outcome).toMatchObject({ ok: false, reason: "empty" });
      else
        expect(outcome).toMatchObject({
          value: {
            content: { kind: "lines", lines: lines[i] },
            carried: JSON.stringify({ meta: { a: `x${i}`, b: { c: i } } }),
          },
        });
    }
  });

  it("keeps bytes for the page to state their charset, and text that is not UTF-8 as bytes", async () => {
    const bytes = new Uint8Array(Buffer.from('<meta charset="iso-8859-1"><p>gr\u00fcn', "latin1"));
    for (const type of ["BYTE_ARRAY", "STRING"] as const) {
      const [outcome] = await read(writeParquet([{ name: "html", data: [bytes], type }]));
      expect(outcome).toMatchObject({
        ok: true,
        value: { content: { kind: "bytes", format: "html", bytes } },
      });
    }
  });

  it("rejects rows that are too large or blank, each with its number", async () => {
    const data = ["x".repeat(2000), " ", "good"];
    const outcomes = await read(writeParquet([{ name: "text", data, type: "STRING" }]), { maxBytes: 1000 });
    expect(summarise(outcomes)).toEqual(["too-large", "empty", "page"]);
    expect(outcomes[0]).toMatchObject({ id: expect.stringMatching(/in\.parquet:1$/) as string });
  });

  it("is recognised by its content, read from stdin and gzip, and leaves no temporary copy behind", async () => {
    const bytes = writeParquet(columns(), SMALL);
    const packed = new Uint8Array(gzipSync(bytes));
    const copies: string[][] = [];
    const left = await leftBehind(async (now) => {
      for (const stdin of [bytes, packed]) {
        const source = openInputs(["-"], { ...OPTIONS, stdin: inChunks(stdin, 10_000) });
        const pages: unknown[] = [];
        for await (const page of source.pages(new AbortController().signal)) {
          if (pages.push(page) === 1) copies.push(now());
        }
        expect(pages).toEqual(numbers.map(expected));
      }
      for (const path of [save(bytes, "no-name"), save(packed, "in.parquet.gz")]) {
        const source = openInputs([path], OPTIONS);
        expect(await gather(source)).toEqual(numbers.map(expected));
        expect(source.isSingle()).toBe(false);
      }
    });
    expect(copies.map(({ length }) => length)).toEqual([1, 1]);
    expect(left).toEqual([]);
  });

  it("ends early when its reader aborts", async () => {
    const path = save(writeParquet(columns(), SMALL));
    const stop = new AbortController();
    let seen = 0;
    for await (const outcome of openInputs([path], OPTIONS).pages(stop.signal)) {
      expect(outcome.ok).toBe(true);
      seen += 1;
      if (seen === 7) stop.abort();
    }
    expect(seen).toBe(7);
  });

  it("reports that it has no rows", async () => {
    expect(await read(writeParquet([{ name: "text", data: [], type: "STRING" }]))).toMatchObject([
      { reason: "empty", detail: "no rows" },
    ]);
  });
});

/** Counts the rows of outcomes: one each, or the range that a reject names. */
function countRows(outcomes: readonly Outcome<Page>[]): number {
  let rows = 0;
  for (const outcome of outcomes) {
    const range = outcome.ok ? undefined : /^rows (\d+) to (\d+): /.exec(outcome.detail ?? "");
    rows += range === null || range === undefined ? 1 : Number(range[2]) - Number(range[1]) + 1;
  }
  return rows;
}

describe("a damaged Parquet file", () => {
  const bytes = writeParquet(columns("UNCOMPRESSED"), SMALL);

  it("is one reject with its reason if it is cut off anywhere", async () => {
    for (let length = 0; length < bytes.length; length += 997) {
      const outcomes = await read(bytes.slice(0, length), { from: "parquet" });
      expect(outcomes).toHaveLength(1);
      expect(outcomes[0]).toMatchObject({
        ok: false,
        reason: "broken-parquet",
        detail: "it does not end like a Parquet file, and may be cut short",
      });
    }
  });

  it("is one reject if its footer is zeroed, wrong or encrypted", async () => {
    const detailOf = async (change: (copy: Buffer) => void): Promise<string | undefined> => {
      const copy = Buffer.from(bytes);
      change(copy);
      const [outcome, ...rest] = await read(copy, { from: "parquet" });
      expect(rest).toEqual([]);
      return outcome?.ok === false ? `${outcome.reason}: ${outcome.detail ?? ""}` : undefined;
    };
    expect(await detailOf((copy) => copy.subarray(-200).fill(0))).toMatch(/^broken-parquet: it does not end/);
    expect(await detailOf((copy) => copy.subarray(-600, -8).fill(0))).toMatch(
      /^broken-parquet: the footer cannot be read/,
    );
    expect(await detailOf((copy) => copy.writeUInt32LE(0xfffffff0, copy.length - 8))).toMatch(
      /^broken-parquet: its footer cannot have 4294967280 bytes$/,
    );
    expect(await detailOf((copy) => copy.write("PARE", copy.length - 4))).toBe(
      "broken-parquet: it is encrypted",
    );
  });

  it("loses the rows of a damaged page and no others", async () => {
    const data = columns("GZIP").filter(({ name }) => name !== "lang");
    const copy = writeParquet(data, SMALL);
    // Damages the first page after the middle that is compressed with gzip.
    const at = Buffer.from(copy).indexOf(Buffer.from([0x1f, 0x8b, 0x08]), copy.length >> 1);
    copy.fill(0xff, at + 10, at + 20);
    const outcomes = await read(copy);
    const bad = outcomes.filter((outcome) => !outcome.ok);
    expect(bad).toHaveLength(1);
    expect(bad[0]).toMatchObject({
      reason: "broken-parquet",
      detail: expect.stringMatching(/^rows \d+ to \d+: a page of column \w+ cannot be read/) as string,
    });
    expect(outcomes.length).toBeGreaterThan(ROWS - 100);
    expect(countRows(outcomes)).toBe(ROWS);
    const ids = new Set(outcomes.map((outcome) => (outcome.ok ? outcome.value.id : outcome.id)));
    expect(ids.size).toBe(outcomes.length);
  });

  it("loses only the rest of the row group if a page has no header", async () => {
    const copy = Buffer.from(writeParquet([columns("SNAPPY")[2] ?? { name: "", data: [] }], SMALL));
    copy.fill(0, 4, 40);
    const outcomes = await read(copy);
    expect(summarise(outcomes)).toEqual(["broken-parquet", ...Array<string>(300).fill("page")]);
    expect(countRows(outcomes)).toBe(ROWS);
  });

  it("throws nothing and accounts for each row, whatever bytes are changed", async () => {
    const whole = CODECS.map((codec) =>
      writeParquet(
        columns(codec).map((column) => ({ ...column })),
        SMALL,
      ),
    );
    const tail = (file: Uint8Array): number => new DataView(file.buffer).getUint32(file.length - 8, true) + 8;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...whole),
        fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), fc.nat(255)), {
          minLength: 1,
          maxLength: 6,
        }),
        fc.boolean(),
        async (file, changes, isBodyOnly) => {
          const copy = file.slice();
          const size = isBodyOnly ? copy.length - tail(copy) : copy.length;
          for (const [place, value] of changes) copy[Math.floor(place * size)] = value;
          const outcomes = await read(copy, { from: "parquet" });
          expect(outcomes.length).toBeGreaterThan(0);
          if (isBodyOnly) expect(countRows(outcomes)).toBe(ROWS);
        },
      ),
      { numRuns: 100 },
    );
  });
});

const python = findPython("pyarrow.parquet");
const MAKE = `
import json, sys
import pyarrow as pa, pyarrow.parquet as pq
rows = 700
table = pa.table({
    "id": [f"doc-{i}" for i in range(rows)],
    "text": [f"Text {i} grün 線 " * (i % 40 + 1) for i in range(rows)],
    "tags": [[f"t{i}", None, "x"][: i % 4] if i % 5 else None for i in range(rows)],
    "meta": [{"a": i, "b": {"c": [i, None]}} if i % 7 else None for i in range(rows)],
    "map": pa.array([[("k", i)] for i in range(rows)], pa.map_(pa.string(), pa.int32())),
    "lang": pa.array(["en" if i % 2 else "sv" for i in range(rows)]).dictionary_encode(),
    "none": pa.array([None] * rows, pa.string()),
})
paths = []
for codec in ["none", "snappy", "gzip", "brotli", "zstd", "lz4"]:
    for version in ["1.0", "2.0"]:
        path = f"{sys.argv[1]}/{codec}-{version}.parquet"
        pq.write_table(table, path, compression=codec, data_page_version=version, data_page_size=2048,
                       write_batch_size=64, row_group_size=300, write_page_checksum=codec == "zstd")
        paths.append(path)
print(json.dumps({"paths": paths, "rows": table.to_pylist()}))`;

describe("a Parquet file of another program", () => {
  it.skipIf(python === undefined)(
    "is read completely if pyarrow wrote it, in every codec and page version (needs a Python with pyarrow)",
    async () => {
      // The script above defines this output.
      const { paths, rows } = runPython(python ?? "", MAKE, [dir]) as {
        paths: string[];
        rows: {
          id: string;
          text: string;
          tags: unknown;
          meta: unknown;
          map: [string, number][];
          lang: string;
        }[];
      };
      for (const path of paths) {
        const outcomes = await gather(openInputs([path], OPTIONS));
        expect(outcomes).toEqual(
          rows.map(({ id, text, tags, meta, map, lang }) => ({
            ok: true,
            value: {
              id,
              url: "",
              content: { kind: "text", text },
              lang,
              carried: JSON.stringify({
                ...(tags === null ? {} : { tags }),
                ...(meta === null ? {} : { meta }),
                map: Object.fromEntries(map),
                lang,
              }),
            },
          })),
        );
      }
    },
    60_000,
  );
});
