import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readBody } from "../../../src/acquire/warc/http-answer.js";
import { parseHttp, readChunks } from "../../../src/acquire/warc/http-answer.js";
import { expectLinear } from "../../growth.js";
import { utf8 } from "../gather.js";

const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");

describe("parseHttp", () => {
  it("reads status, fields and body", () => {
    const answer = parseHttp(
      utf8("HTTP/1.1 200 OK\r\nA: 1\r\na:2\r\nLong: x\r\n\ty\r\nnone\r\n\r\nbody\r\n\r\nmore"),
    );
    if (typeof answer === "string") throw new Error(answer);
    expect(answer.status).toBe(200);
    expect([...answer.fields]).toEqual([
      ["a", ["1", "2"]],
      ["long", ["x y"]],
    ]);
    expect(Buffer.from(answer.body).toString()).toBe("body\r\n\r\nmore");
  });

  it.each([
    ["HTTP/1.0 404\r\n\r\n", 404],
    ["HTTP/2 301 \r\n\r\n", 301],
    ["http/1.1  200 Fine\n\nx", 200],
    ["HTTP/1.1 200 OK", 200],
    ["HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nx", 200],
    ["HTTP/1.1 100 Continue\r\n\r\n", 100],
    ["HTTP/1.1 2000 OK\r\n\r\n", undefined],
    ["HTTP/1.1 OK\r\n\r\n", undefined],
    ["ICY 200 OK\r\n\r\n", undefined],
    ["<p>", undefined],
    ["HTTP/1.1 100 C\r\n\r\n".repeat(20), undefined],
  ])("reads the status of %j", (block, status) => {
    const answer = parseHttp(utf8(block));
    expect(typeof answer === "string" ? undefined : answer.status).toBe(status);
    if (status === undefined) expect(answer).toBe("no HTTP header in an archived answer");
  });

  it.each(["\r\n\r\n", "\n\n", "\n\r\n", "\r\n\n"])("finds the body after %j", (end) => {
    const answer = parseHttp(utf8(`HTTP/1.1 200 OK\nA: 1${end}body\n\nmore`));
    if (typeof answer === "string") throw new Error(answer);
    expect([...answer.fields]).toEqual([["a", ["1"]]]);
    expect(Buffer.from(answer.body).toString()).toBe("body\n\nmore");
  });

  it("reads everything as header if the header has no end", () => {
    const block = utf8(`HTTP/1.1 200 OK\r\n${"A: b\r\n".repeat(30_000)}`);
    expect(parseHttp(block)).toMatchObject({ status: 200, body: new Uint8Array(0) });
  });

  it.each(["", "\r\n<p>body"])("refuses a header of 4 MB, followed by %j", (rest) => {
    const block = utf8(`HTTP/1.1 200 OK\r\nA: ${"b".repeat(4_000_000)}\r\n${rest}`);
    expect(parseHttp(block)).toBe("an HTTP header of more than 1048576 bytes");
  });

  it("reads a field of very many lines in linear time", async () => {
    await expectLinear(
      1 << 19,
      (size) => utf8(`HTTP/1.1 200 OK\r\nA: b${"\n c".repeat(size / 3)}\n\nbody`),
      (block) => {
        expect(parseHttp(block)).toMatchObject({ status: 200 });
      },
    );
  });
});

describe("readChunks", () => {
  it.each([
    ["3\r\nabc\r\n0\r\n\r\n", "abc", false],
    ["3;x=y\r\nabc\r\n2 \r\nde\r\n0\r\nTrailer: x\r\n\r\n", "abcde", false],
    ["3\nabc\n0\n\n", "abc", false],
    ["3\r\nabc\r\n", "abc", false],
    ["3\r\nabc", "abc", true],
    ["5\r\nabc", "abc", true],
    ["3\r\nabc\r\n5\r\nde", "abcde", true],
    ["3\r\nabc\r\nffffffff\r\nde", "abcde", true],
    ["3\r\nabc\r\nnone\r\n", "abc", true],
    ["0\r\n\r\n", "", false],
  ])("decodes %j", (body, text, isCut) => {
    const chunks = readChunks(utf8(body));
    expect(Buffer.from(chunks?.body ?? []).toString()).toBe(text);
    expect(chunks?.isCut).toBe(isCut);
  });

  it.each(["<p>text</p>", "abc is no size\r\n", "2\r\nabcdef", "", "-1\r\n", "fffffffff\r\nx"])(
    "finds no chunks in %j",
    (body) => {
      expect(readChunks(utf8(body))).toBeUndefined();
    },
  );
});

