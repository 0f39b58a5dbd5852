/** Picks the parts of the Parquet library that we use: its decoding of the format, but not its file reader. */
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { decompressLz4Raw, decompressZstd } from "hyparquet-compressors";
import { snappyUncompress } from "hyparquet";
export { parquetMetadata, parquetSchema } from "hyparquet";
export type { ColumnChunk, DecodedArray, FileMetaData, PageHeader, SchemaTree } from "hyparquet";
export { assembleLists, assembleNested } from "hyparquet/src/assemble.js";
export { parquetHeader } from "hyparquet/src/column.js";
export { convert, convertWithDictionary, DEFAULT_PARSERS } from "hyparquet/src/convert.js";
export { deltaBinaryUnpack } from "hyparquet/src/delta.js";
export { byteStreamSplit } from "hyparquet/src/encoding.js";
export { readPlain } from "hyparquet/src/plain.js";
export {
  getMaxDefinitionLevel,
  getMaxRepetitionLevel,
  getTreePath,
  isFlatColumn,
} from "hyparquet/src/schema.js";

/** Unpacks the data of a page to the length that the page states, never more. */
type Unpack = (packed: Uint8Array, length: number) => Uint8Array;

/**
 * Skips unpacking if the length is 0, because an empty dictionary is packed as well, which not every library expects.
 */
function unlessEmpty(unpack: Unpack): Unpack {
  return (packed, length) => (length === 0 ? new Uint8Array(0) : unpack(packed, length));
}

/** The codecs by their names in the format. Each throws on damaged data, and on more than `length` bytes. */
export const codecs = {
  SNAPPY: unlessEmpty((packed, length) => {
    const plain = new Uint8Array(length);
    snappyUncompress(packed, plain);
    return plain;
  }),
  GZIP: unlessEmpty((packed, length) => gunzipSync(packed, { maxOutputLength: length })),
  BROTLI: unlessEmpty((packed, length) => brotliDecompressSync(packed, { maxOutputLength: length })),
  // Older versions of Node.js cannot unpack zstd themselves.
  ZSTD: unlessEmpty((packed, length) => decompressZstd(packed, new Uint8Array(length))),
  LZ4_RAW: unlessEmpty(decompressLz4Raw),
} satisfies Record<string, Unpack>;
