/** Parses the head of a WARC record, and the named fields with which WARC records and HTTP messages begin. */

export interface WarcHeader {
  /** "response", "conversion", "request" …, in lower case. */
  readonly type: string;
  /** WARC-Record-ID without its angle brackets, "" where there is none. */
  readonly id: string;
  /** WARC-Target-URI, "" where there is none. */
  readonly url: string;
  /** Bytes of the block, as the header states them; whether that is true shows when they are read. */
  readonly length: number;
  readonly fields: Fields;
}

/** Parses the lines of a header, without the blank one; a string says what is wrong with it. */
export function parseWarcHeader(bytes: Uint8Array): WarcHeader | string {
  if (bytes.includes(0)) return "a header with NUL bytes";
  // The first line is the version, which the caller has checked.
  const fields = parseFields(splitHeader(new TextDecoder().decode(bytes)).slice(1));
  const type = firstOf(fields, "warc-type")?.toLowerCase();
  if (type === undefined) return "a header without WARC-Type";
  // Records of unknown types are passed over, so a type that is not even a name must be reported.
  if (!/^[\w.+-]{1,60}$/.test(type)) return `WARC-Type is ${JSON.stringify(type.slice(0, 40))}`;
  const length = firstOf(fields, "content-length");
  if (length === undefined) return "a header without Content-Length";
  // A number of fifteen digits is still exact.
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

/** Takes angle brackets off: some writers of WARC 1.0 put them around the target as well. */
function unwrap(uri: string): string {
  return /^<.*>$/.test(uri) ? uri.slice(1, -1) : uri;
}

/** The fields of a header by lower-case name; a field that is repeated has several values, in order. */
export type Fields = ReadonlyMap<string, readonly string[]>;

/** Parses the lines after the first; lines without a colon are skipped, as browsers do. */
export function parseFields(lines: readonly string[]): Fields {
  const fields = new Map<string, string[]>();
  let last: string[] | undefined;
  for (const line of lines) {
    // A line that begins with a space continues the field before it.
    if (/^[ \t]/.test(line)) {
      const more = line.trim();
      const before = last?.pop() ?? "";
      last?.push(before === "" || more === "" ? before + more : `${before} ${more}`);
      continue;
    }
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (name === "") {
      last = undefined;
      continue;
    }
    last = fields.get(name) ?? [];
    last.push(line.slice(colon + 1).trim());
    fields.set(name, last);
  }
  return fields;
}

/** Splits at line breaks, CR LF or LF alone. */
export function splitHeader(text: string): string[] {
  return text.split(/\r?\n/);
}
