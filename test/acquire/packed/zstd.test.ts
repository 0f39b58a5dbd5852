import * as zlib from "node:zlib";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openInputs } from "../../../src/acquire/inputs.js";
import { gather, summarise, utf8 } from "../gather.js";
import { answer, outline, pageRecord, readAll, recordBytes } from "../warc/warc-file.js";

/** The oldest supported Node.js does not have this function. */
const { zstdCompressSync } = zlib as {
  readonly zstdCompressSync?: (bytes: Uint8Array, options: object) => Buffer;
};
/** Adds a checksum to each frame, as the zstd command does: ZSTD_c_checksumFlag. */
const SUMMED = { params: { 201: 1 } };

/** Makes a frame with one raw block, which every zstd reader can read. */
function toFrame(bytes: Uint8Array): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length);
  const block = Buffer.alloc(3);
  block.writeUIntLE((bytes.length << 3) | 1, 0, 3);
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0]), size, block, bytes]);
}

const skipped = Buffer.from([0x51, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
const records = [0, 1, 2, 3].map((number) => pageRecord(number));
let dir = "";
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "thresher-zstd-"));
  await writeFile(join(dir, "x.warc.zst"), Buffer.concat([skipped, ...records.map(toFrame)]));
  await writeFile(
    join(dir, "page.html.zst"),
    Buffer.concat([toFrame(utf8("<p>One")), toFrame(utf8(" two</p>"))]),
  );
});
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
});
const read = async (name: string): ReturnType<typeof gather> =>
  gather(openInputs([join(dir, name)], { maxBytes: 100_000, timeoutMs: 1000 }));

describe.runIf(zstdCompressSync === undefined)("zstd in a Node.js that cannot read it", () => {
  it("is rejected with advice", async () => {
    for (const name of ["x.warc.zst", "page.html.zst"])
      expect(await read(name)).toMatchObject([
        { reason: "no-decoder", detail: expect.stringContaining("zstd -dc") as unknown },
      ]);
    const block = answer(toFrame(utf8("<p>A</p>")), "Content-Type: text/html\r\nContent-Encoding: zstd\r\n");
    expect(await readAll(recordBytes({ block }))).toMatchObject([{ reason: "no-decoder" }]);
  });
});

