/** Reads pages from a stream of JSON Lines, record by record, with one reject for each line that holds none. */
import { isUtf8 } from "node:buffer";
import type { Page } from "../document.js";
import { parseJson, type Fields } from "../json.js";
import { reject, type Outcome } from "../outcome.js";
import { toReject } from "./read-errors.js";
import { readRecord } from "./record.js";
import { splitLines, type ByteLine, type Chunks } from "./streams.js";

export interface RecordOptions {
  /** The name of the input: a record without an id of its own is called `<input>:<line>`. */
  readonly input: string;
  /** Per record, in UTF-8 once the JSON escapes are gone. */
  readonly maxBytes: number;
  /** The field that holds the page, where its name is none of the usual ones. */
  readonly column?: string;
  /** The number of the first line, where the stream begins within a file that has records before it. */
  readonly firstLine?: number;
}

/** A line of so many bytes that reading it may hold others up. */
export type LongLine = Pick<ByteLine, "number" | "bytes">;

/** Who reads lines that are longer than so many bytes. */
export interface LongLines {
  readonly bytes: number;
  readonly read: (line: LongLine) => Promise<Outcome<Page> | undefined>;
}

/** JSON writes one byte in at most six (`\u0000`); ids, URLs and fields for others need some room as well. */
const JSON_BYTES_PER_BYTE = 6;
const SLACK_BYTES = 65_536;

/** Reads the pages of a stream in order; memory holds one line. A damaged stream gives all it held, then one reject. */
export async function* readRecords(
  chunks: Chunks,
  options: RecordOptions,
  long?: LongLines,
): AsyncGenerator<Outcome<Page>> {
  const { input, maxBytes, firstLine = 1 } = options;
  let last = firstLine - 1;
  let hasRecords = firstLine > 1;
  try {
    for await (const read of splitLines(chunks, maxBytes * JSON_BYTES_PER_BYTE + SLACK_BYTES)) {
      const line = { ...read, number: read.number + firstLine - 1 };
      const { number, bytes } = line;
      const isLong = long !== undefined && bytes !== undefined && bytes.length > long.bytes;
      const outcome = isLong ? await long.read({ number, bytes }) : readLine(line, options);
      if (outcome === undefined) continue;
      // A broken stream ends with half a line; the reject that follows reports it.
      if (line.isCut && !outcome.ok) continue;
      last = line.number;
      hasRecords = true;
      yield outcome;
    }
  } catch (error) {
    const where = last === 0 ? "before the first record was whole" : `after line ${last}`;
    yield toReject({ id: input, url: "" }, error, where);
    return;
  }
  if (!hasRecords) yield reject({ id: input, url: "" }, "acquire", "empty", "no records");
}

/** Reads one line as a page or a reject; undefined where the line is blank. */
export function readLine({ number, bytes }: LongLine, options: RecordOptions): Outcome<Page> | undefined {
  const where = { id: `${options.input}:${number}`, url: "" };
  const at = `line ${number}`;
  if (bytes === undefined) return reject(where, "acquire", "too-large", `${at}: the line is too long`);
  if (!isUtf8(bytes)) return reject(where, "acquire", "not-json", `${at}: not UTF-8`);
  const json = decodeUtf8(bytes);
  if (json.trim() === "") return undefined;
  let value: unknown;
  try {
    value = parseJson(json);
  } catch (error) {
    if (error instanceof RangeError) return reject(where, "acquire", "not-json", `${at}: too many levels`);
    if (!(error instanceof SyntaxError)) throw error;
    return reject(where, "acquire", "not-json", `${at}: ${excerpt(error.message)}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return reject(where, "acquire", "not-json", `${at}: ${nameType(value)}, not an object`);
  }
  // Any object may be read by key; the fields are checked one by one.
  return readRecord(value as Fields, { ...options, ...where, at });
}

/** Without a byte order mark. */
function decodeUtf8(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

function nameType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** Shortens a message of the parser, which quotes the line, and that may be a whole page. */
function excerpt(message: string): string {
  return message.length <= 120 ? message : `${message.slice(0, 119)}…`;
}
