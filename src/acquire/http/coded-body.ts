/** Reads the body of an answer from the wire and takes its content codings off, with a bound on both sizes. */
import { decompress, isTextAlready, TEXT_SAMPLE_BYTES, type Coding } from "../packed/decompress.js";
import { unpackFirst } from "../packed/gzip.js";
import { decompressZstd } from "../packed/zstd-frames.js";
import { HAS_ZSTD } from "../packed/zstd.js";
import { collect, peek, type Chunks } from "../streams.js";
import { Refusal } from "./failure.js";

/** The header that tells a server how it may pack its answers. */
export const ACCEPT_ENCODING = HAS_ZSTD ? "gzip, br, deflate, zstd" : "gzip, br, deflate";

/** Codings that may be applied one over the other. */
const MAX_CODINGS = 3;

type Unpack = (chunks: Chunks, maxBytes: number) => Chunks;

function unpackAs(coding: Coding): Unpack {
  return (chunks, maxBytes) => decompress(chunks, coding, { maxBytes });
}

/** Unpacks gzip also where something else follows it. */
async function* unpackGzip(packed: Chunks, maxBytes: number): AsyncGenerator<Uint8Array> {
  const came: Uint8Array[] = [];
  const noted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of packed) {
      came.push(chunk);
      yield chunk;
    }
  };
  let length = 0;
  try {
    for await (const part of decompress(noted(), "gzip", { maxBytes })) {
      length += part.length;
      yield part;
    }
  } catch (error) {
    // zlib loses what it has unpacked in the same go.
    const whole = unpackFirst(Buffer.concat(came), error);
    if (whole === undefined || whole.length < length) throw error;
    yield whole.subarray(length);
  }
}

const CODINGS: ReadonlyMap<string, Unpack> = new Map<string, Unpack>([
  ["gzip", unpackGzip],
  ["x-gzip", unpackGzip],
  ["deflate", unpackAs("deflate")],
  ["br", unpackAs("br")],
  ...(HAS_ZSTD ? [["zstd", decompressZstd] as const] : []),
]);

/** Names that are no codings, though servers write them there: words for none, charsets, types. Browsers pass over them. */
const NO_CODING =
  /^(?:identity|none|null|plain|binary|[78]bit|(?:aws-)?chunked|[a-z]+\/[a-z0-9.+-]+|(?:charset=)?(?:utf-?(?:8|16)|(?:us-)?ascii|iso-?8859-\d{1,2}|(?:windows|cp)-?\d{3,4}|koi8-[ru]|gb(?:k|2312|18030)|big5|shift_jis|euc-(?:jp|kr)))$/;

interface BodyLimits {
  /** Bytes that it may have once it is unpacked. */
  readonly maxBytes: number;
  /** Whether the bytes are also kept as they came. */
  readonly isKept: boolean;
}

/** How a body is read, and where to note how far that went. */
export interface Reading extends BodyLimits {
  readonly raw: RawBody;
}

interface CodedReading extends Reading {
  /** As the header says. */
  readonly expectedBytes?: number;
  /** Whether a body that is text already is taken as it is, whatever codings are named, as from an archive. */
  readonly takesText?: boolean;
}

/** What came of a body over the wire, also where reading it failed. */
export interface RawBody {
  readonly parts: Uint8Array[];
  length: number;
  /** Whether the last byte came. */
  isWhole: boolean;
  /** Whether reading stopped because there was too much of it. */
  isCut: boolean;
  /** The error of the connection, or our refusal. */
  failure?: { readonly error: unknown };
}

export function createRawBody(): RawBody {
  return { parts: [], length: 0, isWhole: false, isCut: false };
}

/**
 * Reads and unpacks a body, and fills `raw` on the way. Throws a Refusal for a body that is too long or in an unknown
 * coding, and DamagedError.
 */
export async function readCodedBody(
  body: Chunks,
  contentEncoding: string | undefined,
  { raw, maxBytes, isKept, expectedBytes, takesText = false }: CodedReading,
): Promise<Uint8Array> {
  const unpackers = chooseUnpackers(contentEncoding ?? "", takesText);
  // Packed data can be a little longer than what is in it: for stored blocks, and headers.
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
    // A coding says itself where it ends; what follows in the body has to be read before the next answer.
    await exhaust(wire());
    return bytes;
  } catch (error) {
    // To the decoder, a body that breaks off is damaged data: the connection's error says more.
    const cause = raw.failure === undefined ? error : raw.failure.error;
    if (cause instanceof Refusal && cause.reason === "too-large") raw.isCut = !raw.isWhole;
    throw cause;
  }
}

/** Reads the first bytes of a body without unpacking it; failures are only noted in `raw`. */
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

/** Notes what comes over the wire. Leaves the body open when its reader has enough, so that another can go on. */
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

/** Finds the decoder of each coding, the outermost first. */
function chooseUnpackers(contentEncoding: string, takesText: boolean): Unpack[] {
  const names = contentEncoding
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "" && !NO_CODING.test(name));
  if (names.length > MAX_CODINGS) throw new Refusal("unsupported-type", `${names.length} content codings`);
  return names.reverse().map((name) => {
    const unpack = CODINGS.get(name);
    if (unpack === undefined) throw new Refusal("unsupported-type", `content-encoding ${name}`);
    return takesText ? unlessText(unpack) : unpack;
  });
}

/** Servers also name a coding that was never put on, or that another server in between has taken off. */
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

function tooLarge(maxBytes: number): Refusal {
  return new Refusal("too-large", `more than ${maxBytes} bytes`);
}
