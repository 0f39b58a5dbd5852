/** The header of a WARC record, from its version line to the blank line, into what this program needs to know of it. */
import { parseFields, splitHeader, type Fields } from "./header-fields.js";

export interface WarcHeader {
  /** "response", "conversion", "request" …, in lower case. */
  readonly type: string;
  /** WARC-Record-ID without its angle brackets, "" where there is none. */
  readonly id: string;
  /** WARC-Target-URI, "" where there is none. */
  readonly url: string;
  /** Bytes of the block, as the header says: whether it tells the truth shows when they are read. */
  readonly length: number;
  readonly fields: Fields;
}

/** The first line of a record; every version so far has one digit before the dot. */
const VERSION = /^WARC\/\d\.\d{1,3}$/;

/** Takes the header without the blank line; a string says what is wrong with it. */
export function parseWarcHeader(bytes: Uint8Array): WarcHeader | string {
  const [version = "", ...lines] = splitHeader(new TextDecoder().decode(bytes));
  if (!VERSION.test(version)) return "no version line of a record";
  const fields = parseFields(lines);
  const type = firstOf(fields, "warc-type")?.toLowerCase();
  if (type === undefined || type === "") return "a header without WARC-Type";
  const length = firstOf(fields, "content-length");
  if (length === undefined) return "a header without Content-Length";
  // Fifteen digits still count exactly.
  if (!/^\d{1,15}$/.test(length)) return `Content-Length is ${JSON.stringify(length.slice(0, 40))}`;
  return {
    type,
    id: unwrap(firstOf(fields, "warc-record-id") ?? ""),
    url: unwrap(firstOf(fields, "warc-target-uri") ?? ""),
    length: Number(length),
    fields,
  };
}

export function firstOf(fields: Fields, name: string): string | undefined {
  return fields.get(name)?.[0];
}

/** Some writers of WARC 1.0 put angle brackets around the target as well. */
function unwrap(uri: string): string {
  return /^<.*>$/.test(uri) ? uri.slice(1, -1) : uri;
}