describe.runIf(zstdCompressSync !== undefined)("zstd", () => {
  const pack = (bytes: Uint8Array): Buffer => zstdCompressSync?.(bytes, SUMMED) ?? Buffer.alloc(0);
  const readFrames = async (bytes: Uint8Array, size = 1000): Promise<(number | string)[]> =>
    outline(await readAll(bytes, { packing: "zstd", size, maxBytes: 5_000_000 }));

  it("is read frame by frame, from every source", async () => {
    expect(summarise(await read("x.warc.zst"))).toEqual(["page", "page", "page", "page"]);
    expect(await read("page.html.zst")).toMatchObject([
      { value: { content: { bytes: Buffer.from("<p>One two</p>") } } },
    ]);
    const source = openInputs(["-"], {
      maxBytes: 100_000,
      timeoutMs: 1000,
      stdin: (async function* () {
        await Promise.resolve();
        yield Buffer.concat(records.map(pack));
      })(),
    });
    expect(outline(await gather(source))).toEqual([0, 1, 2, 3]);
  });

  it("is read from one frame, and from frames too long to hold in memory", async () => {
    const noise = Array.from({ length: 60 }, (_, number) => pageRecord(number, 60_000));
    expect(await readFrames(pack(Buffer.concat(noise)))).toEqual([...noise.keys()]);
    const long = pageRecord(7, 4_000_000);
    expect(pack(long).length).toBeGreaterThan(1 << 19);
    expect(
      await readFrames(Buffer.concat([pack(records[0]!), pack(long), skipped, pack(records[1]!)])),
    ).toEqual([0, 7, 1]);
  });

  it("loses only the records that damage touches", async () => {
    const frames = records.map(pack);
    const first = frames[0]!.length;
    const second = first + frames[1]!.length;
    const all = Buffer.concat(frames);
    for (let from = first; from < second - 20; from += 5)
      expect(await readFrames(Buffer.from(all).fill(0xff, from, from + 20)), String(from)).toEqual([
        0,
        "broken-warc",
        2,
        3,
      ]);
    for (let cut = first + 1; cut < second; cut += 7)
      expect(await readFrames(all.subarray(0, cut)), String(cut)).toEqual([0, "broken-warc"]);
  });

  describe("with a dictionary of its own", () => {
    const words = utf8(
      "WARC/1.0\r\nWARC-Type: response\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\n<p>",
    );
    const primed = (bytes: Uint8Array, dictionary = words): Buffer =>
      zstdCompressSync?.(bytes, { ...SUMMED, dictionary }) ?? toFrame(bytes);
    /** Older versions of Node.js ignore the dictionary. */
    const isTaken = !primed(words).equals(zstdCompressSync?.(words, SUMMED) ?? toFrame(words));
    const toDictionary = (content: Uint8Array): Buffer => {
      const head = Buffer.from([0x5d, 0x2a, 0x4d, 0x18, 0, 0, 0, 0]);
      head.writeUInt32LE(content.length, 4);
      return Buffer.concat([head, content]);
    };
    const large = recordBytes({
      block: answer(
        utf8(`<p>${"Many words of a long page. ".repeat(200_000)}</p>`),
        "Content-Type: text/html\r\n",
      ),
    });

    it.runIf(isTaken).each([
      ["uncompressed", words],
      ["compressed", pack(words)],
    ])("is read: %s", async (_, content) => {
      const frames = [...records, large].map((record) => primed(record));
      const bytes = Buffer.concat([toDictionary(content), ...frames]);
      const whole = await readAll(Buffer.concat([...records, large]), {});
      expect(whole).toHaveLength(records.length + 1);
      expect(await readAll(bytes, { packing: "zstd" })).toEqual(whole);
      // A file without the dictionary must not be read with the dictionary of the file before.
      expect(await readAll(Buffer.concat(frames), { packing: "zstd" })).not.toEqual(whole);
    });

    it.runIf(isTaken)("is recognised by its first bytes, whatever its name", async () => {
      const long = Buffer.concat([Buffer.alloc(1e6), words]);
      const frames = records.map((record) => primed(record, long));
      await writeFile(join(dir, "nameless"), Buffer.concat([toDictionary(long), ...frames]));
      expect(await read("nameless")).toHaveLength(records.length);
    });

    it.runIf(isTaken)("is reported as damage if the dictionary is cut off or badly compressed", async () => {
      const cut = toDictionary(words).subarray(0, 40);
      expect(await readAll(cut, { packing: "zstd" })).toMatchObject([{ reason: "broken-warc" }]);
      const bad = toDictionary(Buffer.concat([pack(words).subarray(0, 20), Buffer.alloc(20, 0xff)]));
      const outcomes = await readAll(Buffer.concat([bad, primed(records[0]!)]), { packing: "zstd" });
      expect(outcomes[0]).toMatchObject({ ok: false, reason: "broken-warc" });
    });

    it.runIf(!isTaken)("is rejected if this Node.js cannot read it", async () => {
      const bytes = Buffer.concat([toDictionary(words), toFrame(records[0]!)]);
      expect(await readAll(bytes, { packing: "zstd" })).toMatchObject([{ reason: "no-decoder" }]);
    });
  });

  it("is unpacked in an archived answer, up to maxBytes", async () => {
    const zstd = (body: Uint8Array): Buffer =>
      recordBytes({ block: answer(body, "Content-Type: text/html\r\nContent-Encoding: zstd\r\n") });
    const outcomes = await readAll(
      Buffer.concat([
        zstd(Buffer.concat([pack(utf8("<p>A")), pack(utf8("</p>"))])),
        zstd(utf8("<p>B</p>")),
        zstd(pack(Buffer.alloc(1e7))),
      ]),
    );
    expect(outcomes).toMatchObject([
      { value: { content: { bytes: new Uint8Array(Buffer.from("<p>A</p>")) } } },
      { value: { content: { bytes: new Uint8Array(Buffer.from("<p>B</p>")) } } },
      { reason: "too-large" },
    ]);
  });
});
