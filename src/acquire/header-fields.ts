/** Parses header fields as WARC records, HTTP messages and the parts of an e-mail have them. */

/** Header fields by lower-case name. A repeated field has several values, in order. */
export type Fields = ReadonlyMap<string, readonly string[]>;

/** Returns the first value of a field; `name` is in lower case. */
export function firstOf(fields: Fields, name: string): string | undefined {
  return fields.get(name)?.[0];
}

/** Parses the lines of a header. Skips lines without a colon, as browsers do. */
export function parseFields(lines: readonly string[]): Fields {
  const fields = new Map<string, string[]>();
  let last: string[] | undefined;
  for (const line of lines) {
    // A line that begins with a space or tab continues the previous field.
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

/** Splits at CR LF or LF. */
export function splitHeader(text: string): string[] {
  return text.split(/\r?\n/);
}
