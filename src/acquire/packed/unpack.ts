/** Unpacks a stream, or the bytes of one page, if the first bytes show that it is packed with gzip or zstd. */
import { accept, reject, type Outcome, type PageName } from "../../outcome.js";
import { toReject } from "../read-errors.js";
import { collect, inOneChunk, type Chunks, type PeekedStream } from "../streams.js";
import { decompress, isGzip, TrailingError } from "./decompress.js";
import { unpackFirst } from "./gzip.js";
import { decompressZstd } from "./zstd-frames.js";
import { isZstd } from "./zstd.js";

/**
 * Returns the unpacked stream, or the same stream if it is not packed. If the data is damaged, it yields everything
 * before the damage, and then throws DamagedError.
 */
export function unpackStream({ head, chunks }: PeekedStream): Chunks {
  if (isGzip(head)) return decompress(chunks, "gzip", { isSalvaged: true });
  return isZstd(head) ? decompressZstd(chunks) : chunks;
}

/** Ends a stream where bytes follow that are not gzip: the page before them is whole. */
export async function* withoutTrailer(chunks: Chunks): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    if (!(error instanceof TrailingError)) throw error;
  }
}

/** Unpacks at most `maxBytes`; returns bytes that are not packed unchanged, whatever their length. */
export async function unpackBytes(
  of: PageName,
  bytes: Uint8Array,
  maxBytes: number,
): Promise<Outcome<Uint8Array>> {
  const plain = unpack(bytes, maxBytes);
  if (plain === undefined) return accept(bytes);
  try {
    const unpacked = await collect(plain, maxBytes);
    if (unpacked === undefined) return reject(of, "acquire", "too-large", `more than ${maxBytes} bytes`);
    return accept(unpacked);
  } catch (error) {
    return toReject(of, error);
  }
}

function unpack(bytes: Uint8Array, maxBytes: number): Chunks | undefined {
  if (isGzip(bytes)) return unpackGzip(inOneChunk(bytes), maxBytes);
  return isZstd(bytes) ? decompressZstd(inOneChunk(bytes)) : undefined;
}

/** Unpacks gzip, even if other bytes follow it. */
export async function* unpackGzip(packed: Chunks, maxBytes: number): AsyncGenerator<Uint8Array> {
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
    // On an error, zlib drops the bytes that it unpacked in the same call.
    const whole = unpackFirst(Buffer.concat(came), error);
    if (whole === undefined || whole.length < length) throw error;
    yield whole.subarray(length);
  }
}
