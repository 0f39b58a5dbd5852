/** Views bytes as 32-bit integers, for loops that read every byte of a page. */

/** The aligned middle part of a byte array as 32-bit integers. */
export interface Fours {
  readonly fours: Int32Array;
  /** The number of bytes before the first integer: an Int32Array must start at a multiple of four. */
  readonly start: number;
  /** The offset of the bytes after the last integer. */
  readonly end: number;
}

/** Views the bytes without copying them, in the byte order of the machine. */
export function inFours({ buffer, byteOffset, length }: Uint8Array): Fours {
  const start = -byteOffset & 3;
  if (length <= start) return { fours: new Int32Array(0), start: length, end: length };
  const fours = new Int32Array(buffer, byteOffset + start, (length - start) >> 2);
  return { fours, start, end: start + 4 * fours.length };
}
