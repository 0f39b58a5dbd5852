/** Reads a response body from the connection and decodes its content codings, with a limit on both sizes. */
import {
  decompress,
  isTextAlready,
  listCodings,
  MAX_CODINGS,
  TEXT_SAMPLE_BYTES,
  type Coding,
} from "../packed/decompress.js";
import { unpackGzip } from "../packed/unpack.js";
import { decompressZstd } from "../packed/zstd-frames.js";
import { HAS_ZSTD } from "../packed/zstd.js";
import { collect, peek, type Chunks } from "../streams.js";
import { Refusal } from "./failure.js";

/** The value of our `accept-encoding` header: the codings that we can decode. */
export const ACCEPT_ENCODING = HAS_ZSTD ? "gzip, br, deflate, zstd" : "gzip, br, deflate";

type Unpack = (chunks: Chunks, maxBytes: number) => Chunks;

function unpackAs(coding: Coding): Unpack {
  return (chunks, maxBytes) => decompress(chunks, coding, { maxBytes });
}

const CODINGS: ReadonlyMap<string, Unpack> = new Map<string, Unpack>([
  ["gzip", unpackGzip],
  ["x-gzip", unpackGzip],
  ["deflate", unpackAs("deflate")],
  ["br", unpackAs("br")],
  ...(HAS_ZSTD ? [["zstd", decompressZstd] as const] : []),
]);

interface BodyLimits {
  /** The most bytes of the unpacked body. */
  readonly maxBytes: number;
  /** Whether the bytes are also kept as they were received. */
  readonly isKept: boolean;
}

/** How a body is read, and the object that records how far that went. */
interface Reading extends BodyLimits {
  readonly raw: RawBody;
}

export interface CodedReading extends Reading {
  /** The `content-length` that the header states. */
  readonly expectedBytes?: number;
  /** Set if a body that is too large is cut, and not refused. */
  readonly longer?: "cut" | undefined;
  /** Whether a body that is already text is not decoded, whatever codings are named, as for archived responses. */
  readonly takesText?: boolean;
}

/** What was received of a body, even if reading it failed. */
export interface RawBody {
  readonly parts: Uint8Array[];
  length: number;
  /** Whether the last byte was received. */
  isWhole: boolean;
  /** Whether reading stopped because the body was too large. */
  isCut: boolean;
  /** The error of the connection, or our refusal. */
  failure?: { readonly error: unknown };
}

export function createRawBody(): RawBody {
  return { parts: [], length: 0, isWhole: false, isCut: false };
}

/**
 * Reads and decodes a body, and fills `raw` on the way. Throws a Refusal if the body is too large or has an unknown
 * coding, and DamagedError if it cannot be decoded.
 */
export async function readCodedBody(
  body: Chunks,
  contentEncoding: string | undefined,
  { raw, maxBytes, isKept, expectedBytes, longer, takesText = false }: CodedReading,
): Promise<Uint8Array> {
  const unpackers = chooseUnpackers(contentEncoding ?? "", takesText);
  // Packed data can be a little longer than the unpacked data, because of headers and stored blocks.
  const maxRawBytes = unpackers.length === 0 ? maxBytes : maxBytes + Math.ceil(maxBytes / 16) + (1 << 16);
  if (longer !== "cut" && expectedBytes !== undefined && expectedBytes > maxRawBytes) {
    raw.isCut = true;
    throw tooLarge(maxBytes);
  }
  const iterator = body[Symbol.asyncIterator]();
  const wire = (): AsyncGenerator<Uint8Array> => tap(iterator, { raw, isKept, maxRawBytes, maxBytes });
  try {
    let chunks: Chunks = wire();
    for (const unpack of unpackers) chunks = limit(unpack(chunks, maxBytes), maxBytes);
    const bytes = await collect(longer === "cut" ? untilTooLarge(chunks, raw) : chunks, maxBytes);
    if (bytes === undefined) throw tooLarge(maxBytes);
    if (raw.isCut) return bytes;
    // A decoder stops where its data ends. Any bytes after it must be read before the connection can be used again.
    await exhaust(wire());
    return bytes;
  } catch (error) {
    // The decoder reports a body that breaks off as damaged data, but the connection's error says more.
    const cause = raw.failure === undefined ? error : raw.failure.error;
    if (cause instanceof Refusal && cause.reason === "too-large") raw.isCut = !raw.isWhole;
    throw cause;
  }
}

/** Reads the first bytes of a body without decoding it. Failures are only recorded in `raw`. */
export async function skimBody(body: Chunks, { raw, maxBytes, isKept }: Reading): Promise<void> {
  const iterator = body[Symbol.asyncIterator]();
  try {
    await exhaust(tap(iterator, { raw, isKept, maxRawBytes: maxBytes, maxBytes }));
  } catch (error) {
    if (raw.failure === undefined) throw error;
  }
}

interface TapOptions extends Reading {
  readonly maxRawBytes: number;
}

async function exhaust(chunks: AsyncGenerator): Promise<void> {
  for (let step = await chunks.next(); step.done !== true;) step = await chunks.next();
}

/** Records the bytes that are received. Leaves the body open when its reader stops, so that another can continue. */
async function* tap(
  iterator: AsyncIterator<Uint8Array>,
  { raw, isKept, maxRawBytes, maxBytes }: TapOptions,
): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const step = await iterator.next();
      if (step.done === true) break;
      const room = maxRawBytes - raw.length;
      raw.length += step.value.length;
      if (isKept) raw.parts.push(step.value.subarray(0, Math.max(0, room)));
      if (step.value.length > room) {
        raw.isCut = true;
        throw tooLarge(maxBytes);
      }
      yield step.value;
    }
    raw.isWhole = true;
  } catch (error) {
    raw.failure = { error };
    throw error;
  }
}

/** Returns the decoder of each coding, the outermost first. */
function chooseUnpackers(contentEncoding: string, takesText: boolean): Unpack[] {
  const names = listCodings(contentEncoding);
  if (names.length > MAX_CODINGS) throw new Refusal("unsupported-type", `${names.length} content codings`);
  return names.reverse().map((name) => {
    const unpack = CODINGS.get(name);
    if (unpack === undefined) throw new Refusal("unsupported-type", `content-encoding ${name}`);
    return takesText ? unlessText(unpack) : unpack;
  });
}

/** Servers also name a coding that was never applied, or that a proxy has already decoded. */
function unlessText(unpack: Unpack): Unpack {
  return async function* (packed, maxBytes) {
    const { head, chunks } = await peek(packed, TEXT_SAMPLE_BYTES);
    yield* isTextAlready(head) ? chunks : unpack(chunks, maxBytes);
  };
}

async function* limit(chunks: Chunks, maxBytes: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

/** Ends a body before the chunk with which it is too large. */
async function* untilTooLarge(chunks: Chunks, raw: RawBody): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason !== "too-large") throw error;
    raw.isCut = true;
  }
}

function tooLarge(maxBytes: number): Refusal {
  return new Refusal("too-large", `more than ${maxBytes} bytes`);
}
