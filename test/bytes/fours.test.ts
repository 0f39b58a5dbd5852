import { describe, expect, it } from "vitest";
import { findBinary } from "../../src/acquire/page-bytes.js";
import { inFours } from "../../src/bytes/fours.js";
import { decodePage } from "../../src/parse/charset.js";

/** Yields every part of up to nine bytes of a larger piece of memory. */
function* parts(memory: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < 5; from += 1)
    for (let length = 0; length < 10; length += 1) yield memory.subarray(from, from + length);
}

describe("words of four bytes", () => {
  const memory = Uint8Array.from({ length: 14 }, (_, at) => at + 1);

  it("are all bytes in order with those before and after them, at any offset and for any length", () => {
    for (const bytes of parts(memory)) {
      const { fours, start, end } = inFours(bytes);
      const inside = new Uint8Array(fours.buffer, fours.byteOffset, fours.byteLength);
      expect([...bytes.subarray(0, start), ...inside, ...bytes.subarray(end)]).toEqual([...bytes]);
    }
  });

  it("allow a page to be a small part of a larger buffer", () => {
    const letters = new Uint8Array(14).fill(0x61);
    for (const bytes of parts(letters)) {
      expect(decodePage(bytes).text).toBe("a".repeat(bytes.length));
      expect(findBinary(bytes)).toBeUndefined();
    }
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8])("count a control character at any position: %i", (at) => {
    const bytes = new Uint8Array(9).fill(0x61);
    bytes[at] = 0x01;
    expect(findBinary(bytes)).toBe("11 % control characters");
    bytes[at] = 0x0a;
    expect(findBinary(bytes)).toBeUndefined();
  });
});
