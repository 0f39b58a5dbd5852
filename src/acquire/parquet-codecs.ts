/** The packed data of a Parquet page into its bytes, never more of them than the page announces. */
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { decompressLz4Raw, decompressZstd } from "hyparquet-compressors";
import { snappyUncompress } from "./parquet-library.js";

type Unpack = (packed: Uint8Array, length: number) => Uint8Array;

/** A dictionary without words is packed as well, which not every library expects. */
function unlessEmpty(unpack: Unpack): Unpack {
  return (packed, length) => (length === 0 ? new Uint8Array(0) : unpack(packed, length));
}

/** By the names that the format gives them. Each throws on damaged data, and on more than `length` bytes. */
export const codecs = {
  SNAPPY: unlessEmpty((packed, length) => {
    const plain = new Uint8Array(length);
    snappyUncompress(packed, plain);
    return plain;
  }),
  GZIP: unlessEmpty((packed, length) => gunzipSync(packed, { maxOutputLength: length })),
  BROTLI: unlessEmpty((packed, length) => brotliDecompressSync(packed, { maxOutputLength: length })),
  // Older versions of Node.js have none of their own.
  ZSTD: unlessEmpty((packed, length) => decompressZstd(packed, new Uint8Array(length))),
  LZ4_RAW: unlessEmpty(decompressLz4Raw),
} satisfies Record<string, Unpack>;
