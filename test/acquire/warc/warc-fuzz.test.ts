import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { isGzip } from "../../../src/acquire/packed/decompress.js";
import type { Page } from "../../../src/document.js";
import type { Outcome } from "../../../src/outcome.js";
import { createRandom, type Random } from "../../../src/random.js";
import { noise, pick, upTo } from "../../fuzz/random.js";
import { outline, packEach, packWhole, pageRecord, readAll, recordBytes } from "./warc-file.js";

/** The number of mutated files for each packing; `THRESHER_FUZZ=50000` makes a longer run, `THRESHER_SEED` a different one. */
const RUNS = Number(process.env["THRESHER_FUZZ"] ?? 800);
const SEED = Number(process.env["THRESHER_SEED"] ?? 1);

interface Mutant {
  readonly bytes: Buffer;
  /** The changed bytes of the original: [from, to). */
  readonly from: number;
  readonly to: number;
}

/** Bytes that are inserted in wrong places. */
const STRANGE = [
  "WARC/1.0\r\n",
  "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 99999999\r\n\r\n",
  "\r\nContent-Length: -1\r\n",
  "\r\n\r\n",
  "\0",
  "\u001f\u008b\u0008",
  "HTTP/1.1 200 OK\r\n\r\n",
];

/** Makes one change at one place, as disks, copies and programs do. */
function mutate(original: Buffer, random: Random): Mutant {
  const from = upTo(random, original.length);
  const to = Math.min(original.length, from + 1 + upTo(random, pick(random, [1, 8, 100, 1000])));
  const old = original.subarray(from, to);
  const put = (middle: Uint8Array, end = to): Mutant => ({
    bytes: Buffer.concat([original.subarray(0, from), middle, original.subarray(end)]),
    from,
    to: end,
  });
  const changes: readonly (() => Mutant)[] = [
    () =>
      put(
        Buffer.from(old).map((byte, at) => (at === 0 ? byte ^ (1 << upTo(random, 8)) : byte)),
        from + 1,
      ),
    () => put(Buffer.alloc(old.length)),
    () => put(noise(random, old.length)),
    () => put(Buffer.alloc(0)),
    () => put(noise(random, 1 + upTo(random, 50)), from),
    () => put(Buffer.from(pick(random, STRANGE), "latin1"), from),
    () => put(Buffer.concat([old, old])),
    () => put(Buffer.alloc(0), original.length),
  ];
  return pick(random, changes)();
}

const records = [
  recordBytes({
    type: "warcinfo",
    contentType: "application/warc-fields",
    block: "a: b\r\n",
    hasDigest: true,
  }),
  ...[0, 1, 2, 3].map((number) => pageRecord(number, 100 + 300 * number)),
];

/** Returns the numbers of the pages of which no byte was changed. */
function untouched(ends: readonly number[], { from, to }: Mutant): number[] {
  return [0, 1, 2, 3].filter((number) => {
    const [start = 0, end = 0] = [ends[number], ends[number + 1]];
    // A header inserted just before a record may claim that record.
    return to < start || from >= end;
  });
}

const endsOf = (parts: readonly Uint8Array[]): number[] => {
  let end = 0;
  return parts.map((part) => (end += part.length));
};

async function attack(original: Buffer, check: (outcomes: readonly Outcome<Page>[], mutant: Mutant) => void) {
  const random = createRandom(SEED);
  for (let run = 0; run < RUNS; run += 1) {
    const mutant = mutate(original, random);
    // Uses the packing that the file's name states, even if its first bytes have changed.
    const packing = isGzip(original) ? { packing: "gzip" as const } : {};
    const outcomes = await readAll(mutant.bytes, packing);
    try {
      check(outcomes, mutant);
      if (run % 10 === 0)
        expect(await readAll(mutant.bytes, { ...packing, size: 1 + upTo(random, 300) })).toEqual(outcomes);
    } catch (cause) {
      throw new Error(`run ${run} of seed ${SEED}: ${JSON.stringify({ from: mutant.from, to: mutant.to })}`, {
        cause,
      });
    }
  }
}

const pagesOf = (outcomes: readonly Outcome<Page>[]): (number | string)[] =>
  outline(outcomes).filter((item) => typeof item === "number");

describe("readWarc of mutated files", { timeout: 30_000 + RUNS * 50 }, () => {
  it("keeps every neighbour of a damaged gzip member, and makes no page from the damaged one", async () => {
    const ends = endsOf(records.map((record) => gzipSync(record)));
    await attack(packEach(records), (outcomes, mutant) => {
      expect(pagesOf(outcomes)).toEqual(expect.arrayContaining(untouched(ends, mutant)));
      expect(outline(outcomes)).not.toContain("wrong");
      const lost = 4 - new Set(pagesOf(outcomes)).size;
      const isCut = mutant.to === ends.at(-1) && ends.includes(mutant.from);
      const isTaken = mutant.bytes.length < ends.at(-1)! && ends.some((end) => end === mutant.from);
      if (lost > 0 && !isCut && !isTaken) expect(outcomes.some(({ ok }) => !ok)).toBe(true);
    });
  });

  it("keeps every neighbour of a damaged record that is not compressed", async () => {
    const ends = endsOf(records);
    await attack(Buffer.concat(records), (outcomes, mutant) => {
      expect(pagesOf(outcomes)).toEqual(expect.arrayContaining(untouched(ends, mutant)));
    });
  });

  it("keeps the records before the damage in a gzip member that holds all records", async () => {
    const original = packWhole(records);
    await attack(original, (outcomes, mutant) => {
      // A duplicated stretch may hold pages, which are then read twice.
      const pages = [...new Set(pagesOf(outcomes))];
      expect(pages).toEqual([...pages].sort());
      // No checksum covers the bytes of time, system and name.
      if (pages.length < 4 && mutant.from > 0) expect(outcomes.some(({ ok }) => !ok)).toBe(true);
    });
  });
});
