import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openInputs, type InputOptions } from "../../../src/acquire/inputs.js";
import { openParts } from "../../../src/acquire/open-parts.js";
import { toPart } from "../../../src/shard/plan/manifest.js";
import { splitFile } from "../../../src/shard/plan/split.js";
import { collectAll } from "../../collect-all.js";
import { closeAll, serveHttp } from "../http/asking.js";
import { gather, inChunks, utf8 } from "../gather.js";
import { outline, packEach, pageRecord, recordBytes } from "./warc-file.js";
import { zipBytes, type MemberSpec } from "./zip-file.js";

const OPTIONS: InputOptions = { maxBytes: 100_000, timeoutMs: 1000 };
const records = Array.from({ length: 12 }, (_, number) => pageRecord(number));
const request = recordBytes({ type: "request", block: "GET / HTTP/1.1\r\n\r\n" });
const index = { name: "indexes/index.cdx.gz", bytes: gzipSync("org,example)/ 2024 {}\n") };
const pages = {
  name: "pages/pages.jsonl",
  bytes: utf8('{"id":"1","url":"http://example.org/1","text":"Page"}\n'),
};
const datapackage = {
  name: "datapackage.json",
  bytes: utf8('{"profile":"data-package","wacz_version":"1.1.1"}'),
};

/** A WACZ as the usual tools write it: stored WARC files, then what describes them. */
const usual: readonly MemberSpec[] = [
  { name: "archive/data-0.warc.gz", bytes: packEach([...records.slice(0, 4), request]) },
  { name: "archive/data-1.warc.gz", bytes: packEach(records.slice(4, 8)) },
  index,
  pages,
  { name: "archive/data-2.warc", bytes: Buffer.concat(records.slice(8)) },
  datapackage,
];
const ALL = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

let dir = "";
const at = (name: string): string => `${dir}/${name}`;
beforeAll(async () => {
  dir = (await mkdtemp(join(tmpdir(), "thresher-wacz-"))).replaceAll("\\", "/");
});
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
});

async function write(name: string, bytes: Uint8Array): Promise<string> {
  await writeFile(at(name), bytes);
  return at(name);
}

const read = async (input: string, options: Partial<InputOptions> = {}): Promise<(number | string)[]> =>
  outline(await gather(openInputs([input], { ...OPTIONS, ...options })));

