/** The body of an answer, as it comes over the wire, into its bytes without content codings, however much it holds. */
import { decompress, type Coding } from "../packed/decompress.js";
import { Refusal } from "./failure.js";
import { collect, type Chunks } from "../streams.js";
import { decompressZstd } from "../packed/zstd-frames.js";
import { HAS_ZSTD } from "../packed/zstd.js";

/** What a server is told that it may pack its answers with. */
export const ACCEPT_ENCODING = HAS_ZSTD ? "gzip, br, deflate, zstd" : "gzip, br, deflate";

/** Codings that may lie one over the other. */
const MAX_CODINGS = 3;

type Unpack = (chunks: Chunks, maxBytes: number) => Chunks;

function unpackAs(coding: Coding): Unpack {
  return (chunks, maxBytes) => decompress(chunks, coding, { maxBytes });
}

const CODINGS: ReadonlyMap<string, Unpack> = new Map<string, Unpack>([
  ["gzip", unpackAs("gzip")],
  ["x-gzip", unpackAs("gzip")],
  ["deflate", unpackAs("deflate")],
  ["br", unpackAs("br")],
  ...(HAS_ZSTD ? [["zstd", decompressZstd] as const] : []),
]);

export interface BodyLimits {
  /** Bytes that it may have once it is unpacked. */
  readonly maxBytes: number;
  /** Whether the bytes are wanted as they came as well. */
  readonly isKept: boolean;
}

/** How a body is read, and what tells how far that went. */
export interface Reading extends BodyLimits {
  readonly raw: RawBody;
}

/** What of a body came over the wire, also where reading it failed. */
export interface RawBody {
  readonly parts: Uint8Array[];
  length: number;
  /** Whether the last byte came. */
  isWhole: boolean;
  /** Whether it was left because there was too much of it. */
  isCut: boolean;
  /** What the wire failed with, or what we refused of it. */
  failure?: { readonly error: unknown };
}

export function createRawBody(): RawBody {
  return { parts: [], length: 0, isWhole: false, isCut: false };
}

/** Fills `raw` on the way. Throws a Refusal for a body that is too long or packed as we do not know, and DamagedError. */
export async function readCodedBody(
  body: Chunks,
  contentEncoding: string | undefined,
  { raw, maxBytes, isKept, expectedBytes }: Reading & { readonly expectedBytes?: number },
): Promise<Uint8Array> {
  const unpackers = chooseUnpackers(contentEncoding);
  // What is packed can be longer than what is in it, by a little: blocks that were stored, and headers.
  const maxRawBytes = unpackers.length === 0 ? maxBytes : maxBytes + Math.ceil(maxBytes / 16) + (1 << 16);
  if (expectedBytes !== undefined && expectedBytes > maxRawBytes) {
    raw.isCut = true;
    throw tooLarge(maxBytes);
  }
  const iterator = body[Symbol.asyncIterator]();
  const wire = (): AsyncGenerator<Uint8Array> => tap(iterator, { raw, isKept, maxRawBytes, maxBytes });
  try {
    let chunks: Chunks = wire();
    for (const unpack of unpackers) chunks = limit(unpack(chunks, maxBytes), maxBytes);
    const bytes = await collect(chunks, maxBytes);
    if (bytes === undefined) throw tooLarge(maxBytes);
    // A packing ends where it says so itself; what the body goes on with has to be read before the next answer.
    await exhaust(wire());
    return bytes;
  } catch (error) {
    // A body that breaks off is damaged data to who unpacks it.
    const cause = raw.failure === undefined ? error : raw.failure.error;
    if (cause instanceof Refusal && cause.reason === "too-large") raw.isCut = !raw.isWhole;
    throw cause;
  }
}

/** The first bytes of a body that is not unpacked, without its failures. */
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

/** Leaves the body open when its reader has enough, so that another can go on. */
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

/** The outermost first. */
function chooseUnpackers(contentEncoding = ""): Unpack[] {
  const names = contentEncoding
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "" && name !== "identity");
  if (names.length > MAX_CODINGS) throw new Refusal("unsupported-type", `${names.length} content codings`);
  return names.reverse().map((name) => {
    const unpack = CODINGS.get(name);
    if (unpack === undefined) throw new Refusal("unsupported-type", `content-encoding ${name}`);
    return unpack;
  });
}

async function* limit(chunks: Chunks, maxBytes: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

function tooLarge(maxBytes: number): Refusal {
  return new Refusal("too-large", `more than ${maxBytes} bytes`);
}
