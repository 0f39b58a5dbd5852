/** Writes pages as a WARC file like a crawler: a gzip member per record, with requests and some poison in between. */
import { createWriteStream } from "node:fs";
import { once } from "node:events";
import { gzipSync } from "node:zlib";
import { createDice } from "./dice.js";
import type { CrawledPage } from "./varied-pages.js";

/** One poisoned response follows per this many pages, on average. */
const POISONED = 200;
/** The gzip level, as in most servers' copies: pages are compressed hard once and read often. */
const LEVEL = 6;

export interface Archive {
  readonly file: string;
  /** The number of good pages, their decoded bytes, and the bytes of the file. */
  readonly pages: number;
  readonly pageBytes: number;
  readonly bytes: number;
}

/**
 * Responses that end as a reject or as a document with a note. Each must be quick and must not affect other records.
 */
const POISON: readonly (() => Buffer)[] = [
  () => answer("404 Not Found", "text/html", "<p>Not here.</p>"),
  () => answer("200 OK", "image/png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0])),
  () => answer("200 OK", "text/html", `${"<div>".repeat(20_000)}deep`),
  () => answer("200 OK", "text/html", gzipSync(Buffer.alloc(30_000_000)), "Content-Encoding: gzip\r\n"),
  () => answer("200 OK", "text/html", Buffer.from("<p>caf\xe9 \xff\xfe\x80", "latin1")),
  () => answer("200 OK", "text/html", "<".repeat(200_000)),
];

/** Writes the pages as a gzipped WARC file, with poison drawn by `seed`; returns its counts and sizes. */
export async function writeArchive(
  file: string,
  pages: Iterable<CrawledPage>,
  seed: number,
): Promise<Archive> {
  const out = createWriteStream(file);
  const roll = createDice(seed);
  let [count, pageBytes, bytes] = [0, 0, 0];
  const write = async (record: Buffer): Promise<void> => {
    const member = gzipSync(record, { level: LEVEL });
    bytes += member.length;
    if (!out.write(member)) await once(out, "drain");
  };
  await write(record("warcinfo", "urn:info", Buffer.from("software: bench\r\n")));
  for (const { url, html } of pages) {
    const body = Buffer.from(html);
    await write(record("request", url, Buffer.from(`GET / HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`)));
    await write(record("response", url, answer("200 OK", "text/html; charset=utf-8", body)));
    if (roll(POISONED) === 0)
      await write(record("response", `${url}?poison`, makePoison(roll(POISON.length))));
    count += 1;
    pageBytes += body.length;
  }
  out.end();
  await once(out, "close");
  return { file, pages: count, pageBytes, bytes };
}

function makePoison(which: number): Buffer {
  return POISON[which]?.() ?? Buffer.alloc(0);
}

function answer(status: string, type: string, body: string | Uint8Array, more = ""): Buffer {
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\n${more}\r\n`),
    Buffer.from(body),
  ]);
}

function record(type: string, url: string, block: Buffer): Buffer {
  const contentType = type === "warcinfo" ? "application/warc-fields" : `application/http; msgtype=${type}`;
  const head = [
    "WARC/1.0",
    `WARC-Type: ${type}`,
    `WARC-Record-ID: <${url}#${type}>`,
    `WARC-Target-URI: ${url}`,
    "WARC-Date: 2024-05-02T10:00:00Z",
    `Content-Type: ${contentType}`,
    `Content-Length: ${block.length}`,
  ].join("\r\n");
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`), block, Buffer.from("\r\n\r\n")]);
}
