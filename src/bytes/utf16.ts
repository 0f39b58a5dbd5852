/** Detects UTF-16, by its byte order mark or without one. */

/** The encoding that the byte order mark states, if there is one. */
export function findUtf16Mark(bytes: Uint8Array): "UTF-16LE" | "UTF-16BE" | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "UTF-16LE";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "UTF-16BE" : undefined;
}

/** Bytes that are searched for the first tag of a page. */
const MAX_SPACE = 256;

/**
 * Matches a first tag in UTF-16. The zero bytes do not reveal a Chinese page, whose characters contain zero bytes too
 * and outnumber the markup.
 */
const TAGGED = [
  ["UTF-16LE", /^(?:[\t\n\f\r ]\0)*<\0[a-z!?]\0/i],
  ["UTF-16BE", /^(?:\0[\t\n\f\r ])*\0<\0[a-z!?]/i],
] as const;

function findTagged(bytes: Uint8Array): "UTF-16LE" | "UTF-16BE" | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, MAX_SPACE));
  return TAGGED.find(([, pattern]) => pattern.test(head))?.[0];
}

/**
 * Detects UTF-16 by the first tag, else by the zero bytes of ASCII characters: at least `fewestZeros` of them, nearly
 * all at the position of the high byte, where text seldom has a printable ASCII byte; else by its East Asian letters.
 */
export function guessUtf16(bytes: Uint8Array, fewestZeros: number): "UTF-16LE" | "UTF-16BE" | undefined {
  // Nearly every page has no zero byte, and `includes` is fast.
  if (!bytes.includes(0)) return undefined;
  const tagged = findTagged(bytes);
  if (tagged !== undefined) return tagged;
  const zeros: [number, number] = [0, 0];
  const printable: [number, number] = [0, 0];
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i] ?? 0;
    const parity = (i & 1) as 0 | 1; // `& 1` gives 0 or 1
    if (byte === 0) zeros[parity] += 1;
    else if (byte >= 0x20 && byte < 0x7f) printable[parity] += 1;
  }
  const [high, low] = zeros[1] > zeros[0] ? ([1, 0] as const) : ([0, 1] as const);
  const isWide =
    zeros[high] >= fewestZeros && zeros[low] * 20 <= zeros[high] && printable[high] <= zeros[high];
  if (isWide) return high === 1 ? "UTF-16LE" : "UTF-16BE";
  return isEastAsian(bytes, 1) ? "UTF-16LE" : isEastAsian(bytes, 0) ? "UTF-16BE" : undefined;
}

/** Fewer code units are too few to decide. */
const MIN_UNITS = 16;

/**
 * Detects Chinese, Japanese and Korean, which have few zero bytes: nearly all code units are of these scripts or ASCII,
 * and some low bytes are control characters, which no text in another encoding has.
 */
function isEastAsian(bytes: Uint8Array, high: 0 | 1): boolean {
  const units = bytes.length >> 1;
  let fitting = 0;
  let controls = 0;
  for (let at = 0; at < 2 * units; at += 2) {
    const top = bytes[at + high] ?? 0;
    const low = bytes[at + 1 - high] ?? 0;
    const isLetter =
      top === 0x30 || (top >= 0x4e && top <= 0x9f) || (top >= 0xac && top <= 0xd7) || top === 0xff;
    if (isLetter || (top === 0 && low >= 0x09 && low < 0x7f)) fitting += 1;
    if (isLetter && low > 0 && (low < 0x09 || (low > 0x0d && low < 0x20))) controls += 1;
  }
  return units >= MIN_UNITS && fitting * 100 >= units * 98 && controls * 100 >= units * 3;
}
