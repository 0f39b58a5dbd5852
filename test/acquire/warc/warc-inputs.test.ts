import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openInputs, type InputOptions } from "../../../src/acquire/inputs.js";
import { chooseKind, isSurelyRecords, kindOfName } from "../../../src/acquire/kind.js";
import { UsageError } from "../../../src/outcome.js";
import { gather, inChunks, utf8 } from "../gather.js";
import { outline, packEach, packWhole, pageHtml, pageRecord, recordBytes } from "./warc-file.js";

const OPTIONS: InputOptions = { maxBytes: 100_000, timeoutMs: 1000 };
const records = [0, 1, 2].map((number) => pageRecord(number));
const request = recordBytes({ type: "request", block: "GET / HTTP/1.1\r\n\r\n" });
const wet = recordBytes({
  type: "conversion",
  contentType: "text/plain",
  block: "Text that was taken out.",
});
const noRecord = Buffer.concat([
  Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 3, 0xff, 0xff]),
  packEach(records),
]);

let dir = "";
const at = (name: string): string => `${dir}/${name}`;
beforeAll(async () => {
  dir = (await mkdtemp(join(tmpdir(), "thresher-warc-"))).replaceAll("\\", "/");
  await mkdir(at("crawl/deep"), { recursive: true });
  const files: Readonly<Record<string, Uint8Array>> = {
    "crawl/a.warc": Buffer.concat(records),
    "crawl/b.warc.gz": packEach(records),
    "crawl/c.warc.wet.gz": packEach([wet]),
    "crawl/deep/d.wet": wet,
    "crawl/e.cdx": utf8("no page"),
    unnamed: packWhole(records),
    "broken.warc.gz": noRecord,
    "broken.bin": noRecord,
    "lie.warc": utf8(pageHtml(3)),
    "empty.warc.gz": new Uint8Array(0),
  };
  for (const [name, bytes] of Object.entries(files)) await writeFile(at(name), bytes);
});
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
});

const read = async (input: string, options: Partial<InputOptions> = {}): Promise<(number | string)[]> =>
  outline(await gather(openInputs([input], { ...OPTIONS, ...options })));

describe("openInputs", () => {
  it("reads archives by name, directory and glob, sorted by name", async () => {
    expect(await read(at("crawl/a.warc"))).toEqual([0, 1, 2]);
    expect(await read(at("crawl/b.warc.gz"))).toEqual([0, 1, 2]);
    expect(await read(at("crawl/*.warc*"))).toEqual([0, 1, 2, 0, 1, 2, "wrong"]);
    expect(await gather(openInputs([at("crawl")], OPTIONS))).toMatchObject([
      ...[0, 1, 2, 0, 1, 2].map((number) => ({ value: { id: `urn:uuid:${number}` } })),
      ...[0, 1].map(() => ({ value: { content: { kind: "text", text: "Text that was taken out." } } })),
    ]);
  });

  it("recognises an archive by its bytes first and its name second", async () => {
    expect(await read(at("unnamed"))).toEqual([0, 1, 2]);
    expect(await read(at("broken.warc.gz"))).toEqual(["broken-warc", 0, 1, 2]);
    expect(await read(at("broken.bin"))).toEqual(["broken-gzip"]);
    expect(await read(at("broken.bin"), { from: "warc" })).toEqual(["broken-warc", 0, 1, 2]);
    expect(await read(at("lie.warc"))).toEqual(["wrong"]);
    expect(await read(at("lie.warc"), { from: "warc" })).toEqual(["broken-warc"]);
    expect(await read(at("empty.warc.gz"))).toEqual(["empty"]);
    expect(await read(at("crawl/b.warc.gz"), { from: "wet" })).toEqual([0, 1, 2]);
  });

  it("reads stdin, in chunks of any size", async () => {
    for (const bytes of [Buffer.concat(records), packEach(records), packWhole(records)]) {
      for (const size of [1, 100, 1 << 20])
        expect(await read("-", { stdin: inChunks(bytes, size) })).toEqual([0, 1, 2]);
    }
  });

  it("yields each record of a slow pipe as soon as the next one begins", async () => {
    const stdin = new PassThrough();
    const pages = openInputs(["-"], { ...OPTIONS, stdin })
      .pages(new AbortController().signal)
      [Symbol.asyncIterator]();
    for (const record of records) {
      stdin.write(record);
      expect((await pages.next()).value).toMatchObject({ ok: true });
    }
    stdin.end();
    expect((await pages.next()).done).toBe(true);
  });

  it("counts the records without a page, and expects many documents", async () => {
    const source = openInputs(["-"], {
      ...OPTIONS,
      stdin: inChunks(packEach([request, ...records, request]), 1000),
    });
    expect(outline(await gather(source))).toEqual([0, 1, 2]);
    expect([...source.passedOver()]).toEqual([["request", 2]]);
    expect(source.isSingle()).toBe(false);
    expect(openInputs([at("crawl/a.warc")], OPTIONS).isSingle()).toBe(false);
  });

  it("stops at once, and makes no reject of a record that it did not read completely", async () => {
    const stdin = new PassThrough();
    stdin.write(packEach(records).subarray(0, -20));
    const stop = new AbortController();
    setTimeout(() => {
      stop.abort();
    }, 50);
    const outcomes = await gather(openInputs(["-"], { ...OPTIONS, stdin, from: "warc" }), stop.signal);
    expect(outcomes.filter(({ ok }) => !ok)).toEqual([]);
    expect(stdin.destroyed).toBe(true);
  });

  it("refuses to fetch archives", () => {
    expect(() => openInputs(["https://example.org/a.warc.gz"], { ...OPTIONS, from: "warc" })).toThrow(
      UsageError,
    );
  });
});

describe("chooseKind", () => {
  it.each([
    ["WARC/1.0\r\nWARC-Type: response\r\n", undefined, "warc"],
    ["WARC/1.1\nWARC-Type: response\n", "html", "warc"],
    ["WARC/1.0 is a format", undefined, "text"],
    ["garbage", "warc", "warc"],
    ["garbage", "wet", "wet"],
    ["<!doctype html><p>", "warc", "html"],
    ["", "warc", "warc"],
  ] as const)("classifies %j named %s as %s", (text, hint, kind) => {
    expect(chooseKind(utf8(text), hint)).toBe(kind);
  });

  it("recognises the names of archives, and needs no more than a first line", () => {
    const names = [
      "a.warc",
      "b.WARC.GZ",
      "c.warc.zst",
      "c.warc.zstd",
      "d.warc.wet.gz",
      "e.wet",
      "f.warc.bz2",
    ];
    expect(names.map(kindOfName)).toEqual(["warc", "warc", "warc", "warc", "wet", "wet", undefined]);
    expect(isSurelyRecords(utf8("WARC/1.0\r\n"))).toBe(true);
    expect(isSurelyRecords(utf8("WARC/1.0 is\n"))).toBe(false);
  });
});
