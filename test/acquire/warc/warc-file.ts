/** Writes WARC files for the tests of this room byte by byte, so that they can be wrong on purpose. */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { isGzip } from "../../../src/acquire/packed/decompress.js";
import { toBase32 } from "../../../src/bytes/base32.js";
import { readWarc, type WarcOptions } from "../../../src/acquire/warc/warc.js";
import type { Page } from "../../../src/document.js";
import type { Outcome } from "../../../src/outcome.js";
import { inChunks } from "../gather.js";
import { collectAll } from "../../collect-all.js";

export interface RecordSpec {
  readonly type?: string;
  readonly id?: string;
  readonly url?: string;
  readonly contentType?: string;
  readonly block?: string | Uint8Array;
  /** Replaces the real length. */
  readonly length?: string;
  readonly hasDigest?: boolean;
  /** More header lines, each with its line break. */
  readonly more?: string;
  /** The bytes after the block. */
  readonly end?: string;
}

export function recordBytes(spec: RecordSpec = {}): Buffer {
  const block = Buffer.from(spec.block ?? "");
  const { type = "response", id = "urn:uuid:0", url = "http://example.org/" } = spec;
  const { contentType = "application/http; msgtype=response", length = String(block.length) } = spec;
  const digest = toBase32(createHash("sha1").update(block).digest());
  const header = [
    "WARC/1.0",
    `WARC-Type: ${type}`,
    `WARC-Record-ID: <${id}>`,
    `WARC-Target-URI: ${url}`,
    "WARC-Date: 2024-05-02T10:00:00Z",
    `Content-Type: ${contentType}`,
    ...(spec.hasDigest === true ? [`WARC-Block-Digest: sha1:${digest}`] : []),
    `${spec.more ?? ""}Content-Length: ${length}`,
  ].join("\r\n");
  return Buffer.concat([Buffer.from(`${header}\r\n\r\n`), block, Buffer.from(spec.end ?? "\r\n\r\n")]);
}

/** Makes an HTTP answer. */
export function answer(
  body: string | Uint8Array,
  header = "Content-Type: text/html\r\n",
  status = "200 OK",
): Buffer {
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${header}\r\n`), Buffer.from(body)]);
}

export function pageHtml(number: number, size = 200): string {
  let text = "";
  // The text varies, so that it stays long enough to damage after compression.
  for (let seed = number + 1; text.length < size; seed = (seed * 48271) % 2147483647)
    text += `word${seed.toString(36)} `;
  return `<!doctype html><title>Page ${number}</title><p>${text}</p>`;
}

export function pageRecord(number: number, size = 200, more: RecordSpec = {}): Buffer {
  const block = answer(pageHtml(number, size));
  return recordBytes({
    id: `urn:uuid:${number}`,
    url: `http://example.org/${number}`,
    block,
    hasDigest: true,
    ...more,
  });
}

/** Packs as crawlers do: one gzip member for each record. */
export function packEach(records: readonly Uint8Array[]): Buffer {
  return Buffer.concat(records.map((record) => gzipSync(record)));
}

/** Packs as a person does: all records in one gzip member. */
export function packWhole(records: readonly Uint8Array[]): Buffer {
  return gzipSync(Buffer.concat(records));
}

/** Packs as bgzip does: gzip members end anywhere. */
export function packBlocks(records: readonly Uint8Array[], size: number): Buffer {
  const bytes = Buffer.concat(records);
  const members: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) members.push(gzipSync(bytes.subarray(at, at + size)));
  return Buffer.concat(members);
}

export interface ReadOptions extends Partial<WarcOptions> {
  /** Chunk size in bytes. */
  readonly size?: number;
}

export async function readAll(bytes: Uint8Array, options: ReadOptions = {}): Promise<Outcome<Page>[]> {
  const { size = 1 << 20, ...rest } = options;
  const chunks = inChunks(bytes, size);
  const packing = isGzip(bytes) ? { packing: "gzip" as const } : {};
  return collectAll(readWarc(chunks, { input: "x.warc", maxBytes: 100_000, ...packing, ...rest }));
}

/** Returns the number of each page that was read correctly, and the reason of each reject. */
export function outline(outcomes: readonly Outcome<Page>[]): (number | string)[] {
  return outcomes.map((outcome) => {
    if (!outcome.ok) return outcome.reason;
    const { id, url, content } = outcome.value;
    const number = Number(/^urn:uuid:(\d+)$/.exec(id)?.[1]);
    if (url !== `http://example.org/${number}` || content.kind !== "bytes") return "wrong";
    const html = Buffer.from(content.bytes).toString();
    return html === pageHtml(number, html.length - pageHtml(number, 0).length) || html === pageHtml(number)
      ? number
      : "wrong";
  });
}
