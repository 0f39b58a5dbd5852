import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  DamagedError,
  decompress,
  type Coding,
  type DecompressOptions,
} from "../../../src/acquire/packed/decompress.js";
import { inChunks, utf8 } from "../gather.js";

async function unpack(
  bytes: Uint8Array,
  coding: Coding,
  options?: DecompressOptions & { readonly size?: number },
) {
  const parts: Uint8Array[] = [];
  try {
    for await (const part of decompress(inChunks(bytes, options?.size ?? bytes.length), coding, options))
      parts.push(part);
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error;
    return { text: Buffer.concat(parts).toString(), isDamaged: true };
  }
  return { text: Buffer.concat(parts).toString(), isDamaged: false };
}

/** Makes text that compresses badly, so that it spans many chunks. */
function prose(length: number, seed: number): string {
  let state = seed;
  let text = "";
  while (text.length < length) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    text += state.toString(36);
  }
  return text;
}

describe("decompress", () => {
  const text = prose(60_000, 1);
  const packed: readonly (readonly [string, Coding, Uint8Array])[] = [
    ["gzip", "gzip", gzipSync(text)],
    ["deflate", "deflate", deflateSync(text)],
    ["raw deflate", "deflate", deflateRawSync(text)],
    ["brotli", "br", brotliCompressSync(text)],
  ];

  for (const [name, coding, bytes] of packed) {
    it(`unpacks ${name}, whole, in odd chunks and byte by byte`, async () => {
      for (const size of [bytes.length, 4097, 1]) {
        expect(await unpack(bytes, coding, { size })).toEqual({ text, isDamaged: false });
      }
    });

    it(`reports ${name} that is cut off, and returns the part before the cut`, async () => {
      for (const length of [bytes.length - 1, bytes.length >> 1]) {
        const results = [];
        for (const size of [length, 777, 1])
          results.push(await unpack(bytes.subarray(0, length), coding, { size }));
        const [first] = results;
        // Raw deflate has no checksum, so its last byte may not matter.
        expect(first!.isDamaged).toBe(true);
        expect(first!.text.length).toBeGreaterThan(length / 2);
        expect(text.startsWith(first!.text)).toBe(true);
        expect(results).toEqual([first, first, first]);
      }
    });

    it(`stops soon after maxBytes in ${name}`, async () => {
      const { text: part } = await unpack(bytes, coding, { maxBytes: 1000 });
      expect(part.length).toBeGreaterThan(1000);
      expect(part.length).toBeLessThan(60_000);
    });
  }

  it("joins gzip members wherever the chunks split them", async () => {
    const texts = Array.from({ length: 40 }, (_, i) => prose(100 + i * 37, i + 2));
    const bytes = Buffer.concat(texts.map((part) => gzipSync(part)));
    for (const size of [bytes.length, 1]) {
      expect(await unpack(bytes, "gzip", { size })).toEqual({ text: texts.join(""), isDamaged: false });
    }
    // The first member ends exactly where a chunk of zlib ends.
    for (let fill = 4000; fill < 4100; fill += 1) {
      const first = gzipSync(Buffer.alloc(fill, prose(fill, fill)), { level: 0 });
      if (first.length !== 4096) continue;
      const both = await unpack(Buffer.concat([first, gzipSync("second")]), "gzip");
      expect(both.isDamaged).toBe(false);
      expect(both.text.endsWith("second")).toBe(true);
      return;
    }
    expect.unreachable("no member of 4,096 bytes was made");
  });

  it("ignores zeros after the last member, which tapes add", async () => {
    const bytes = Buffer.concat([gzipSync("text"), Buffer.alloc(10_000)]);
    expect(await unpack(bytes, "gzip")).toEqual({ text: "text", isDamaged: false });
  });

  it("reads the members after NULs, wherever they lie in a piece of 16 KiB", async () => {
    const first = gzipSync(prose(20_000, 5), { level: 0 });
    for (const nuls of [1, 3, (1 << 15) - first.length - 1, (1 << 15) - first.length, 40_000]) {
      const bytes = Buffer.concat([first, Buffer.alloc(nuls), gzipSync("second"), Buffer.alloc(2)]);
      for (const isSalvaged of [false, true]) {
        const { text: read, isDamaged } = await unpack(bytes, "gzip", { size: 5000, isSalvaged });
        expect(isDamaged, `${nuls} NULs`).toBe(false);
        expect(read.endsWith("second"), `${nuls} NULs`).toBe(true);
      }
    }
    // The NULs begin where a piece begins.
    for (let fill = 16_300; fill < 16_400; fill += 1) {
      const whole = gzipSync(Buffer.alloc(fill, prose(fill, fill)), { level: 0 });
      if (whole.length !== 1 << 14) continue;
      const read = await unpack(Buffer.concat([whole, Buffer.alloc(7), gzipSync("second")]), "gzip");
      expect(read.isDamaged).toBe(false);
      expect(read.text.endsWith("second")).toBe(true);
      return;
    }
    expect.unreachable("no member of 16 KiB was made");
  });

  it("reports damage and other bytes after NULs, and returns what was before", async () => {
    const cut = gzipSync(prose(2000, 8)).subarray(0, 500);
    for (const rest of [cut, Buffer.from("x"), Buffer.from("not gzip"), Buffer.from([0x1f])]) {
      const bytes = Buffer.concat([
        gzipSync("first "),
        Buffer.alloc(9),
        gzipSync("second "),
        Buffer.alloc(9),
        rest,
      ]);
      const read = await unpack(bytes, "gzip", { isSalvaged: true });
      expect(read.isDamaged).toBe(true);
      expect(read.text.startsWith("first second ")).toBe(true);
    }
  });

  it("salvages everything before the damage, in chunks of any size", async () => {
    const members = Array.from({ length: 12 }, (_, i) => gzipSync(prose(1000, i + 50)));
    const broken = Buffer.from(members[9]!);
    broken[10] = 0x07; // a block type that does not exist
    const bytes = Buffer.concat([...members.slice(0, 9), broken, ...members.slice(10)]);
    const whole = Array.from({ length: 9 }, (_, i) => prose(1000, i + 50)).join("");
    for (const size of [bytes.length, 1000, 1]) {
      expect(await unpack(bytes, "gzip", { size, isSalvaged: true })).toEqual({
        text: whole,
        isDamaged: true,
      });
    }
  });

  it("stops a decompression bomb early", async () => {
    const bomb = brotliCompressSync(Buffer.alloc(50_000_000));
    const before = process.memoryUsage().rss;
    const { text: part } = await unpack(bomb, "br", { maxBytes: 100_000 });
    expect(part.length).toBeLessThan(200_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(40_000_000);
  });

  it("rethrows an error of the stream unchanged", async () => {
    const failure = new Error("the disk is gone");
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield gzipSync("text").subarray(0, 10);
      await Promise.reject(failure);
    }
    await expect(async () => {
      for await (const part of decompress(failing(), "gzip")) expect(part).toBeDefined();
    }).rejects.toBe(failure);
  });

  it("returns nothing for empty input", async () => {
    expect(await unpack(utf8(""), "gzip", { size: 1 })).toEqual({ text: "", isDamaged: false });
  });
});
