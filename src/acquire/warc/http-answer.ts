/** Parses the HTTP response in a WARC record, and decodes its body if the crawler has not already done so. */
import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import type { Reason } from "../../outcome.js";
import { ownValue } from "../../own-value.js";
import { isGzip, isTextAlready, isZlib, listCodings, MAX_CODINGS } from "../packed/decompress.js";
import { unpackFirst } from "../packed/gzip.js";
import { isZstd, unpackZstd } from "../packed/zstd.js";
import { parseFields, splitHeader, type Fields } from "../header-fields.js";
import { codeOf } from "../../thrown.js";

interface HttpAnswer {
  readonly status: number;
  readonly fields: Fields;
  /** As the server sent it or as the crawler decoded it; the header does not say which. */
  readonly body: Uint8Array;
}

const NO_HEADER = "no HTTP header in an archived answer";
/** Servers and browsers accept far less. */
const MAX_HEADER_BYTES = 1 << 20;
/** The most interim responses, like "100 Continue", that may come before the final response. */
const MAX_INTERIM = 5;

export function isHttp(block: Uint8Array): boolean {
  return /^HTTP\/\d/i.test(latin1(block.subarray(0, 6)));
}

/** Parses a block that begins with an HTTP header. Returns a string if something is wrong with it. */
export function parseHttp(block: Uint8Array): HttpAnswer | string {
  let rest = block;
  for (let answers = 0; answers <= MAX_INTERIM; answers += 1) {
    const { end, bodyStart } = findHeaderEnd(rest);
    if (end > MAX_HEADER_BYTES) return `an HTTP header of more than ${MAX_HEADER_BYTES} bytes`;
    const [first = "", ...lines] = splitHeader(latin1(rest.subarray(0, end)));
    const status = /^HTTP\/\d(?:\.\d)? +(\d{3})(?!\d)/i.exec(first)?.[1];
    if (status === undefined) return NO_HEADER;
    rest = rest.subarray(bodyStart);
    const isInterim = status.startsWith("1") && isHttp(rest);
    if (!isInterim) return { status: Number(status), fields: parseFields(lines), body: rest };
  }
  return NO_HEADER;
}

/** Finds the blank line after the header. If it is missing, everything is header, and the response has no body. */
function findHeaderEnd(block: Uint8Array): { readonly end: number; readonly bodyStart: number } {
  const head = Buffer.from(block.buffer, block.byteOffset, Math.min(block.length, MAX_HEADER_BYTES + 4));
  // A script may end its lines with LF, and the server then ends the blank line with CR LF.
  const crlf = head.indexOf("\n\r\n");
  const lf = head.indexOf("\n\n");
  if (crlf !== -1 && (lf === -1 || crlf < lf)) return { end: crlf, bodyStart: crlf + 3 };
  return lf === -1 ? { end: head.length, bodyStart: block.length } : { end: lf, bodyStart: lf + 2 };
}

const MAX_CHUNKS = 1_000_000;
/** The most bytes of the line before a chunk, with its extensions, which are hardly ever used. */
const MAX_CHUNK_LINE = 256;
const CHUNK_LINE = /^([0-9a-f]{1,8})[ \t]*(?:;[^\r\n]{0,200})?\r?\n/i;

interface Unchunked {
  readonly body: Uint8Array;
  /** Whether the body ends within a chunk, or something other than a chunk follows. */
  readonly isCut: boolean;
}

/**
 * Decodes chunked transfer encoding. Returns undefined if the body does not begin with a chunk, because then it is not
 * chunked.
 */
export function readChunks(body: Uint8Array): Unchunked | undefined {
  const parts: Uint8Array[] = [];
  let at = 0;
  let isCut = true;
  for (let count = 0; count < MAX_CHUNKS; count += 1) {
    const line = latin1(body.subarray(at, at + MAX_CHUNK_LINE));
    const [frame = "", size = ""] = CHUNK_LINE.exec(line) ?? [];
    if (frame === "") {
      // If only the final chunk is missing, the body is complete.
      isCut = at < body.length;
      break;
    }
    const length = Number.parseInt(size, 16);
    const from = at + frame.length;
    if (length === 0) {
      isCut = false;
      at = from;
      break;
    }
    const end = from + length;
    const lineBreak = /^\r?\n/.exec(latin1(body.subarray(end, end + 2)))?.[0].length;
    if (lineBreak === undefined && count === 0 && end < body.length) return undefined;
    parts.push(body.subarray(from, end));
    at = end;
    if (lineBreak === undefined) break;
    at += lineBreak;
  }
  return at === 0 ? undefined : { body: Buffer.concat(parts), isCut };
}

