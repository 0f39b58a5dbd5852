/** A header of named fields, as WARC records and HTTP messages begin with, into its fields. */

/** By lower-case name; a field that is repeated has several values, in order. */
export type Fields = ReadonlyMap<string, readonly string[]>;

/** Takes the lines after the first; lines without a colon are skipped, as browsers do. */
export function parseFields(lines: readonly string[]): Fields {
  const fields = new Map<string, string[]>();
  let last: string[] | undefined;
  for (const line of lines) {
    // A line that begins with a space goes on with the field before it.
    if (/^[ \t]/.test(line)) {
      if (last !== undefined) last.push(`${last.pop() ?? ""} ${line.trim()}`.trim());
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
