/** Formats the heads of WARC records, with the dates and digests in them; WARC and WET files share it. */
import { createHash } from "node:crypto";
import { toBase32 } from "../../bytes/base32.js";

export type Field = readonly [name: string, value: string];

/** What ends a record, behind its block. */
export const RECORD_END = "\r\n\r\n";

/** The version, the fields, the length of the block, and the empty line before it. */
export function formatRecordHead(
  version: "1.0" | "1.1",
  fields: readonly Field[],
  blockBytes: number,
): string {
  return `WARC/${version}\r\n${fields.map(formatField).join("")}Content-Length: ${blockBytes}\r\n\r\n`;
}

export function formatField([name, value]: Field): string {
  return `${name}: ${value}\r\n`;
}

/** To the second, as readers of WARC 1.0 expect it. */
export function formatDate(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** The SHA-1 of a block or a payload, labelled and in base 32, as crawlers write it. */
export function digestOf(bytes: string | Uint8Array): string {
  return `sha1:${toBase32(createHash("sha1").update(bytes).digest())}`;
}
