/** Computes the fingerprint of everything that shapes a text: the same fingerprint means the same text. */
import { sha256 } from "../bytes/digest.js";
import { pickShaping, type PageLimits, type PageOptions } from "../options/page-options.js";
import { VERSION } from "../version.js";

/**
 * Hashes the version, the labellers with their models, the options that shape text, and the settings of the filters.
 * Returns 16 hex digits.
 */
export function fingerprint(
  options: PageOptions & PageLimits,
  labellers: readonly string[],
  filters?: Readonly<Record<string, unknown>>,
): string {
  const parts = { version: VERSION, labellers, ...pickShaping(options), filters };
  return sha256(JSON.stringify(parts)).slice(0, 16);
}