interface BodyOptions {
  /** The most bytes of the decoded page. */
  readonly maxBytes: number;
  /** Whether the crawler says that it cut the response: then the part that it kept is wanted. */
  readonly isTruncated: boolean;
}

type Body =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly reason: Reason; readonly detail: string };

/** Decodes the body of a response into the bytes of the page. */
export function readBody(fields: Fields, stored: Uint8Array, options: BodyOptions): Body {
  let bytes = stored;
  if (fields.get("transfer-encoding")?.some((value) => /\bchunked\b/i.test(value)) === true) {
    const chunks = readChunks(bytes);
    if (chunks?.isCut === true && !options.isTruncated)
      return fail("broken-warc", "the archived answer ends within a chunk");
    bytes = chunks?.body ?? bytes;
  }
  const codings = (fields.get("content-encoding") ?? []).flatMap(listCodings);
  if (codings.length > MAX_CODINGS) return fail("unsupported-type", `${codings.length} content codings`);
  for (const coding of codings.reverse()) {
    const body = decode(coding, bytes, options);
    if (!body.ok) return body;
    bytes = body.bytes;
  }
  // The server stores the page packed, or packed it without saying so.
  return isGzip(bytes) ? decode("gzip", bytes, options) : { ok: true, bytes };
}

function fail(reason: Reason, detail: string): Body {
  return { ok: false, reason, detail };
}

type Unpack = (bytes: Uint8Array, maxOutputLength: number, isTruncated: boolean) => Uint8Array;

interface Coding {
  /** Checks whether the bytes are packed this way; if not, the crawler has already unpacked them. */
  readonly isApplied: (bytes: Uint8Array) => boolean;
  readonly unpack: Unpack;
}

function flush(isTruncated: boolean): number {
  return isTruncated ? constants.Z_SYNC_FLUSH : constants.Z_FINISH;
}

const GZIP: Coding = {
  isApplied: isGzip,
  unpack: (bytes, maxOutputLength, isTruncated) => {
    try {
      return gunzipSync(bytes, { maxOutputLength, finishFlush: flush(isTruncated) });
    } catch (error) {
      const whole = unpackFirst(bytes, error);
      if (whole === undefined || whole.length > maxOutputLength) throw error;
      return whole;
    }
  },
};

const CODINGS: Readonly<Record<string, Coding>> = {
  gzip: GZIP,
  "x-gzip": GZIP,
  deflate: {
    isApplied: (bytes) => !isTextAlready(bytes),
    unpack: (bytes, maxOutputLength, isTruncated) => {
      const inflate = isZlib(bytes) ? inflateSync : inflateRawSync;
      return inflate(bytes, { maxOutputLength, finishFlush: flush(isTruncated) });
    },
  },
  br: {
    isApplied: (bytes) => !isTextAlready(bytes),
    unpack: (bytes, maxOutputLength, isTruncated) =>
      brotliDecompressSync(bytes, {
        maxOutputLength,
        finishFlush: isTruncated ? constants.BROTLI_OPERATION_FLUSH : constants.BROTLI_OPERATION_FINISH,
      }),
  },
  zstd: { isApplied: isZstd, unpack: unpackZstd },
};

function decode(name: string, bytes: Uint8Array, { maxBytes, isTruncated }: BodyOptions): Body {
  const coding = ownValue(CODINGS, name);
  if (coding === undefined)
    return isTextAlready(bytes) ? { ok: true, bytes } : fail("unsupported-type", `content-encoding ${name}`);
  if (bytes.length === 0 || !coding.isApplied(bytes)) return { ok: true, bytes };
  try {
    return { ok: true, bytes: coding.unpack(bytes, maxBytes, isTruncated) };
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined || !(error instanceof Error)) throw error;
    if (code === "ERR_BUFFER_TOO_LARGE")
      return fail("too-large", `more than ${maxBytes} bytes once unpacked`);
    if (code === "NO_ZSTD") return fail("no-decoder", error.message);
    if (code.startsWith("ERR_INVALID")) throw error;
    return fail("broken-gzip", `the ${name} coding of the archived answer: ${error.message}`);
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
