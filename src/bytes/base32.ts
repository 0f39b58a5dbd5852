/** Encodes bytes in base 32, as WARC files write digests. */

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Encodes in upper case and without padding (RFC 4648, section 6). */
export function toBase32(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += DIGITS.charAt((value >>> (bits - 5)) & 31);
  }
  return bits === 0 ? text : text + DIGITS.charAt((value << (5 - bits)) & 31);
}
