/** Formats the headers of WARC records, with their dates and digests, for WARC and WET files. */
import { createHash } from "node:crypto";
import { toBase32 } from "../../bytes/base32.js";

export type Field = readonly [name: string, value: string];

/** The end of a record, after its block. */
export const RECORD_END = "\r\n\r\n";

/** Formats the version, the fields, the length of the block, and the empty line before the block. */
export function formatRecordHead(
  version: "1.0" | "1.1",
  fields: readonly Field[],
  blockBytes: number,
): string {
  return `WARC/${version}\r\n${fields.map(formatField).join("")}Content-Length: ${blockBytes}\r\n\r\n`;
}

/** Formats a field with its line break. */
export function formatField([name, value]: Field): string {
  return `${name}: ${value}\r\n`;
}

/** Formats a date to the second, as readers of WARC 1.0 expect. */
export function formatDate(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** The labelled SHA-1 of a block or payload in base 32, as crawlers write it. */
export function digestOf(bytes: string | Uint8Array): string {
  return `sha1:${toBase32(createHash("sha1").update(bytes).digest())}`;
}
