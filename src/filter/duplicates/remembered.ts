/** Formats what is remembered of a kept document as a line of JSON, and parses it when a run is resumed. */
import type { Trace } from "./document-memory.js";
import type { Signature } from "./min-hash.js";
import { encodeParts, splitDigests } from "./digest-table.js";

export interface Remembered {
  readonly trace?: Trace;
  /** Digests of the lines of the document. */
  readonly lines?: readonly Uint8Array[];
}

/** The JSON form, with bytes in base64. */
interface Entry {
  readonly id?: string;
  readonly exact?: string;
  readonly bits?: string;
  readonly bands?: string;
  readonly lines?: string;
}

export function formatEntry({ trace, lines }: Remembered): string {
  const entry: Entry = {
    ...(trace === undefined ? {} : { id: trace.id }),
    ...(trace?.exact === undefined ? {} : { exact: encodeParts([trace.exact]) }),
    ...(trace?.near === undefined
      ? {}
      : { bits: encodeParts([trace.near.bits]), bands: encodeParts(trace.near.bands) }),
    ...(lines === undefined ? {} : { lines: encodeParts(lines) }),
  };
  return JSON.stringify(entry);
}

export function parseEntry(json: string): Remembered {
  // The JSON always comes from `formatEntry`.
  const { id, exact, bits, bands, lines } = JSON.parse(json) as Entry;
  const near: Signature | undefined =
    bits === undefined || bands === undefined
      ? undefined
      : { bits: decode(bits), bands: splitDigests(decode(bands)) };
  return {
    ...(id === undefined
      ? {}
      : { trace: { id, near, exact: exact === undefined ? undefined : decode(exact) } }),
    ...(lines === undefined ? {} : { lines: splitDigests(decode(lines)) }),
  };
}

function decode(text: string): Uint8Array {
  return Buffer.from(text, "base64");
}
