import { describe, expect, it } from "vitest";
import { readWarc } from "../../src/acquire/warc.js";
import type { Page } from "../../src/document.js";
import type { Outcome } from "../../src/outcome.js";
import { collectAll, inChunks, summarise } from "./gather.js";
import { packEach, packWhole, pageRecord } from "./warc-file.js";

async function read(
  bytes: Uint8Array,
  { maxBytes = 100_000, size = 1 << 20 } = {},
): Promise<Outcome<Page>[]> {
  const isGzip = bytes[0] === 0x1f;
  return collectAll(readWarc(inChunks(bytes, size), { input: "x.warc", maxBytes, isGzip }));
}

const three = [0, 1, 2].map((number) => pageRecord(number));
const forms = { plain: Buffer.concat(three), each: packEach(three), whole: packWhole(three) };

describe("readWarc", () => {
  it.each(Object.entries(forms))("reads the pages of a file that is packed as: %s", async (_name, bytes) => {
    const outcomes = await read(bytes);
    expect(summarise(outcomes)).toEqual(["page", "page", "page"]);
    for (const size of [1, 7, 100]) expect(await read(bytes, { size })).toEqual(outcomes);
  });

  it.each(Object.entries(forms))("keeps the records before a cut at any byte: %s", async (_name, bytes) => {
    const whole = await read(bytes);
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const outcomes = await read(bytes.subarray(0, cut));
      const pages = outcomes.filter(({ ok }) => ok);
      expect(pages).toEqual(whole.slice(0, pages.length));
    }
  });
});
