/** The body of an archived HTTP answer into the bytes of the page, whether or not the crawler took its codings off. */
import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import type { Reason } from "../outcome.js";
import { isGzip } from "./decompress.js";
import type { Fields } from "./header-fields.js";
import { readChunks } from "./http-record.js";
import { codeOf } from "./read-errors.js";
import { isZstd, unpackZstd } from "./zstd.js";

export interface BodyOptions {
  /** Bytes that the page may have once it is unpacked. */
  readonly maxBytes: number;
  /** The crawler says that it stopped in the middle: what is there is wanted. */
  readonly isTruncated: boolean;
}

export type Body =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly reason: Reason; readonly detail: string };

/** Codings that may lie one over the other. */
const MAX_CODINGS = 3;
/** Bytes that show whether a body is text already. */
const SAMPLE_BYTES = 512;

export function readBody(fields: Fields, stored: Uint8Array, options: BodyOptions): Body {
  let bytes = stored;
  if (codingsOf(fields, "transfer-encoding").includes("chunked")) {
    const chunks = readChunks(bytes);
    if (chunks?.isCut === true && !options.isTruncated)
      return fail("broken-warc", "the archived answer ends within a chunk");
    bytes = chunks?.body ?? bytes;
  }
  const codings = codingsOf(fields, "content-encoding");
  if (codings.length > MAX_CODINGS) return fail("unsupported-type", `${codings.length} content codings`);
  for (const coding of codings.reverse()) {
    const body = decode(coding, bytes, options);
    if (!body.ok) return body;
    bytes = body.bytes;
  }
  // A page that lies packed on the server's disk, or was packed without a word.
  return isGzip(bytes) ? decode("gzip", bytes, options) : { ok: true, bytes };
}

function codingsOf(fields: Fields, name: string): string[] {
  return (fields.get(name) ?? [])
    .flatMap((value) => value.split(","))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
}

function fail(reason: Reason, detail: string): Body {
  return { ok: false, reason, detail };
}

type Unpack = (bytes: Uint8Array, maxOutputLength: number, isTruncated: boolean) => Uint8Array;

interface Coding {
  /** Whether the bytes show that they are packed so; otherwise the crawler unpacked them. */
  readonly isApplied: (bytes: Uint8Array) => boolean;
  readonly unpack: Unpack;
}

function flush(isTruncated: boolean): number {
  return isTruncated ? constants.Z_SYNC_FLUSH : constants.Z_FINISH;
}

const GZIP: Coding = {
  isApplied: isGzip,
  unpack: (bytes, maxOutputLength, isTruncated) =>
    gunzipSync(bytes, { maxOutputLength, finishFlush: flush(isTruncated) }),
};

const CODINGS: Readonly<Record<string, Coding>> = {
  gzip: GZIP,
  "x-gzip": GZIP,
  // "deflate" means zlib's wrapping (RFC 9110), but many servers sent the bare stream.
  deflate: {
    isApplied: (bytes) => !isText(bytes),
    unpack: (bytes, maxOutputLength, isTruncated) => {
      const [first = 0, second = 0] = bytes;
      const isWrapped = (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
      const inflate = isWrapped ? inflateSync : inflateRawSync;
      return inflate(bytes, { maxOutputLength, finishFlush: flush(isTruncated) });
    },
  },
  br: {
    isApplied: (bytes) => !isText(bytes),
    unpack: (bytes, maxOutputLength, isTruncated) =>
      brotliDecompressSync(bytes, {
        maxOutputLength,
        finishFlush: isTruncated ? constants.BROTLI_OPERATION_FLUSH : constants.BROTLI_OPERATION_FINISH,
      }),
  },
  zstd: { isApplied: isZstd, unpack: unpackZstd },
};

function decode(name: string, bytes: Uint8Array, { maxBytes, isTruncated }: BodyOptions): Body {
  const coding = Object.hasOwn(CODINGS, name) ? CODINGS[name] : undefined;
  if (coding === undefined)
    return isText(bytes) ? { ok: true, bytes } : fail("unsupported-type", `content-encoding ${name}`);
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

/** Text in any charset that is written byte by byte: compressed data has control characters soon. */
function isText(bytes: Uint8Array): boolean {
  return bytes
    .subarray(0, SAMPLE_BYTES)
    .every(
      (byte) =>
        byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d || byte === 0x1b,
    );
}
