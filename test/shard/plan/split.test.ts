import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { openParts } from "../../../src/acquire/open-parts.js";
import type { Page } from "../../../src/document.js";
import type { Outcome } from "../../../src/outcome.js";
import { toPart, type ShardInput } from "../../../src/shard/plan/manifest.js";
import { splitFile } from "../../../src/shard/plan/split.js";
import { gather } from "../../acquire/gather.js";
import { packEach, pageRecord, recordBytes } from "../../acquire/warc/warc-file.js";
import { makeCrawl } from "../../cli/crawl/crawl-warc.js";

const work = mkdtempSync(join(tmpdir(), "thresher-split-"));
afterAll(() => {
  rmSync(work, { recursive: true });
});

const LIMITS = { maxBytes: 20_000_000, timeoutMs: 10_000 };
const never = new AbortController().signal;

interface Read {
  readonly parts: number;
  readonly outcomes: readonly Outcome<Page>[];
  readonly passedOver: Readonly<Record<string, number>>;
  readonly bytes: number;
  readonly skipped: number;
}

/** Cuts a file into parts of about this size, and reads them one after another, each with its own reader. */
async function readInParts(file: string, size: number): Promise<Read> {
  const whole = { uri: "named.x", path: file, bytes: statSync(file).size, etag: "" };
  const inputs = await splitFile(whole, { ...LIMITS, size, signal: never });
  const covered = inputs.map(({ offset, length }) => [offset, offset + (length ?? whole.bytes)]);
  expect(covered.map(([from]) => from)).toEqual([0, ...covered.slice(0, -1).map(([, to]) => to)]);
  expect(covered.at(-1)?.[1]).toBe(whole.bytes);
  const readers = inputs.map((input: ShardInput) =>
    openParts([{ ...toPart(input, "/"), path: file }], LIMITS),
  );
  const outcomes: Outcome<Page>[] = [];
  const passedOver: Record<string, number> = {};
  let bytes = 0;
  let skipped = 0;
  for (const reader of readers) {
    outcomes.push(...(await gather(reader)));
    for (const [type, count] of reader.passedOver()) passedOver[type] = (passedOver[type] ?? 0) + count;
    bytes += reader.bytesRead();
    skipped += reader.bytesSkipped();
  }
  return { parts: inputs.length, outcomes, passedOver, bytes, skipped };
}

function write(name: string, bytes: Uint8Array | string): string {
  const file = join(work, name);
  writeFileSync(file, bytes);
  return file;
}

const crawl = makeCrawl(40).subarray(0, -20_000);
const records = Array.from({ length: 40 }, (_, at) => pageRecord(at, 3_000));
const jsonLines = Array.from({ length: 200 }, (_, at) => {
  if (at % 17 === 3) return "not json at all";
  if (at % 19 === 4) return "";
  return JSON.stringify(at % 5 === 0 ? { html: `<p>Page ${at}` } : { id: `id-${at}`, text: `Text ${at}` });
}).join("\n");

describe("a file in parts", () => {
  it.each([
    ["an archive with damage, cut short", "crawl.warc.gz", crawl],
    ["an archive that is not packed", "plain.warc", Buffer.concat(records)],
    ["JSON Lines with invalid lines", "lines.jsonl", jsonLines],
    ["JSON Lines that end with a line break", "ended.jsonl", `${jsonLines}\n`],
  ])("gives the same records as the whole file: %s", async (_, name, bytes) => {
    const file = write(name, bytes);
    const size = statSync(file).size;
    const whole = await readInParts(file, size * 2);
    expect(whole.parts).toBe(1);
    expect(whole.outcomes.length).toBeGreaterThan(30);
    for (const parts of [2, 3, 7]) {
      const read = await readInParts(file, size / parts);
      expect(read.parts, name).toBeGreaterThan(1);
      expect(read.parts).toBeLessThanOrEqual(parts);
      expect({ ...read, parts: 1 }).toEqual(whole);
    }
  });

  it("is not split at bytes within a record that look like the beginning of one", async () => {
    const inner = packEach(records.slice(0, 20));
    const outer = recordBytes({ type: "resource", contentType: "text/html", block: inner, hasDigest: true });
    // Deflate leaves compressed bytes unchanged, so the inner members can be found.
    const file = write(
      "nested.warc.gz",
      Buffer.concat([packEach([records[30]!]), gzipSync(outer), packEach([records[31]!])]),
    );
    const whole = await readInParts(file, 1e9);
    const read = await readInParts(file, 2_000);
    expect(read.parts).toBeGreaterThan(1);
    expect({ ...read, parts: 1 }).toEqual(whole);
  });

  it.each([
    ["packed JSON Lines", "packed.jsonl.gz", gzipSync(jsonLines)],
    ["an archive in one member", "whole.warc.gz", gzipSync(Buffer.concat(records))],
    ["a page", "page.html", `<p>${"word ".repeat(10_000)}`],
  ])("stays whole if it cannot be split: %s", async (_, name, bytes) => {
    expect((await readInParts(write(name, bytes), 1_000)).parts).toBe(1);
  });
});