describe("a WACZ file", () => {
  it("gives the pages of all WARC files in it, and counts like them", async () => {
    const bytes = zipBytes(usual);
    const file = await write("crawl.wacz", bytes);
    const source = openInputs([file], OPTIONS);
    expect(outline(await gather(source))).toEqual(ALL);
    expect([...source.passedOver()]).toEqual([["request", 1]]);
    expect(source.isSingle()).toBe(false);
    expect(source.bytesRead()).toBe(bytes.length);
    expect(await read(dir)).toEqual(ALL);
    expect(await read(dir, { from: "warc" })).toEqual(ALL);
    expect(await read(at("*.wacz"))).toEqual(ALL);
  });

  it.each([
    ["in zip64", usual, { isZip64: true }],
    ["deflated", usual.map((one) => ({ ...one, isDeflated: true })), {}],
    ["with a member whose size is wrong in the directory", [...usual, { ...pages, claims: 0xfffffff0 }], {}],
    ["within a WACZ of several crawls", [{ name: "one.wacz", bytes: zipBytes(usual) }, datapackage], {}],
    [
      "with unusual names, and hidden files of macOS",
      [
        ...usual.slice(0, 2),
        { name: "../archive/../häß\u2028.warc", bytes: Buffer.concat(records.slice(8)), flags: 0 },
        { name: "__MACOSX/archive/._data-0.warc.gz", bytes: packEach(records) },
      ],
      {},
    ],
  ] as const)("is read %s", async (name, members, options) => {
    expect(await read(await write(`${name}.wacz`, zipBytes(members, options)))).toEqual(ALL);
  });

  it("is recognised by its first member, whatever its name", async () => {
    const file = await write("crawl.zip", zipBytes(usual));
    expect(await read(file)).toEqual(ALL);
    expect(await read(await write("other.zip", zipBytes([{ name: "x/a.warc", bytes: request }])))).toEqual([
      "binary",
    ]);
  });

  it("names a record without an id by its file and its offset in that", async () => {
    const record = recordBytes({
      id: "",
      block: "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Text",
    });
    const file = await write("ids.wacz", zipBytes([datapackage, { name: "archive/a.warc", bytes: record }]));
    expect(await gather(openInputs([file], OPTIONS))).toMatchObject([
      { value: { id: `${file}/archive/a.warc@0` } },
    ]);
  });

  it("reports a WARC file that cannot be read, and reads the others", async () => {
    const [first, second, ...rest] = usual;
    if (first === undefined || second === undefined) throw new Error("no members");
    const damaged = second.bytes.map((byte, place) => (place === 300 ? byte ^ 0xff : byte));
    const members = [{ ...first, method: 93 }, { ...second, bytes: damaged }, ...rest];
    expect(await read(await write("bad.wacz", zipBytes(members)))).toEqual([
      "binary",
      "broken-warc",
      5,
      6,
      7,
      8,
      9,
      10,
      11,
    ]);
    const [last] = rest.slice(-2);
    if (last === undefined) throw new Error("no members");
    const bytes = zipBytes([{ ...last, isDeflated: true }, first]);
    bytes.fill(0xff, 600, 620);
    expect(await read(await write("torn.wacz", bytes))).toEqual(["broken-gzip", 0, 1, 2, 3]);
  });

  it("reads a WARC file whose name is damaged, and reports another file in its folder", async () => {
    const renamed = (name: string): MemberSpec[] =>
      usual.map((one, at) => (at === 1 ? { ...one, name } : one));
    for (const name of ["archive/data-1.warb.gz", "archive/data-1.warc.hz", "archive/data-1\x0ewarc\x0egz"])
      expect(await read(await write("named.wacz", zipBytes(renamed(name))))).toEqual(ALL);
    const notes = { name: "archive/NOTES", bytes: utf8("These files were fetched in May.\n") };
    expect(await read(await write("notes.wacz", zipBytes([...usual, notes])))).toEqual([
      ...ALL,
      "broken-warc",
    ]);
  });

  it("says that there is no WARC file", async () => {
    expect(await read(await write("none.wacz", zipBytes([pages, datapackage])))).toEqual(["empty"]);
    expect(await read(await write("empty.wacz", zipBytes([])))).toEqual(["empty"]);
    const nothing = { name: "archive/a.warc.gz", bytes: new Uint8Array(0) };
    expect(await read(await write("nothing.wacz", zipBytes([nothing, ...usual])))).toEqual(["empty", ...ALL]);
    expect(await read(await write("no bytes.wacz", new Uint8Array(0)))).toEqual(["broken-warc", "empty"]);
  });

  it("is searched for records if its directory is missing or wrong", async () => {
    const bytes = zipBytes(usual.slice(0, 4));
    const half = (usual[0]?.bytes.length ?? 0) + (usual[1]?.bytes.length ?? 0) / 2;
    const cut = await read(await write("cut.wacz", bytes.subarray(0, half)));
    expect(cut.filter((one) => typeof one === "number")).toEqual([0, 1, 2, 3, 4]);
    expect(cut[0]).toBe("broken-warc");
    const wrong = Buffer.from(bytes);
    wrong.fill(0, wrong.indexOf("PK\x01\x02"), wrong.indexOf("PK\x01\x02") + 4);
    const found = await read(await write("wrong.wacz", wrong));
    expect(found.filter((one) => typeof one === "number")).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    const huge = [...usual.slice(0, 1).map((one) => ({ ...one, claims: 0xfffffff0 })), ...usual.slice(1, 3)];
    const all = await read(await write("huge.wacz", zipBytes(huge)));
    expect(all.filter((one) => typeof one === "number")).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it.each([
    ["the directory", "PK\x06\x07", 8],
    ["the first entry", "PK\x06\x06", 48],
    ["a WARC file", "PK\x01\x02", 46 + "archive/data-0.warc.gz".length + 20],
  ])("is searched for records if it has a wrong 64-bit offset of %s", async (name, start, at) => {
    for (const far of [2n ** 40n, 2n ** 53n + 2n ** 20n, 2n ** 60n]) {
      const bytes = zipBytes(usual.slice(0, 4), { isZip64: true });
      bytes.writeBigUInt64LE(far, bytes.indexOf(start) + at);
      const found = await read(await write(`far ${name}.wacz`, bytes));
      expect(found.filter((one) => typeof one === "number")).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      expect(found[0]).toBe("broken-warc");
    }
  });

  it("gives no page twice, and throws nothing, wherever it is cut", async () => {
    const bytes = zipBytes(usual);
    for (let length = 1; length < bytes.length; length += 211) {
      const found = await read(await write("cut.wacz", bytes.subarray(0, length)));
      const numbers = found.filter((one) => typeof one === "number");
      expect(numbers).toEqual(ALL.slice(0, numbers.length));
      expect(found.length).toBeGreaterThan(numbers.length);
    }
  });

  it("refuses members that overlap, so that each record is read once", async () => {
    const inner = packEach(records.slice(0, 2));
    const bytes = zipBytes([
      { name: "archive/a.warc.gz", bytes: inner },
      { name: "archive/b.warc.gz", bytes: inner },
    ]);
    // The second entry of the directory gets the offset of the first one.
    bytes.writeUInt32LE(0, bytes.lastIndexOf("PK\x01\x02") + 42);
    const found = await read(await write("overlap.wacz", bytes));
    expect(found.filter((one) => typeof one === "number")).toEqual([0, 1, 0, 1]);
    expect(found[0]).toBe("broken-warc");
  });

  it("cannot be read from a stream", async () => {
    const bytes = zipBytes(usual);
    const why = { reason: "binary", detail: expect.stringContaining("unzip -p FILE") as string };
    expect(await gather(openInputs(["-"], { ...OPTIONS, stdin: inChunks(bytes, 1000) }))).toMatchObject([
      why,
    ]);
    expect(await gather(openInputs([await write("packed.wacz.gz", gzipSync(bytes))], OPTIONS))).toMatchObject(
      [why],
    );
  });

  it("is read in ranges from a server of objects", async () => {
    const bytes = zipBytes(usual.map((one, place) => ({ ...one, isDeflated: place === 1 })));
    const port = await serveHttp((request, response) => {
      const [, from = "", to = ""] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
      const part = bytes.subarray(Number(from), to === "" ? bytes.length : Number(to) + 1);
      const range = `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}`;
      response.writeHead(206, { "content-range": range, "content-length": part.length, etag: '"1"' });
      response.end(part);
    });
    try {
      const url = `http://127.0.0.1:${port}/crawl.wacz`;
      expect(outline(await gather(openParts([{ id: url, path: url, etag: '"1"' }], OPTIONS)))).toEqual(ALL);
    } finally {
      await closeAll();
    }
  });

  it.each([
    ["stored", false],
    ["partly deflated", true],
  ])("is continued after any outcome: %s", async (name, isDeflated) => {
    const members = usual.map((one, place) => ({ ...one, isDeflated: isDeflated && place % 2 === 1 }));
    const file = await write(`resume ${name}.wacz`, zipBytes(members));
    for (let count = 1; count < ALL.length; count += 1) {
      const source = openInputs([file], OPTIONS);
      const iterator = source.pages();
      for (let done = 0; done < count; done += 1) await iterator.next();
      const after = source.position();
      await iterator.return(undefined);
      if (after === undefined) throw new Error("no position");
      if (!isDeflated) expect(after.start?.offset).toBeGreaterThan(0);
      const next = openInputs([file], { ...OPTIONS, after });
      expect(outline(await gather(next))).toEqual(ALL.slice(count));
      expect(Object.fromEntries(next.passedOver())).toEqual({ request: 1 });
    }
  });

  it("gives the same pages in parts", async () => {
    const members = usual.map((one, place) => ({ ...one, isDeflated: place === 1 }));
    const bytes = zipBytes(members);
    const file = await write("parts.wacz", bytes);
    for (const size of [bytes.length, 2000, 800]) {
      const whole = { uri: file, path: file, bytes: bytes.length, etag: "" };
      const inputs = await splitFile(whole, { ...OPTIONS, size, signal: new AbortController().signal });
      if (size < bytes.length) expect(inputs.length).toBeGreaterThan(1);
      const sources = inputs.map((input) => openParts([toPart(input, "/")], OPTIONS));
      const outcomes = [];
      for (const source of sources)
        outcomes.push(...(await collectAll(source.pages(new AbortController().signal))));
      expect(outline(outcomes)).toEqual(ALL);
      expect(sources.reduce((sum, source) => sum + source.bytesRead(), 0)).toBe(bytes.length);
    }
  });
});
