import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { openInputs } from "../../../src/index.js";
import { OutputError } from "../../../src/outcome.js";
import {
  firstWarc,
  openWarc,
  type WarcArchive,
  type WarcMark,
} from "../../../src/write/warc/warc-archive.js";
import { packExchange, type WarcExchange } from "../../../src/write/warc/warc-exchange.js";
import { findPython, runPython } from "../python.js";
import { readRecords, type WrittenRecord } from "./written-records.js";

const HTML = Buffer.from(
  "<!doctype html><title>Grön</title><p>Det var en gång en grön äng, och där gick en ko.</p>",
);

function exchange(more: Partial<WarcExchange> = {}): WarcExchange {
  const rawBytes = more.rawBytes ?? HTML;
  return {
    url: "http://one.test/a?b=c",
    status: 200,
    reasonPhrase: "OK",
    httpVersion: "1.1",
    requestHeaders: [
      ["user-agent", "Thresher/1.2.3"],
      ["accept-encoding", "gzip, br"],
    ],
    headers: [
      ["Content-Type", "text/html; charset=utf-8"],
      ["Content-Length", String(rawBytes.length)],
      ["X-Twice", "one"],
      ["X-Twice", "two"],
    ],
    bytes: HTML,
    rawBytes,
    address: "192.0.2.7",
    startedAt: new Date("2026-03-01T10:00:30.456Z"),
    ...more,
  };
}

function makeDir(): string {
  return mkdtempSync(join(tmpdir(), "thresher-warc-"));
}

async function open(dir: string, more: { mark?: WarcMark; maxBytes?: number } = {}): Promise<WarcArchive> {
  return openWarc({
    dir,
    mark: firstWarc(dir),
    maxBytes: 1e9,
    info: [
      ["software", "Thresher/1.2.3"],
      ["format", "WARC File Format 1.1"],
    ],
    ...more,
  });
}

const read = (bytes: Buffer): WrittenRecord[] => readRecords(bytes, "WARC/1.1");

async function pack(more: Partial<WarcExchange> = {}, ...rest: unknown[]): Promise<WrittenRecord[]> {
  const [original] = rest as Parameters<typeof packExchange>[1][]; // the second argument is the original record, as callers pass it
  const { members } = await packExchange(exchange(more), original);
  return members.flatMap((member) => read(gunzipSync(member)));
}

function sha1(bytes: Uint8Array): string {
  return createHash("sha1").update(bytes).digest("hex");
}

/** Returns the digest of a field in hexadecimal. */
function digestIn(field: string | undefined): string {
  const text = /^sha1:([A-Z2-7]{32})$/.exec(field ?? "")?.[1] ?? "";
  const bits = Array.from(text, (letter) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
  );
  return (bits.join("").match(/.{4}/g) ?? []).map((four) => Number.parseInt(four, 2).toString(16)).join("");
}

