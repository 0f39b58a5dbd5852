/** Parses the header of a WARC record. */
import { firstOf, parseFields, splitHeader, type Fields } from "../header-fields.js";

export interface WarcHeader {
  /** "response", "conversion", "request" …, in lower case. */
  readonly type: string;
  /** WARC-Record-ID without its angle brackets; "" if missing. */
  readonly id: string;
  /** WARC-Target-URI; "" if missing. */
  readonly url: string;
  /** Bytes of the block as the header states them. Only reading the block shows whether this is right. */
  readonly length: number;
  readonly fields: Fields;
}

/** Parses the lines of a header, without the blank line. Returns a string if something is wrong with it. */
export function parseWarcHeader(bytes: Uint8Array): WarcHeader | string {
  if (bytes.includes(0)) return "a header with NUL bytes";
  // The first line is the version, which the caller has checked.
  const fields = parseFields(splitHeader(new TextDecoder().decode(bytes)).slice(1));
  const type = firstOf(fields, "warc-type")?.toLowerCase();
  if (type === undefined) return "a header without WARC-Type";
  // Records of unknown types are skipped, so a type that is not even a name has to be reported.
  if (!/^[\w.+-]{1,60}$/.test(type)) return `WARC-Type is ${JSON.stringify(type.slice(0, 40))}`;
  const length = firstOf(fields, "content-length");
  if (length === undefined) return "a header without Content-Length";
  // A number of fifteen digits is still exact in JavaScript.
  if (!/^\d{1,15}$/.test(length)) return `Content-Length is ${JSON.stringify(length.slice(0, 40))}`;
  return {
    type,
    id: unwrap(firstOf(fields, "warc-record-id") ?? ""),
    url: unwrap(firstOf(fields, "warc-target-uri") ?? ""),
    length: Number(length),
    fields,
  };
}

/** Removes angle brackets: some writers of WARC 1.0 also put them around the target URI. */
function unwrap(uri: string): string {
  return /^<.*>$/.test(uri) ? uri.slice(1, -1) : uri;
}
