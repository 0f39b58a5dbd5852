/** Reads bytes four at a time, for loops that look at every byte of a page. */

/** Bytes as whole numbers of four, and those that come before and after. */
export interface Fours {
  readonly fours: Int32Array;
  /** Bytes before the first four: memory is read in fours from where it lets that be. */
  readonly start: number;
  /** Where the bytes begin that are left over. */
  readonly end: number;
}

export function inFours({ buffer, byteOffset, length }: Uint8Array): Fours {
  const start = -byteOffset & 3;
  if (length <= start) return { fours: new Int32Array(0), start: length, end: length };
  const fours = new Int32Array(buffer, byteOffset + start, (length - start) >> 2);
  return { fours, start, end: start + 4 * fours.length };
}
