/** Formats an HTTP exchange as gzipped WARC records: the response and its request. */
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { RESERVED_FIELD } from "../../document/reservations.js";
import {
  digestOf,
  formatDate,
  formatField,
  formatRecordHead,
  RECORD_END,
  type Field,
} from "./warc-record.js";

/** An HTTP request and its response, as sent over the wire except for the transfer coding. */
export interface WarcExchange {
  readonly url: string;
  readonly status: number;
  readonly reasonPhrase: string;
  readonly httpVersion: string;
  readonly requestHeaders: readonly Field[];
  readonly headers: readonly Field[];
  /**
   * The body as received, with its content codings. If it is missing, `bytes` are stored, and the stored header says
   * so.
   */
  readonly rawBytes?: Uint8Array;
  readonly bytes: Uint8Array;
  readonly truncated?: "length";
  readonly address: string;
  readonly startedAt: Date;
  /** The uses of its page that robots.txt reserves. */
  readonly reservations?: readonly string[];
}

/** The earlier response that is still valid: the server said so, or the same body came again. */
export interface WarcOriginal {
  readonly profile: "server-not-modified" | "identical-payload-digest";
  readonly record?: string;
  readonly date?: string;
  readonly digest?: string;
}

export interface PackedExchange {
  /** The WARC-Record-ID of the response, without angle brackets. */
  readonly record: string;
  /** The WARC-Payload-Digest of the response. */
  readonly digest: string;
  /** One gzip member for each record, the response first. */
  readonly members: readonly Uint8Array[];
}

/** The response body that is stored. */
function bodyOf({ rawBytes, bytes }: Pick<WarcExchange, "rawBytes" | "bytes">): Uint8Array {
  return rawBytes ?? bytes;
}

/** The WARC-Payload-Digest of a response. */
export function digestAnswer(exchange: Pick<WarcExchange, "rawBytes" | "bytes">): string {
  return digestOf(bodyOf(exchange));
}

const compress = promisify(gzip);
/**
 * Below this size a small window compresses as well as the default one, whose setup takes longer than the compression.
 */
const SMALL_BYTES = 4096;

/**
 * Compresses a record. A record with an encoded body is stored uncompressed, because compressing it again takes time
 * and saves nothing.
 */
function pack(bytes: Uint8Array, isPacked = false): Promise<Uint8Array> {
  if (isPacked && bytes.length >= SMALL_BYTES) return compress(bytes, { level: 0 });
  return compress(bytes, bytes.length < SMALL_BYTES ? { windowBits: 12, memLevel: 5 } : {});
}

/**
 * Formats and compresses an exchange. With an original, the response is stored as a `revisit` of it, without a body
 * (WARC 1.1, 6.7).
 */
export async function packExchange(exchange: WarcExchange, original?: WarcOriginal): Promise<PackedExchange> {
  const body = bodyOf(exchange);
  const record = `urn:uuid:${randomUUID()}`;
  const digest = original?.digest ?? digestOf(body);
  const date = formatDate(exchange.startedAt);
  const common: Field[] = [
    ["WARC-Target-URI", exchange.url],
    ["WARC-Date", date],
    ...(exchange.address === "" ? [] : [["WARC-IP-Address", exchange.address] as const]),
    ...(exchange.httpVersion.startsWith("2") ? [["WARC-Protocol", "h2"] as const] : []),
  ];
  const answer = formatRecord(
    [
      ["WARC-Type", original === undefined ? "response" : "revisit"],
      ["WARC-Record-ID", `<${record}>`],
      ...common,
      ["WARC-Payload-Digest", digest],
      ...(original === undefined ? [] : toRevisitFields(exchange.url, original)),
      ...toReservedField(exchange),
      ...(exchange.truncated === undefined ? [] : [["WARC-Truncated", exchange.truncated] as const]),
      ["Content-Type", "application/http;msgtype=response"],
    ],
    Buffer.concat([
      formatHead(toStatusLine(exchange), toStoredHeaders(exchange)),
      original === undefined ? body : new Uint8Array(),
    ]),
  );
  const request = formatRecord(
    [
      ["WARC-Type", "request"],
      ["WARC-Record-ID", `<urn:uuid:${randomUUID()}>`],
      ...common,
      ["WARC-Concurrent-To", `<${record}>`],
      ["Content-Type", "application/http;msgtype=request"],
    ],
    formatHead(toRequestLine(exchange.url), toRequestHeaders(exchange)),
  );
  const isPacked = exchange.rawBytes !== undefined && hasCoding(exchange.headers);
  return { record, digest, members: await Promise.all([pack(answer, isPacked), pack(request)]) };
}

