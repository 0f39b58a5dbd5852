/** WARC files for the tests of this room: written here byte by byte, so that they can be wrong on purpose. */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { toBase32 } from "../../src/acquire/warc-digest.js";

export interface RecordSpec {
  readonly type?: string;
  readonly id?: string;
  readonly url?: string;
  readonly contentType?: string;
  readonly block?: string | Uint8Array;
  /** Instead of the real length. */
  readonly length?: string;
  readonly hasDigest?: boolean;
  /** More header lines, each with its line break. */
  readonly more?: string;
  /** What stands after the block. */
  readonly end?: string;
}

export function recordBytes(spec: RecordSpec = {}): Buffer {
  const block = Buffer.from(spec.block ?? "");
  const { type = "response", id = "urn:uuid:0", url = "http://example.org/" } = spec;
  const sha1 = toBase32(createHash("sha1").update(block).digest()).toUpperCase();
  const header =
    `WARC/1.0\r\nWARC-Type: ${type}\r\nWARC-Record-ID: <${id}>\r\nWARC-Target-URI: ${url}\r\n` +
    `WARC-Date: 2024-05-02T10:00:00Z\r\nContent-Type: ${spec.contentType ?? "application/http; msgtype=response"}\r\n` +
    (spec.hasDigest === true ? `WARC-Block-Digest: sha1:${sha1}\r\n` : "") +
    (spec.more ?? "") +
    `Content-Length: ${spec.length ?? String(block.length)}\r\n\r\n`;
  return Buffer.concat([Buffer.from(header), block, Buffer.from(spec.end ?? "\r\n\r\n")]);
}

/** An answer of a server that holds a page. */
export function answer(
  body: string | Uint8Array,
  header = "Content-Type: text/html\r\n",
  status = "200 OK",
): Buffer {
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${header}\r\n`), Buffer.from(body)]);
}

export function pageRecord(number: number, size = 200, more: RecordSpec = {}): Buffer {
  const block = answer(pageHtml(number, size));
  return recordBytes({ id: `urn:uuid:${number}`, url: `http://example.org/${number}`, block, ...more });
}

export function pageHtml(number: number, size = 200): string {
  let text = "";
  // Varied, so that packing leaves something to damage.
  for (let seed = number + 1; text.length < size; seed = (seed * 48271) % 2147483647)
    text += `word${seed.toString(36)} `;
  return `<!doctype html><title>Page ${number}</title><p>${text}</p>`;
}

/** As crawlers pack it: one gzip member a record. */
export function packEach(records: readonly Uint8Array[]): Buffer {
  return Buffer.concat(records.map((record) => gzipSync(record)));
}

/** As a person packs it: all in one member. */
export function packWhole(records: readonly Uint8Array[]): Buffer {
  return gzipSync(Buffer.concat(records));
}
