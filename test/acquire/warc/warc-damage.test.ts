import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { tellCount } from "../../../src/count.js";
import type { Page } from "../../../src/document.js";
import type { Outcome } from "../../../src/outcome.js";
import { answer, outline, packEach, packWhole, pageRecord, readAll, recordBytes } from "./warc-file.js";

const records = [0, 1, 2, 3, 4].map((number) => pageRecord(number));
const plain = Buffer.concat(records);
const each = packEach(records);

/** Returns the offset at which each part ends. */
function endsOf(parts: readonly Uint8Array[]): number[] {
  let end = 0;
  return parts.map((part) => (end += part.length));
}

const detailsOf = (outcomes: readonly Outcome<Page>[]): string[] =>
  outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.detail ?? ""]));

describe("a file that is cut off", () => {
  const parts = records.slice(0, 3);
  it.each([
    // An uncompressed record is complete without the line breaks after it.
    { name: "plain", bytes: Buffer.concat(parts), ends: endsOf(parts).map((end) => end - 4), slack: 4 },
    {
      name: "a member a record",
      bytes: packEach(parts),
      ends: endsOf(parts.map((part) => gzipSync(part))),
      slack: 0,
    },
  ])(
    "gives the records before the cut and reports the loss, at every byte: $name",
    async ({ bytes, ends, slack }) => {
      for (let cut = 1; cut < bytes.length; cut += 1) {
        const whole = ends.filter((end) => end <= cut).length;
        const isBetween = ends.some((end) => end <= cut && cut <= end + slack);
        const expected = [...[0, 1, 2].slice(0, whole), ...(isBetween ? [] : ["broken-warc"])];
        expect(outline(await readAll(bytes.subarray(0, cut), { size: 333 })), `cut at ${cut}`).toEqual(
          expected,
        );
      }
    },
  );

  it("gives the records before the cut and reports the loss, at every byte: one member", async () => {
    const bytes = packWhole(parts);
    let most = 0;
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const found = outline(await readAll(bytes.subarray(0, cut)));
      expect(found, `cut at ${cut}`).toEqual([...[0, 1, 2].slice(0, found.length - 1), "broken-warc"]);
      expect(found.length).toBeGreaterThanOrEqual(most);
      most = found.length;
    }
    expect(most).toBe(3);
  });

  it("reports the place, the cause and the number of lost bytes", async () => {
    const [first = 0, second = 0] = endsOf(records);
    expect(await readAll(plain.subarray(0, second - 50))).toMatchObject([
      { ok: true },
      {
        id: "urn:uuid:1",
        url: "http://example.org/1",
        stage: "acquire",
        reason: "broken-warc",
        detail: `x.warc at byte ${first}: the file ends within a record; ${second - 50 - first} bytes skipped`,
      },
    ]);
    const start = gzipSync(records[0]!).length;
    expect(detailsOf(await readAll(each.subarray(0, start + 150)))).toEqual([
      `x.warc at byte ${start}: the file ends within a gzip member; 150 bytes skipped`,
    ]);
  });
});

describe("a stretch of zeros", () => {
  it.each([
    { name: "plain", bytes: plain, ends: endsOf(records) },
    { name: "a member a record", bytes: each, ends: endsOf(records.map((record) => gzipSync(record))) },
  ])("loses only the records that it touches, wherever it lies: $name", async ({ bytes, ends }) => {
    // The first record stays undamaged, to show that the digests of this file are right.
    for (let from = ends[0]!; from < bytes.length; from += 3) {
      const to = Math.min(bytes.length, from + 60);
      const damaged = Buffer.from(bytes).fill(0, from, to);
      const outcomes = outline(await readAll(damaged));
      const touched = (number: number): boolean => from < ends[number]! && to > ends[number - 1]!;
      const kept = outcomes.filter((outcome) => typeof outcome === "number");
      const untouched = [0, 1, 2, 3, 4].filter((number) => number === 0 || !touched(number));
      expect(kept, `zeros from ${from}`).toEqual(expect.arrayContaining(untouched));
      // Zeros lose nothing in a date of a header, where zeros were before, or after the last line break.
      const lost = outcomes.filter((outcome) => typeof outcome !== "number");
      expect([...new Set(["broken-warc", ...lost])], `zeros from ${from}`).toEqual(["broken-warc"]);
      if (kept.length < 5) expect(lost.length, `zeros from ${from}`).toBeGreaterThan(0);
    }
  });

  it("is reported with its length", async () => {
    const [first = 0, second = 0, third = 0] = endsOf(records.map((record) => gzipSync(record)));
    const damaged = Buffer.from(each).fill(0, first + 20, first + 60);
    expect(detailsOf(await readAll(damaged))).toEqual([
      expect.stringMatching(`^x.warc at byte ${first}: .*; ${second - first} bytes skipped$`),
    ]);
    const lost = Buffer.from(each).fill(0, first, third);
    expect(detailsOf(await readAll(lost))).toEqual([
      `x.warc at byte ${first}: no gzip member begins here; ${third - first} bytes skipped`,
    ]);
  });
});

