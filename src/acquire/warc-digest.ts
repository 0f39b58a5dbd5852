/** The block of a record against the digest that its header states. */
import { createHash } from "node:crypto";
import { firstOf, type WarcHeader } from "./warc-header.js";

const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";
/** The algorithms that are in use, with their bytes. */
const ALGORITHMS: Readonly<Record<string, number>> = { sha1: 20, sha256: 32, md5: 16 };

/** undefined where there is no digest that we can check. */
export function isBlockAsDigested({ fields }: WarcHeader, block: Uint8Array): boolean | undefined {
  const stated = firstOf(fields, "warc-block-digest") ?? "";
  const [, name = "", digest = ""] = /^([\w-]{1,20}):([\w+/=]{1,200})$/.exec(stated) ?? [];
  const algorithm = name.toLowerCase().replace("-", "");
  const length = ALGORITHMS[algorithm];
  if (length === undefined) return undefined;
  const real = createHash(algorithm).update(block).digest();
  const bare = digest.replace(/=+$/, "");
  // Hexadecimal or base 32: their lengths tell them apart.
  if (bare.length === length * 2) return bare.toLowerCase() === real.toString("hex");
  if (bare.length !== Math.ceil((length * 8) / 5)) return undefined;
  return bare.toLowerCase() === toBase32(real);
}

export function toBase32(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += BASE32[(value >>> (bits - 5)) & 31] ?? "";
  }
  return bits === 0 ? text : text + (BASE32[(value << (5 - bits)) & 31] ?? "");
}
