import { appendFileSync, mkdirSync, mkdtempSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { openInputs, type InputOptions } from "../../src/acquire/inputs.js";
import { isUnchanged, measureInputs, type Position } from "../../src/acquire/position.js";
import type { Page } from "../../src/document.js";
import type { Outcome } from "../../src/outcome.js";
import { packBlocks, packEach, packWhole, pageRecord, recordBytes } from "./warc/warc-file.js";

const never = new AbortController().signal;
const work = mkdtempSync(join(tmpdir(), "thresher-position-"));

function write(name: string, bytes: string | Uint8Array): string {
  const path = join(work, name);
  writeFileSync(path, bytes);
  return path;
}

interface Read {
  readonly outcomes: Outcome<Page>[];
  /** Copied through JSON, because positions are stored as JSON. */
  readonly positions: Position[];
  readonly passedOver: Readonly<Record<string, number>>;
  readonly bytesRead: number;
  readonly isSingle: boolean;
}

async function read(inputs: readonly string[], options: Partial<InputOptions> = {}): Promise<Read> {
  const source = openInputs(inputs, { maxBytes: 100_000, timeoutMs: 1000, ...options });
  const outcomes: Outcome<Page>[] = [];
  const positions: Position[] = [];
  for await (const outcome of source.pages(never)) {
    outcomes.push(outcome);
    positions.push(JSON.parse(JSON.stringify(source.position())) as Position);
  }
  const passedOver = Object.fromEntries(source.passedOver());
  return { outcomes, positions, passedOver, bytesRead: source.bytesRead(), isSingle: source.isSingle() };
}

/** Checks that another reader can continue after each outcome. Returns the positions. */
async function checkAll(inputs: readonly string[]): Promise<Position[]> {
  const whole = await read(inputs);
  expect(whole.outcomes.length).toBeGreaterThan(1);
  for (const [at, after] of whole.positions.entries()) {
    const rest = await read(inputs, { after });
    expect(rest.outcomes).toEqual(whole.outcomes.slice(at + 1));
    expect(rest.positions).toEqual(whole.positions.slice(at + 1));
    expect([rest.passedOver, rest.isSingle]).toEqual([whole.passedOver, whole.isSingle]);
    if (rest.outcomes.length > 0) expect(rest.bytesRead).toBe(whole.bytesRead);
    expect(await isUnchanged(inputs, after, never)).toBe(true);
  }
  return whole.positions;
}

const request = (number: number): Buffer => recordBytes({ type: "request", id: `urn:uuid:r${number}` });
const records = Array.from({ length: 12 }, (_, number) => [request(number), pageRecord(number)]).flat();

describe("a position", () => {
  it("resumes in archives in every kind of compression, at the offset of a record", async () => {
    const each = await checkAll([write("each.warc.gz", packEach(records))]);
    expect(each.at(-1)?.start?.offset).toBeGreaterThan(1000);
    expect(each.map(({ outcomes }) => outcomes)).toEqual(each.map(() => 1));
    const plain = await checkAll([write("plain.warc", Buffer.concat(records))]);
    expect(plain.at(-1)?.start?.offset).toBeGreaterThan(4000);
    expect((await checkAll([write("whole.warc.gz", packWhole(records))])).at(-1)?.outcomes).toBe(12);
    await checkAll([write("blocks.warc.gz", packBlocks(records, 500))]);
  });

  it("resumes in damaged archives, after the lost parts", async () => {
    const lie = pageRecord(90, 200, { length: "7" });
    const wrong = pageRecord(91, 200, {
      more: "WARC-Block-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\n",
      hasDigest: false,
    });
    const damaged = [
      ...records.slice(0, 6),
      lie,
      ...records.slice(6, 10),
      wrong,
      Buffer.from("noise"),
      ...records.slice(10),
    ];
    await checkAll([write("damaged.warc", Buffer.concat(damaged))]);
    await checkAll([write("damaged-whole.warc.gz", packWhole(damaged))]);
    const packed = packEach(damaged);
    packed.fill(0, 900, 1300);
    await checkAll([write("damaged.warc.gz", packed.subarray(0, -40))]);
  });

  it("resumes among files, records, directories and missing inputs", async () => {
    const folder = join(work, "folder");
    mkdirSync(folder);
    for (const name of ["a.html", "b.html", "c.html"]) writeFileSync(join(folder, name), `<p>${name}`);
    const lines = write("lines.jsonl", `{"text":"a"}\n{\n{"text":"b"}\n`);
    const packed = write("lines.jsonl.gz", gzipSync(`{"text":"c"}\n{"text":"d"}\n`).subarray(0, -4));
    const archive = write("small.warc.gz", packEach(records.slice(0, 4)));
    const inputs = [
      lines,
      folder,
      join(work, "none.html"),
      archive,
      "nowhere://x",
      packed,
      join(work, "no*.xyz"),
    ];
    const positions = await checkAll(inputs);
    expect(positions.at(-1)?.place).toBe(8);
  });

  it("is invalid if what was read has changed", async () => {
    const [one, two] = [write("one.jsonl", `{"text":"a"}\n`), write("two.jsonl", `{"text":"b"}\n`)];
    const { positions } = await read([one, two]);
    const [inOne, inTwo] = positions;
    const check = async (inputs = [one, two]): Promise<boolean[]> => [
      await isUnchanged(inputs, inOne as Position, never), // there are two outcomes
      await isUnchanged(inputs, inTwo as Position, never),
    ];
    expect(await check()).toEqual([true, true]);
    expect(await check([two, one])).toEqual([false, false]);
    expect(await check([one])).toEqual([true, false]);
    appendFileSync(two, "\n");
    expect(await check()).toEqual([true, false]);
    utimesSync(one, 1, 1);
    expect(await check()).toEqual([false, false]);
  });
});

describe("measureInputs", () => {
  it("adds up the bytes of files, and returns undefined for other inputs", async () => {
    const file = write("measured.html", "x".repeat(1000));
    expect(await measureInputs([file, file, join(work, "missing")], never)).toBe(2000);
    expect(await measureInputs([file, "https://example.org/"], never)).toBeUndefined();
    expect(await measureInputs([file, "-"], never)).toBeUndefined();
  });
});