describe("a wrong Content-Length", () => {
  const real = answer("<p>A</p>").length;
  it.each([
    String(real - 5),
    String(real + 5),
    String(real + 700),
    "0",
    "1000000000",
    "999999999999999",
    "9999999999999999999999",
    "-1",
    "1e3",
    "0x20",
    "ten",
    "",
  ])("of %j loses one record", async (length) => {
    const broken = pageRecord(9, 200, { block: answer("<p>A</p>"), length });
    const around = [pageRecord(0), broken, pageRecord(1), pageRecord(2)];
    for (const bytes of [Buffer.concat(around), packEach(around), packWhole(around)]) {
      const outcomes = await readAll(bytes);
      expect(outline(outcomes)).toEqual([0, "broken-warc", 1, 2]);
      expect(detailsOf(outcomes)[0]).toContain("Content-Length");
      expect(outline(await readAll(bytes, { size: 1 }))).toEqual([0, "broken-warc", 1, 2]);
    }
  });

  it("at the end of the file loses one record", async () => {
    for (const length of [String(real + 5), "1000000000"]) {
      const around = [pageRecord(0), pageRecord(9, 200, { block: answer("<p>A</p>"), length })];
      for (const bytes of [Buffer.concat(around), packEach(around), packWhole(around)])
        expect(outline(await readAll(bytes))).toEqual([0, "broken-warc"]);
    }
  });
});

describe("garbage between records", () => {
  it("is skipped and reported", async () => {
    for (const garbage of [
      "x",
      "garbage without end",
      "WARC",
      "WARC/",
      "WARC/1.0",
      "\0".repeat(70_000),
      "WARC/1.0\r\n\r\n",
    ]) {
      const bytes = Buffer.concat([records[0]!, Buffer.from(garbage), records[1]!, Buffer.from(garbage)]);
      const packed = Buffer.concat([
        packEach([records[0]!]),
        Buffer.from(garbage),
        packEach([records[1]!]),
        Buffer.from(garbage),
      ]);
      for (const size of [1 << 20, 1000]) {
        expect(outline(await readAll(bytes, { size })), garbage).toEqual([
          0,
          "broken-warc",
          1,
          "broken-warc",
        ]);
        expect(outline(await readAll(packed, { size })), garbage).toEqual([
          0,
          "broken-warc",
          1,
          "broken-warc",
        ]);
      }
      expect(detailsOf(await readAll(packed))[0]).toContain(`; ${tellCount(garbage.length, "byte")} skipped`);
      // A separate gzip member that holds no record.
      expect(outline(await readAll(packEach([records[0]!, Buffer.from(garbage), records[1]!])))).toEqual([
        0,
        "broken-warc",
        1,
      ]);
    }
  });

  it("is skipped before the first record", async () => {
    expect(outline(await readAll(Buffer.concat([Buffer.from("\0\0\0"), plain])))).toEqual([
      "broken-warc",
      0,
      1,
      2,
      3,
      4,
    ]);
    const packed = Buffer.concat([Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 3, 0xff, 0xff]), each]);
    expect(outline(await readAll(packed))).toEqual(["broken-warc", 0, 1, 2, 3, 4]);
  });

  it("can contain a gzip member that holds no record", async () => {
    const image = gzipSync("not a record");
    const bytes = Buffer.concat([
      packEach([records[0]!]),
      Buffer.from("???"),
      image,
      packEach([records[1]!]),
    ]);
    const outcomes = await readAll(bytes);
    expect(outline(outcomes)).toEqual([0, "broken-warc", 1]);
    expect(detailsOf(outcomes)[0]).toContain(`; ${3 + image.length} bytes skipped`);
  });
});

