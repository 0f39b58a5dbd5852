/** Decodes the values of a Parquet page in the encodings for which the library would trust sizes from damaged data. */
import { ParquetError } from "./parquet-format.js";
import { deltaBinaryUnpack } from "./parquet-library.js";

/** The offset up to which a page was read; has the shape that the library expects. */
export interface Cursor {
  readonly view: DataView;
  offset: number;
}

export function openCursor(bytes: Uint8Array): Cursor {
  return { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
}

/**
 * Decodes numbers of `width` bits from runs of equal numbers and packed groups of eight (the format's "RLE /
 * bit-packing hybrid"). Returns exactly `count` numbers. Throws ParquetError if `width` is over 32, and RangeError if
 * the bytes end too early.
 */
export function decodeHybrid(cursor: Cursor, width: number, count: number): number[] {
  if (width > 32) throw new ParquetError(`a number cannot have ${width} bits`);
  const numbers = new Array<number>(count);
  let filled = 0;
  while (filled < count) {
    const header = readVarInt(cursor);
    const isPacked = (header & 1) === 1;
    const run = Math.min(isPacked ? (header >>> 1) * 8 : header >>> 1, count - filled);
    if (isPacked) unpackBits(cursor, width, { numbers, from: filled, to: filled + run });
    else numbers.fill(readNumber(cursor, (width + 7) >> 3), filled, filled + run);
    filled += run;
  }
  return numbers;
}

function readVarInt(cursor: Cursor): number {
  let value = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = cursor.view.getUint8(cursor.offset);
    cursor.offset += 1;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return value >>> 0;
}

function readNumber(cursor: Cursor, bytes: number): number {
  let value = 0;
  for (let i = 0; i < bytes; i += 1) value |= cursor.view.getUint8(cursor.offset + i) << (8 * i);
  cursor.offset += bytes;
  return value >>> 0;
}

/** Unpacks bit-packed numbers. The data has whole groups of eight even if fewer numbers are wanted. */
function unpackBits(
  cursor: Cursor,
  width: number,
  { numbers, from, to }: { readonly numbers: number[]; readonly from: number; readonly to: number },
): void {
  const { view, offset } = cursor;
  let bit = 0;
  for (let at = from; at < to; at += 1) {
    let value = 0;
    for (let have = 0; have < width;) {
      const take = Math.min(8 - (bit & 7), width - have);
      const byte = view.getUint8(offset + (bit >> 3));
      value |= ((byte >> (bit & 7)) & ((1 << take) - 1)) << have;
      have += take;
      bit += take;
    }
    numbers[at] = value >>> 0;
  }
  cursor.offset += Math.ceil((to - from) / 8) * width;
}

/** Decodes byte strings that follow all of their lengths (DELTA_LENGTH_BYTE_ARRAY). Throws ParquetError. */
export function decodeLengths(cursor: Cursor, count: number): Uint8Array[] {
  const lengths = readDeltas(cursor, count);
  return Array.from(lengths, (length) => readBytes(cursor, length));
}

/**
 * Decodes byte strings that share a prefix with the previous one (DELTA_BYTE_ARRAY). Throws ParquetError, also if all
 * together have more than `maxBytes`.
 */
export function decodePrefixes(cursor: Cursor, count: number, maxBytes: number): Uint8Array[] {
  const prefixes = readDeltas(cursor, count);
  const suffixes = readDeltas(cursor, count);
  let before = new Uint8Array(0);
  let total = 0;
  return Array.from(prefixes, (prefix, i) => {
    const suffix = readBytes(cursor, suffixes[i] ?? 0);
    total += prefix + suffix.length;
    if (prefix < 0 || prefix > before.length || total > maxBytes)
      throw new ParquetError("a text repeats more of the text before it than that holds");
    const whole = new Uint8Array(prefix + suffix.length);
    whole.set(before.subarray(0, prefix));
    whole.set(suffix, prefix);
    before = whole;
    return whole;
  });
}

function readDeltas(cursor: Cursor, count: number): Int32Array {
  const numbers = new Int32Array(count);
  if (count > 0) deltaBinaryUnpack(cursor, count, numbers);
  return numbers;
}

function readBytes(cursor: Cursor, length: number): Uint8Array {
  const { view, offset } = cursor;
  if (length < 0 || offset + length > view.byteLength) throw new ParquetError("a text goes beyond its page");
  cursor.offset += length;
  return new Uint8Array(view.buffer, view.byteOffset + offset, length);
}
