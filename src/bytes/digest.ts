/** Names texts and bytes by their SHA-256, on any platform: the one door of the library that computes it. */
import { sha256 as compute } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** In hexadecimal digits. A text counts as its UTF-8. */
export function sha256(of: string | Uint8Array): string {
  return bytesToHex(compute(typeof of === "string" ? new TextEncoder().encode(of) : of));
}
