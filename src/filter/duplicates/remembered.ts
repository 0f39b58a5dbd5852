/** Formats what is remembered of a kept document as a line of JSON, and parses it when a run is resumed. */
import type { Trace } from "./document-memory.js";
import type { Signature } from "./min-hash.js";
import { KEY_BYTES } from "./digest-table.js";

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
    ...(trace?.exact === undefined ? {} : { exact: encode([trace.exact]) }),
    ...(trace?.near === undefined
      ? {}
      : { bits: encode([trace.near.bits]), bands: encode(trace.near.bands) }),
    ...(lines === undefined ? {} : { lines: encode(lines) }),
  };
  return JSON.stringify(entry);
}

export function parseEntry(json: string): Remembered {
  // The JSON always comes from `formatEntry`.
  const { id, exact, bits, bands, lines } = JSON.parse(json) as Entry;
  const near: Signature | undefined =
    bits === undefined || bands === undefined ? undefined : { bits: decode(bits), bands: cut(decode(bands)) };
  return {
    ...(id === undefined
      ? {}
      : { trace: { id, near, exact: exact === undefined ? undefined : decode(exact) } }),
    ...(lines === undefined ? {} : { lines: cut(decode(lines)) }),
  };
}

function encode(parts: readonly Uint8Array[]): string {
  return Buffer.concat(parts).toString("base64");
}

function decode(text: string): Uint8Array {
  return Buffer.from(text, "base64");
}

/** Splits bytes into digests, which all have the same length. */
function cut(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: bytes.length / KEY_BYTES }, (_, number) =>
    bytes.subarray(number * KEY_BYTES, (number + 1) * KEY_BYTES),
  );
}