describe("malicious headers", () => {
  const around = (header: string | Buffer): Buffer =>
    Buffer.concat([records[0]!, Buffer.from(header), records[1]!]);

  it.each([
    ["a line of 8 MB", `WARC/1.0\r\nWARC-Type: ${"x".repeat(8 << 20)}\r\n`],
    ["a header without end", `WARC/1.0\r\n${"A: b\r\n".repeat(1 << 20)}`],
    ["a header that consists of versions", "WARC/1.0\r\n".repeat(100_000)],
    ["versions at the ends of lines", "WARC/1.0\r\nA: ".repeat(100_000)],
    ["the beginnings of versions", "WARC/".repeat(200_000)],
    ["lines without colons", `WARC/1.0\r\n${"abc\r\n".repeat(100)}\r\n`],
    ["no version", "WARC-Type: response\r\nContent-Length: 0\r\n\r\n"],
  ])("cost one reject and no other record: %s", async (_name, header) => {
    const outcomes = outline(await readAll(around(header)));
    expect(outcomes).toEqual([0, "broken-warc", 1]);
  });

  it("may be not UTF-8 or have many fields", async () => {
    const odd = pageRecord(5, 200, { more: `X-A: \xff\xfe\r\n${"X-B: c\r\n".repeat(2000)}` });
    const latin = Buffer.from(odd.toString("latin1"), "latin1");
    expect(outline(await readAll(Buffer.concat([latin, records[1]!])))).toEqual([5, 1]);
  });

  it("cannot make the reader hold more of a record than maxBytes", async () => {
    const long = pageRecord(5, 3 << 20);
    for (const bytes of [Buffer.concat([long, ...records]), packEach([long, ...records])]) {
      const outcomes = await readAll(bytes, { maxBytes: 10_000 });
      expect(outline(outcomes)).toEqual(["too-large", 0, 1, 2, 3, 4]);
      expect(outcomes[0]).toMatchObject({ id: "urn:uuid:5" });
    }
  });

  it("with two thousand wrong lengths are read quickly", async () => {
    const lies = Array.from({ length: 2000 }, (_, number) =>
      recordBytes({ id: `urn:uuid:${number}`, block: "x", length: "900000" }),
    );
    const outcomes = outline(await readAll(Buffer.concat([...lies, records[0]!])));
    expect(outcomes.length).toBe(2001);
    expect(outcomes.at(-1)).toBe(0);
  });

  it("among bytes that look like gzip members are found", async () => {
    const fakes = Buffer.alloc(400_000);
    for (let at = 0; at < fakes.length; at += 4) fakes.set([0x1f, 0x8b, 0x08, 0x00], at);
    // These bytes also begin like deflate.
    const better = Buffer.alloc(48_000);
    for (let at = 0; at < better.length; at += 12)
      better.set([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 3, 0x4b, 0x4c], at);
    const bytes = Buffer.concat([packEach([records[0]!]), fakes, better, packEach([records[1]!])]);
    expect(outline(await readAll(bytes))).toEqual([0, "broken-warc", 1]);
  });

  it("cannot make the reader unpack a decompression bomb", async () => {
    const inside = gzipSync(Buffer.alloc(200 << 20));
    const bomb = recordBytes({
      id: "urn:uuid:8",
      block: answer(inside, "Content-Type: text/html\r\nContent-Encoding: gzip\r\n"),
    });
    const outside = recordBytes({ id: "urn:uuid:9", block: Buffer.alloc(100 << 20) });
    const before = process.memoryUsage().rss;
    const outcomes = await readAll(packEach([records[0]!, bomb, outside, records[1]!]), {
      maxBytes: 1 << 20,
    });
    expect(outline(outcomes)).toEqual([0, "too-large", "too-large", 1]);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 << 20);
  });
});

describe("a source that fails", () => {
  it("gives the earlier records, then a reject with the error", async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield each.subarray(0, endsOf(records.map((record) => gzipSync(record)))[1]! + 10);
      await Promise.resolve();
      throw Object.assign(new Error("bad disk"), { code: "EIO" });
    }
    const { readWarc } = await import("../../../src/acquire/warc/warc.js");
    const outcomes: Outcome<Page>[] = [];
    for await (const outcome of readWarc(failing(), { input: "x.warc", maxBytes: 1e6, packing: "gzip" }))
      outcomes.push(outcome);
    expect(outline(outcomes)).toEqual([0, 1, "broken-warc", "unreadable"]);
  });
});