describe("the records of an exchange", () => {
  it("are the answer and its request, with digests, in separate gzip members", async () => {
    const [response, request, ...rest] = await pack();
    expect(rest).toEqual([]);
    const {
      "WARC-Record-ID": id,
      "WARC-Block-Digest": block,
      "WARC-Payload-Digest": payload,
      ...fields
    } = response!.fields;
    expect(fields).toEqual({
      "WARC-Type": "response",
      "WARC-Target-URI": "http://one.test/a?b=c",
      "WARC-Date": "2026-03-01T10:00:30Z",
      "WARC-IP-Address": "192.0.2.7",
      "Content-Type": "application/http;msgtype=response",
      "Content-Length": String(response!.block.length),
    });
    expect(id).toMatch(/^<urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}>$/);
    expect(digestIn(block)).toBe(sha1(response!.block));
    expect(digestIn(payload)).toBe(sha1(HTML));
    expect(response!.block.toString()).toBe(
      `HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: ${HTML.length}\r\nX-Twice: one\r\nX-Twice: two\r\n\r\n${HTML.toString()}`,
    );
    expect(request!.fields).toMatchObject({
      "WARC-Type": "request",
      "WARC-Concurrent-To": id,
      "Content-Type": "application/http;msgtype=request",
    });
    expect(digestIn(request!.fields["WARC-Block-Digest"])).toBe(sha1(request!.block));
    expect(request!.block.toString()).toBe(
      "GET /a?b=c HTTP/1.1\r\nHost: one.test\r\nuser-agent: Thresher/1.2.3\r\naccept-encoding: gzip, br\r\n\r\n",
    );
  });

  it("rename headers that no longer apply, and mark what was cut", async () => {
    const headers = [
      ["Transfer-Encoding", "chunked"],
      ["Content-Encoding", "br"],
    ] as const;
    const head = async (more: Partial<WarcExchange>): Promise<string> =>
      (await pack({ headers, ...more }))[0]!.block.toString("latin1").split("\r\n\r\n")[0]!;
    expect(await head({})).toBe(
      "HTTP/1.1 200 OK\r\nX-Crawler-Transfer-Encoding: chunked\r\nContent-Encoding: br",
    );
    const { url, status, reasonPhrase, httpVersion, requestHeaders, bytes, address, startedAt } = exchange();
    const bare = {
      url,
      status,
      reasonPhrase,
      httpVersion,
      requestHeaders,
      headers,
      bytes,
      address,
      startedAt,
    };
    const { members } = await packExchange(bare);
    const [response] = read(gunzipSync(members[0]!));
    expect(response!.block.toString()).toContain("X-Crawler-Content-Encoding: br\r\n\r\n<!doctype html>");
    const [cut] = await pack({ truncated: "length", httpVersion: "2", address: "" });
    expect(cut!.fields).toMatchObject({ "WARC-Truncated": "length", "WARC-Protocol": "h2" });
    expect(cut!.fields).not.toHaveProperty("WARC-IP-Address");
    expect(cut!.block.toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  it("may hold headers of any bytes, but no line breaks in them", async () => {
    const [response] = await pack({
      reasonPhrase: "Gr\xfcn\r\nX: y",
      headers: [["X-Name", "na\xefve\r\n\r\n<p>"]],
    });
    expect(response!.block.subarray(0, response!.block.length - HTML.length).toString("latin1")).toBe(
      "HTTP/1.1 200 Gr\xfcn X: y\r\nX-Name: na\xefve <p>\r\n\r\n",
    );
  });

  it("are a revisit if the server answered not modified", async () => {
    const original = {
      profile: "server-not-modified",
      record: "urn:uuid:8f1f2a3b-1111-4222-8333-444455556666",
      date: "2026-02-01T00:00:00.123Z",
      digest: "sha1:AAAA",
    };
    const none = new Uint8Array(0);
    const [revisit, request] = await pack(
      { status: 304, reasonPhrase: "Not Modified", bytes: none, rawBytes: none },
      original,
    );
    expect(revisit!.fields).toMatchObject({
      "WARC-Type": "revisit",
      "WARC-Profile": "http://netpreserve.org/warc/1.1/revisit/server-not-modified",
      "WARC-Refers-To": `<${original.record}>`,
      "WARC-Refers-To-Date": "2026-02-01T00:00:00Z",
      "WARC-Refers-To-Target-URI": "http://one.test/a?b=c",
      "WARC-Payload-Digest": "sha1:AAAA",
    });
    expect(request!.fields["WARC-Type"]).toBe("request");
    const [without] = await pack({ status: 304 }, {});
    expect(without!.fields).not.toHaveProperty("WARC-Refers-To");
  });
});

const pageOf = (number: number): Partial<WarcExchange> => ({ url: `http://one.test/${number}` });

async function urlsIn(dir: string): Promise<string[]> {
  const urls: string[] = [];
  const inputs = openInputs(readdirSync(dir).map((name) => join(dir, name)));
  for await (const outcome of inputs.pages(new AbortController().signal)) {
    expect(outcome).toMatchObject({ ok: true });
    urls.push(outcome.ok ? outcome.value.url : "");
  }
  return urls;
}

describe("an archive", () => {
  it("begins each file with a warcinfo record, and starts a new file when one is long enough", async () => {
    const dir = makeDir();
    const archive = await open(dir, { maxBytes: 2000 });
    const places = [];
    for (let at = 0; at < 9; at += 1)
      places.push(await archive.append(await packExchange(exchange(pageOf(at)))));
    const mark = await archive.sync();
    await archive.close();
    await archive.close();
    const names = readdirSync(dir);
    expect(names.length).toBeGreaterThan(2);
    expect(mark).toEqual({ file: names.length, bytes: statSync(join(dir, names.at(-1)!)).size });
    for (const name of names) {
      const [info] = read(gunzipSync(readFileSync(join(dir, name))));
      expect(info!.fields).toMatchObject({ "WARC-Type": "warcinfo", "WARC-Filename": name });
      expect(info!.block.toString()).toBe("software: Thresher/1.2.3\r\nformat: WARC File Format 1.1\r\n");
    }
    for (const [at, { file, offset }] of places.entries()) {
      const [first] = read(gunzipSync(readFileSync(join(dir, file)).subarray(offset)));
      expect(first!.fields).toMatchObject({
        "WARC-Type": "response",
        "WARC-Target-URI": `http://one.test/${at}`,
      });
    }
    expect(await urlsIn(dir)).toEqual(places.map((_, at) => `http://one.test/${at}`));
  });

  it("continues after its mark, and drops what was written after it", async () => {
    const dir = makeDir();
    const first = await open(dir, { maxBytes: 2000 });
    for (let at = 0; at < 3; at += 1) await first.append(await packExchange(exchange(pageOf(at))));
    const mark = await first.sync();
    for (let at = 3; at < 12; at += 1) await first.append(await packExchange(exchange(pageOf(at))));
    await first.close();
    const last = join(dir, readdirSync(dir).at(-1)!);
    truncateSync(last, statSync(last).size - 20);
    const second = await open(dir, { maxBytes: 2000, mark });
    expect(await urlsIn(dir)).toEqual([0, 1, 2].map((at) => `http://one.test/${at}`));
    await second.append(await packExchange(exchange(pageOf(50))));
    await second.close();
    expect(await urlsIn(dir)).toEqual([0, 1, 2, 50].map((at) => `http://one.test/${at}`));
  });

  it("overwrites no file, and reports what it cannot do", async () => {
    const dir = makeDir();
    writeFileSync(join(dir, "thresher-00001.warc.gz"), "another's");
    const archive = await open(dir);
    await archive.append(await packExchange(exchange()));
    const mark = await archive.sync();
    await archive.close();
    expect(mark.file).toBe(2);
    expect(readFileSync(join(dir, "thresher-00001.warc.gz"), "utf8")).toBe("another's");
    // The file is shorter than what was written to it.
    truncateSync(join(dir, "thresher-00002.warc.gz"), 50);
    await expect(open(dir, { mark })).rejects.toThrow(OutputError);
    writeFileSync(join(dir, "file"), "");
    await expect(open(join(dir, "file"), { mark: { file: 1, bytes: 0 } })).rejects.toThrow(
      /cannot write the archive in/,
    );
  });
});

const BODIES: readonly Partial<WarcExchange>[] = [
  {},
  {
    rawBytes: gzipSync(HTML),
    headers: [
      ["Content-Type", "text/html"],
      ["Content-Encoding", "gzip"],
    ],
  },
  {
    rawBytes: brotliCompressSync(HTML),
    headers: [
      ["Content-Type", "text/html"],
      ["Content-Encoding", "br"],
      ["Transfer-Encoding", "chunked"],
    ],
  },
  {
    headers: [
      ["Content-Type", "text/html"],
      ["Transfer-Encoding", "chunked"],
    ],
    httpVersion: "1.0",
  },
];

async function writeAll(dir: string): Promise<string> {
  const archive = await open(dir);
  for (const [at, more] of BODIES.entries())
    await archive.append(await packExchange(exchange({ ...pageOf(at), ...more })));
  const none = new Uint8Array(0);
  const redirect = {
    status: 302,
    reasonPhrase: "Found",
    headers: [["Location", "/1"]],
    bytes: none,
    rawBytes: none,
  } as const;
  await archive.append(await packExchange(exchange(redirect)));
  await archive.append(
    await packExchange(exchange({ ...redirect, status: 304, headers: [] }), {
      profile: "server-not-modified",
      date: "2026-03-01T10:00:30Z",
    }),
  );
  await archive.close();
  return join(dir, "thresher-00001.warc.gz");
}

describe("the archive in other readers", () => {
  it("gives our reader the page from every coding", async () => {
    const path = await writeAll(makeDir());
    const outcomes = [];
    for await (const outcome of openInputs([path]).pages(new AbortController().signal))
      outcomes.push(outcome);
    expect(outcomes).toHaveLength(BODIES.length + 1);
    for (const outcome of outcomes.slice(0, -1))
      expect(outcome).toMatchObject({ ok: true, value: { content: { bytes: new Uint8Array(HTML) } } });
    expect(outcomes.at(-1)).toMatchObject({ ok: false, reason: "http-status", detail: "archived HTTP 302" });
  });

  const warcio = findPython("warcio");
  it.skipIf(warcio === undefined)(
    "gives warcio every record, with correct digests (needs a Python with warcio)",
    async () => {
      const path = await writeAll(makeDir());
      const script = `
import base64, json, sys
from warcio.archiveiterator import ArchiveIterator
found = []
with open(sys.argv[1], "rb") as stream:
    for record in ArchiveIterator(stream, check_digests="raise"):
        body = record.content_stream().read() if record.rec_type == "response" else b""
        found.append([record.rec_type, base64.b64encode(body).decode()])
print(json.dumps(found))`;
      const page = HTML.toString("base64");
      expect(runPython(warcio ?? "", script, [path])).toEqual([
        ["warcinfo", ""],
        ...BODIES.flatMap((_, at) => [
          ["response", at === 2 ? expect.anything() : page],
          ["request", ""],
        ]),
        ["response", ""],
        ["request", ""],
        ["revisit", ""],
        ["request", ""],
      ]);
    },
  );

  const fastwarc = findPython("fastwarc");
  it.skipIf(fastwarc === undefined)(
    "gives FastWARC every record, with correct digests (needs a Python with fastwarc)",
    async () => {
      const path = await writeAll(makeDir());
      const script = `
import json, sys
from fastwarc.warc import ArchiveIterator
found = []
for record in ArchiveIterator(open(sys.argv[1], "rb"), parse_http=False):
    ok = record.verify_block_digest()
    kind = record.headers.get("WARC-Type")
    record.parse_http()
    status = record.http_headers.status_code if record.http_headers and kind == "response" else None
    found.append([kind, ok, status])
print(json.dumps(found))`;
      expect(runPython(fastwarc ?? "", script, [path])).toEqual([
        ["warcinfo", true, null],
        ...BODIES.flatMap(() => [
          ["response", true, 200],
          ["request", true, null],
        ]),
        ["response", true, 302],
        ["request", true, null],
        ["revisit", true, null],
        ["request", true, null],
      ]);
    },
  );
});
