/** Writes Parquet files for tests, in the ways that other programs write them. */
import { brotliCompressSync, gzipSync } from "node:zlib";
import { parquetWriteBuffer, type ColumnSource } from "hyparquet-writer";

type Codec = NonNullable<ColumnSource["codec"]>;
type Options = Omit<Parameters<typeof parquetWriteBuffer>[0], "columnData">;

/** Compressors for tests: those of Node.js, and two that store data uncompressed in the format. */
const compressors = {
  GZIP: (plain: Uint8Array) => new Uint8Array(gzipSync(plain)),
  BROTLI: (plain: Uint8Array) => new Uint8Array(brotliCompressSync(plain)),
  ZSTD: storeInZstd,
  LZ4_RAW: storeInLz4,
};

export const CODECS: readonly Codec[] = ["UNCOMPRESSED", "SNAPPY", "GZIP", "BROTLI", "ZSTD", "LZ4_RAW"];

export function writeParquet(columnData: ColumnSource[], options: Options = {}): Uint8Array {
  return new Uint8Array(parquetWriteBuffer({ columnData, compressors, ...options }));
}

/** Makes a zstd frame of raw blocks (RFC 8878): the magic number, one segment with its size in four bytes, blocks of up to 128 KB. */
function storeInZstd(plain: Uint8Array): Uint8Array {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0]);
  head.writeUInt32LE(plain.length, 5);
  const parts: Uint8Array[] = [head];
  for (let at = 0; at === 0 || at < plain.length; at += 1 << 17) {
    const block = plain.subarray(at, at + (1 << 17));
    const isLast = at + (1 << 17) >= plain.length;
    const header = Buffer.alloc(3);
    header.writeUIntLE((block.length << 3) | (isLast ? 1 : 0), 0, 3);
    parts.push(header, block);
  }
  return new Uint8Array(Buffer.concat(parts));
}

/** Makes an LZ4 block that holds only literals. */
function storeInLz4(plain: Uint8Array): Uint8Array {
  const length: number[] = [];
  if (plain.length < 15) length.push(plain.length << 4);
  else {
    length.push(0xf0);
    let rest = plain.length - 15;
    for (; rest >= 255; rest -= 255) length.push(255);
    length.push(rest);
  }
  return new Uint8Array(Buffer.concat([Buffer.from(length), plain]));
}
