/** Reads the records that our writers make, without the reader under test. */
import { expect } from "vitest";

export interface WrittenRecord {
  readonly fields: Readonly<Record<string, string>>;
  readonly block: Buffer;
}

/** Reads records by their Content-Length alone, and fails if there is anything between them. */
export function readRecords(bytes: Buffer, version: "WARC/1.0" | "WARC/1.1"): WrittenRecord[] {
  const records: WrittenRecord[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf("\r\n\r\n", at);
    expect(end).toBeGreaterThan(at);
    const [first, ...lines] = bytes.subarray(at, end).toString().split("\r\n");
    expect(first).toBe(version);
    const fields = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]),
    );
    expect(Object.keys(fields)).toHaveLength(lines.length);
    const to = end + 4 + Number(fields["Content-Length"]);
    records.push({ fields, block: bytes.subarray(end + 4, to) });
    expect(bytes.subarray(to, to + 4).toString()).toBe("\r\n\r\n");
    at = to + 4;
  }
  return records;
}
