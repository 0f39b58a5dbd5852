/** Computes the SHA-256 of text and bytes on any platform. Only this file imports `@noble/hashes`. */
import { sha256 as compute } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** The SHA-256 in hexadecimal digits. Text is encoded as UTF-8. */
export function sha256(of: string | Uint8Array): string {
  return bytesToHex(compute(typeof of === "string" ? new TextEncoder().encode(of) : of));
}