describe("readBody", () => {
  const html = utf8(`<p>${"Some text of a page. ".repeat(50)}</p>`);
  const read = (header: Readonly<Record<string, string>>, body: Uint8Array, more = {}): string => {
    const fields = new Map(Object.entries(header).map(([name, value]) => [name, [value]]));
    const result = readBody(fields, body, { maxBytes: 10_000, isTruncated: false, ...more });
    return result.ok ? Buffer.from(result.bytes).toString() : `${result.reason}: ${result.detail}`;
  };
  const text = Buffer.from(html).toString();
  const chunked = (body: Uint8Array): Buffer =>
    Buffer.concat([utf8(`${body.length.toString(16)}\r\n`), body, utf8("\r\n0\r\n\r\n")]);

  it.each([
    ["gzip", gzipSync(html)],
    ["X-GZIP", gzipSync(html)],
    ["gzip", Buffer.concat([gzipSync(html), Buffer.from("\n<!-- 0.1 s -->")])],
    ["gzip", Buffer.concat([gzipSync(html), Buffer.from("\n")])],
    ["br", brotliCompressSync(html)],
    ["deflate", deflateSync(html)],
    ["deflate", deflateRawSync(html)],
    ["gzip, br", brotliCompressSync(gzipSync(html))],
    ["identity", html],
    ["utf-8", html],
    ["", gzipSync(html)],
  ])("unpacks %s, and reads a body that is not packed", (coding, body) => {
    expect(read({ "content-encoding": coding }, body)).toBe(text);
    expect(read({ "content-encoding": coding }, html)).toBe(text);
    expect(read({ "content-encoding": coding, "transfer-encoding": "chunked" }, chunked(body))).toBe(text);
    expect(read({ "content-encoding": coding, "transfer-encoding": "chunked" }, html)).toBe(text);
    expect(read({ "content-encoding": coding }, new Uint8Array(0))).toBe("");
  });

  it.each([
    ["gzip", gzipSync(html)],
    ["br", brotliCompressSync(html)],
    ["deflate", deflateSync(html)],
    ["deflate", deflateRawSync(html)],
  ])("keeps the start of incomplete %s only if the crawler stated that it stopped", (coding, body) => {
    const cut = body.subarray(0, -10);
    expect(read({ "content-encoding": coding }, cut)).toMatch(
      /^broken-gzip: the \w+ coding of the archived answer: /,
    );
    const rest = read({ "content-encoding": coding }, cut, { isTruncated: true });
    expect(text.startsWith(rest)).toBe(true);
    const open = { "transfer-encoding": "chunked" };
    expect(read(open, chunked(html).subarray(0, 500))).toMatch(/^broken-warc: /);
    expect(read(open, chunked(html).subarray(0, 500), { isTruncated: true })).toBe(text.slice(0, 495));
  });

  it.each([
    ["gzip", gzipSync(Buffer.alloc(1e7))],
    ["br", brotliCompressSync(Buffer.alloc(1e7))],
    ["deflate", deflateSync(Buffer.alloc(1e7))],
    ["", gzipSync(Buffer.alloc(1e7))],
  ])("rejects a body that unpacks to more than maxBytes: %s", (coding, body) => {
    expect(read({ "content-encoding": coding }, body)).toMatch(/^too-large: /);
  });

  it("refuses unknown codings and too many codings", () => {
    const packed = latin1("\x00\x01\x02\x03");
    expect(read({ "content-encoding": "compress" }, packed)).toBe(
      "unsupported-type: content-encoding compress",
    );
    expect(read({ "content-encoding": "constructor" }, packed)).toMatch(/^unsupported-type: /);
    expect(read({ "content-encoding": "gzip, gzip, gzip, gzip" }, html)).toMatch(/^unsupported-type: 4 /);
    expect(read({ "content-encoding": "br" }, packed)).toMatch(/^broken-gzip: /);
  });

  it("ignores what is no coding, also for a page in UTF-16", () => {
    const wide = Buffer.from(`\ufeff${text}`, "utf16le");
    for (const coding of ["none", "utf-8", "text/html", "8bit"])
      expect(read({ "content-encoding": coding }, wide), coding).toBe(wide.toString());
  });

  it("reports gzip that is cut off after its first member", () => {
    const members = Buffer.concat([gzipSync(html.subarray(0, 99)), gzipSync(html.subarray(99))]);
    const first = gzipSync(html.subarray(0, 99)).length;
    for (const end of [first + 1, first + 2, first + 3, first + 30])
      expect(read({ "content-encoding": "gzip" }, members.subarray(0, end)), String(end)).toMatch(
        /^broken-gzip: /,
      );
  });
});
