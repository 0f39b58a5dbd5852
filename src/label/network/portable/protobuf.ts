/**
 * Reads the wire format of protocol buffers: numbered fields, each a number or bytes.
 *
 * The format has only a few kinds of values. Libraries for it (pbf, protobufjs) read past the end of damaged bytes or
 * bring a compiler with them; here every read is checked, because a model file may be cut off anywhere.
 */

interface Field {
  readonly number: number;
  /** 0 for bytes. Integers of 64 bits that JavaScript cannot hold exactly are rounded. */
  readonly value: number;
  /** Whether the field holds bytes: a text, a message, or packed numbers. */
  readonly isSized: boolean;
  /** Empty if the field holds a number. */
  readonly bytes: Uint8Array;
}

const NONE = new Uint8Array(0);
const VARINT = 0;
const EIGHT_BYTES = 1;
const SIZED = 2;
const FOUR_BYTES = 5;

/** Yields the fields of a message. Throws an Error if the bytes end inside a field or have another format. */
export function* readFields(bytes: Uint8Array): Generator<Field> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const cursor = { at: 0 };
  const take = (count: number): number => {
    const from = cursor.at;
    if (from + count > bytes.length) throw new Error("its data is cut short");
    cursor.at = from + count;
    return from;
  };
  while (cursor.at < bytes.length) {
    const key = readVarint(bytes, cursor);
    const number = Math.floor(key / 8);
    const wire = key % 8;
    if (wire === VARINT) yield { number, value: readVarint(bytes, cursor), isSized: false, bytes: NONE };
    else if (wire === FOUR_BYTES)
      yield { number, value: view.getFloat32(take(4), true), isSized: false, bytes: NONE };
    else if (wire === EIGHT_BYTES)
      yield { number, value: view.getFloat64(take(8), true), isSized: false, bytes: NONE };
    else if (wire === SIZED) {
      const size = readVarint(bytes, cursor);
      const from = take(size < 0 ? bytes.length + 1 : size);
      yield { number, value: 0, isSized: true, bytes: bytes.subarray(from, cursor.at) };
    } else throw new Error("it is not an ONNX file");
  }
}

/** Returns the numbers of a repeated field: its single number, or all varints packed into its bytes. */
export function readNumbers({ value, isSized, bytes }: Field): number[] {
  if (!isSized) return [value];
  const cursor = { at: 0 };
  const numbers: number[] = [];
  while (cursor.at < bytes.length) numbers.push(readVarint(bytes, cursor));
  return numbers;
}

/** A varint has seven bits per byte, the low ones first, and at most ten bytes, for a signed 64-bit integer. */
const MOST_BYTES = 10;

function readVarint(bytes: Uint8Array, cursor: { at: number }): number {
  let low = 0;
  for (let read = 0; read < 4; read++) {
    const byte = byteAt(bytes, cursor);
    low += (byte & 0x7f) * 2 ** (7 * read);
    if (byte < 0x80) return low;
  }
  let whole = BigInt(low);
  for (let read = 4; read < MOST_BYTES; read++) {
    const byte = byteAt(bytes, cursor);
    whole |= BigInt(byte & 0x7f) << BigInt(7 * read);
    if (byte < 0x80) return Number(BigInt.asIntN(64, whole));
  }
  throw new Error("it is not an ONNX file");
}

function byteAt(bytes: Uint8Array, cursor: { at: number }): number {
  const byte = bytes[cursor.at];
  if (byte === undefined) throw new Error("its data is cut short");
  cursor.at += 1;
  return byte;
}
