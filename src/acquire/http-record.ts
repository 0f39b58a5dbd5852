/** The block of a WARC record that keeps an HTTP answer into its status, its header, and its body. */
import { parseFields, splitHeader, type Fields } from "./header-fields.js";

export interface HttpAnswer {
  readonly status: number;
  readonly fields: Fields;
  /** As it was sent or as the crawler unpacked it: the header does not tell which. */
  readonly body: Uint8Array;
}

/** Bytes of a header in which its blank line is looked for. */
const MAX_HEADER_BYTES = 1 << 20;
/** "100 Continue" and its like may stand before the answer itself. */
const MAX_INTERIM = 5;

export function isHttp(block: Uint8Array): boolean {
  return /^HTTP\/\d/i.test(latin1(block.subarray(0, 6)));
}

/** undefined where the block does not begin with an HTTP header. */
export function parseHttp(block: Uint8Array): HttpAnswer | undefined {
  let rest = block;
  for (let answers = 0; answers <= MAX_INTERIM; answers += 1) {
    const { end, bodyStart } = findHeaderEnd(rest);
    const [first = "", ...lines] = splitHeader(latin1(rest.subarray(0, end)));
    const status = /^HTTP\/\d(?:\.\d)? +(\d{3})(?!\d)/i.exec(first)?.[1];
    if (status === undefined) return undefined;
    rest = rest.subarray(bodyStart);
    const isInterim = status.startsWith("1") && isHttp(rest);
    if (!isInterim) return { status: Number(status), fields: parseFields(lines), body: rest };
  }
  return undefined;
}

/** A header whose blank line is missing is all there is: such an answer has no body. */
function findHeaderEnd(block: Uint8Array): { readonly end: number; readonly bodyStart: number } {
  const head = Buffer.from(block.buffer, block.byteOffset, Math.min(block.length, MAX_HEADER_BYTES));
  const crlf = head.indexOf("\r\n\r\n");
  const lf = head.indexOf("\n\n");
  if (crlf !== -1 && (lf === -1 || crlf < lf)) return { end: crlf, bodyStart: crlf + 4 };
  return lf === -1 ? { end: head.length, bodyStart: block.length } : { end: lf, bodyStart: lf + 2 };
}

const MAX_CHUNKS = 1_000_000;

export interface Unchunked {
  readonly body: Uint8Array;
  /** The body ends within a chunk, or goes on with something that is none. */
  readonly isCut: boolean;
}

/** The body without the frames of chunked transfer; undefined where it does not begin with one: then it has none. */
export function readChunks(body: Uint8Array): Unchunked | undefined {
  const parts: Uint8Array[] = [];
  let at = 0;
  let isCut = true;
  for (let count = 0; count < MAX_CHUNKS; count += 1) {
    const line = latin1(body.subarray(at, at + MAX_CHUNK_LINE));
    const [frame = "", size = ""] = CHUNK_LINE.exec(line) ?? [];
    if (frame === "") {
      // All chunks are there, only the one that says so is missing.
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

/** Bytes of the line before a chunk; its extensions, which nobody uses, have to fit. */
const MAX_CHUNK_LINE = 256;
const CHUNK_LINE = /^([0-9a-f]{1,8})[ \t]*(?:;[^\r\n]{0,200})?\r?\n/i;

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
