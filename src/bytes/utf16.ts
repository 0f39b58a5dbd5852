/** Tells whether bytes are UTF-16: by their byte order mark, or where there is none. */

/** Which UTF-16 the byte order mark says that they are. */
export function findUtf16Mark(bytes: Uint8Array): "UTF-16LE" | "UTF-16BE" | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "UTF-16LE";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "UTF-16BE" : undefined;
}

/** White space in either order before the first tag of a page, in bytes, that is looked over. */
const MAX_SPACE = 256;

/** A first tag in UTF-16. It alone tells on a Chinese page, whose text has zeros of its own and outweighs the markup. */
const TAGGED = [
  ["UTF-16LE", /^(?:[\t\n\f\r ]\0)*<\0[a-z!?]\0/i],
  ["UTF-16BE", /^(?:\0[\t\n\f\r ])*\0<\0[a-z!?]/i],
] as const;

function findTagged(bytes: Uint8Array): "UTF-16LE" | "UTF-16BE" | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, MAX_SPACE));
  return TAGGED.find(([, pattern]) => pattern.test(head))?.[0];
}

/**
 * Which UTF-16 its first tag shows, or else the zero bytes of its ASCII, if any: nearly all of them, and at least
 * `fewestZeros`, on the side of the high byte, where text seldom has a printable ASCII byte.
 */
export function guessUtf16(bytes: Uint8Array, fewestZeros: number): "UTF-16LE" | "UTF-16BE" | undefined {
  // Nearly every page has none at all, and a search for one costs nothing.
  if (fewestZeros > 0 && !bytes.includes(0)) return undefined;
  const tagged = findTagged(bytes);
  if (tagged !== undefined) return tagged;
  const zeros: [number, number] = [0, 0];
  const printable: [number, number] = [0, 0];
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i] ?? 0;
    const parity = (i & 1) as 0 | 1; // the lowest bit of a number is 0 or 1
    if (byte === 0) zeros[parity] += 1;
    else if (byte >= 0x20 && byte < 0x7f) printable[parity] += 1;
  }
  const [high, low] = zeros[1] > zeros[0] ? ([1, 0] as const) : ([0, 1] as const);
  const isWide =
    zeros[high] >= fewestZeros && zeros[low] * 20 <= zeros[high] && printable[high] <= zeros[high];
  return isWide ? (high === 1 ? "UTF-16LE" : "UTF-16BE") : undefined;
}