function hasCoding(headers: readonly Field[]): boolean {
  return headers.some(
    ([name, value]) => name.toLowerCase() === "content-encoding" && !/^(?:identity)?$/i.test(value.trim()),
  );
}

/** The `warcinfo` record that opens a file, as one gzip member; each field of `info` is a line. */
export function packInfo(file: string, info: readonly Field[]): Promise<Uint8Array> {
  const fields: Field[] = [
    ["WARC-Type", "warcinfo"],
    ["WARC-Record-ID", `<urn:uuid:${randomUUID()}>`],
    ["WARC-Date", formatDate(new Date())],
    ["WARC-Filename", file],
    ["Content-Type", "application/warc-fields"],
  ];
  return pack(formatRecord(fields, Buffer.from(info.map(formatField).join(""))));
}

function toReservedField({ reservations = [] }: WarcExchange): Field[] {
  return reservations.length === 0 ? [] : [[RESERVED_FIELD, reservations.join(", ")]];
}

function toRevisitFields(url: string, { profile, record, date }: WarcOriginal): Field[] {
  return [
    ["WARC-Profile", `http://netpreserve.org/warc/1.1/revisit/${profile}`],
    ["WARC-Refers-To-Target-URI", url],
    ...(date === undefined ? [] : [["WARC-Refers-To-Date", formatDate(new Date(date))] as const]),
    ...(record === undefined ? [] : [["WARC-Refers-To", `<${record}>`] as const]),
  ];
}

function formatRecord(fields: readonly Field[], block: Uint8Array): Uint8Array {
  const all: Field[] = [...fields, ["WARC-Block-Digest", digestOf(block)]];
  return Buffer.concat([
    Buffer.from(formatRecordHead("1.1", all, block.length)),
    block,
    Buffer.from(RECORD_END),
  ]);
}

/** Other tools only read status lines of HTTP/1; the field WARC-Protocol states the real version. */
function toStatusLine({ httpVersion, status, reasonPhrase }: WarcExchange): string {
  const version = httpVersion === "1.0" ? "1.0" : "1.1";
  return `HTTP/${version} ${status} ${reasonPhrase}`;
}

function toRequestLine(url: string): string {
  const { pathname, search } = new URL(url);
  return `GET ${pathname}${search} HTTP/1.1`;
}

function toRequestHeaders({ url, requestHeaders }: WarcExchange): readonly Field[] {
  const hasHost = requestHeaders.some(([name]) => name.toLowerCase() === "host");
  return hasHost ? requestHeaders : [["Host", new URL(url).host], ...requestHeaders];
}

/** Renames header fields that no longer describe the stored body, so that readers do not decode it again. */
function toStoredHeaders({ headers, rawBytes }: WarcExchange): readonly Field[] {
  const undone = new Set(["transfer-encoding"]);
  if (rawBytes === undefined) undone.add("content-encoding").add("content-length");
  return headers.map(([name, value]) =>
    undone.has(name.toLowerCase()) ? [`X-Crawler-${name}`, value] : [name, value],
  );
}

/** Encodes a header. Its text has one character per byte; values cannot contain line breaks. */
function formatHead(first: string, fields: readonly Field[]): Uint8Array {
  const lines = [first, ...fields.map(([name, value]) => `${name}: ${value}`)];
  const text = lines.map((line) => line.replace(/[\r\n\0]+/g, " ")).join("\r\n");
  return Buffer.from(`${text}\r\n\r\n`, "latin1");
}
