/** Reads pages from a stream of JSON Lines, record by record, with one reject for each line without a page. */
import { isUtf8 } from "node:buffer";
import type { Page, UnreadRecord } from "../../document.js";
import { isObject, parseJson, replaceTokens } from "../../json.js";
import { accept, reject, type Outcome, type Reject, type PageName } from "../../outcome.js";
import { JsonValues } from "./json-values.js";
import { readOwnRecord } from "./own-lines.js";
import { findBinary } from "../page-bytes.js";
import { toReject } from "../read-errors.js";
import { readRecord } from "./record.js";
import { splitLines, type ByteLine, type Chunks } from "../streams.js";
import { findUtf16Mark, guessUtf16 } from "../../bytes/utf16.js";

export interface RecordOptions {
  /** The name of the input. A record without its own id is named `<input>:<line>`. */
  readonly input: string;
  /** The most bytes of a record's page, in UTF-8 after decoding JSON escapes. */
  readonly maxBytes: number;
  /** The field that holds the page, if its name is not a usual one. */
  readonly column?: string;
  /** The unit that messages count; lines when absent. */
  readonly unit?: "record";
  /** The number of the first line, if the stream begins within a file, after other records. */
  readonly firstLine?: number;
  /** Whether records that seem to hold pages are passed on unparsed; when absent, they are parsed here. */
  readonly reads?: "later";
}

/** A line that is so long that parsing it may hold up other work. */
export type LongLine = Pick<ByteLine, "number" | "bytes">;

/** Reads lines that are longer than `bytes`. */
export interface LongLines {
  readonly bytes: number;
  readonly read: (line: LongLine) => Promise<Outcome<Page> | undefined>;
}

/** JSON takes at most six bytes for one (`\u0000`); ids, URLs and other fields need some room as well. */
const JSON_BYTES_PER_BYTE = 6;
const SLACK_BYTES = 65_536;

/** Returns a reject if the first bytes of a file show that no line can be JSON. */
export function refuseRecords(of: PageName, head: Uint8Array): Reject | undefined {
  const binary = findBinary(head);
  if (binary !== undefined) return reject(of, "acquire", "binary", binary);
  // With a byte order mark, iconv finds the order itself, and leaves out the mark.
  const wide = findUtf16Mark(head) === undefined ? guessUtf16(head, 2) : "UTF-16";
  if (wide === undefined) return undefined;
  const advice = `${wide}; convert it to UTF-8 first: iconv -f ${wide} -t UTF-8 FILE | thresher -`;
  return reject(of, "acquire", "not-json", advice);
}

/**
 * Reads the pages of a stream in order; memory holds one line. A damaged stream yields all that came before the damage,
 * then one reject.
 */
export async function* readRecords(
  chunks: Chunks,
  options: RecordOptions,
  long?: LongLines,
): AsyncGenerator<Outcome<Page>> {
  const { input, maxBytes, firstLine = 1, unit = "line" } = options;
  let last = firstLine - 1;
  let hasRecords = firstLine > 1;
  try {
    for await (const read of splitLines(chunks, maxBytes * JSON_BYTES_PER_BYTE + SLACK_BYTES)) {
      const line = { ...read, number: read.number + firstLine - 1 };
      const { number, bytes } = line;
      const isLong = long !== undefined && bytes !== undefined && bytes.length > long.bytes;
      const unread = options.reads === "later" && !line.isCut ? leaveUnread(line, options) : undefined;
      const outcome = unread ?? (isLong ? await long.read({ number, bytes }) : readLine(line, options));
      if (outcome === undefined) continue;
      // A broken stream ends with half a line, which the reject after it reports.
      if (line.isCut && !outcome.ok) continue;
      last = line.number;
      hasRecords = true;
      yield outcome;
    }
  } catch (error) {
    const where = last === 0 ? "before the end of the first record" : `after ${unit} ${last}`;
    yield toReject({ id: input, url: "" }, error, where);
    return;
  }
  if (!hasRecords) yield reject({ id: input, url: "" }, "acquire", "empty", "no records");
}

/** Like `readRecords`, for JSON that is an array of records, or records over many lines. */
export async function* readJson(chunks: Chunks, options: RecordOptions): AsyncGenerator<Outcome<Page>> {
  const values = new JsonValues();
  yield* readRecords(values.toLines(chunks), { ...options, unit: "record" });
  if (values.isOpen)
    yield reject(
      { id: options.input, url: "" },
      "acquire",
      "not-json",
      "it ends before all brackets are closed",
    );
}

/**
 * Lengths of lines that may be passed on unparsed. Parsing a shorter line takes no longer than passing it on; a longer
 * one may be impossible to parse.
 */
const UNREAD_BYTES = { least: 4096, most: 1 << 26 } as const;
/**
 * The field that marks a record with a page, if it is within the first `HEAD_BYTES`. Parsing shows what it really is.
 */
const HTML = '"html":';
const HEAD_BYTES = 1024;

function seemsPage({ buffer, byteOffset, length }: Uint8Array): boolean {
  return Buffer.from(buffer, byteOffset, Math.min(length, HEAD_BYTES)).includes(HTML);
}

/** Passes the line on as a page without a name yet; returns undefined if it should be parsed at once. */
function leaveUnread({ number, bytes }: LongLine, options: RecordOptions): Outcome<Page> | undefined {
  if (bytes === undefined || bytes.length < UNREAD_BYTES.least || bytes.length > UNREAD_BYTES.most)
    return undefined;
  if (!seemsPage(bytes)) return undefined;
  const { input, maxBytes, column } = options;
  const place = { number, input, maxBytes, ...(column !== undefined && { column }) };
  return accept({ ...nameLine(input, number), content: { kind: "record", line: bytes, ...place } });
}

/** Reads a record that was passed on unparsed. */
export function readUnread({ line, number, ...options }: UnreadRecord): Outcome<Page> {
  const outcome = readLine({ number, bytes: line }, options);
  if (outcome === undefined) throw new Error("a line that begins with a page is blank");
  return outcome;
}

function nameLine(input: string, number: number): PageName {
  return { id: `${input}:${number}`, url: "" };
}

/** Reads one line as a page or a reject; undefined if the line is blank. */
export function readLine({ number, bytes }: LongLine, options: RecordOptions): Outcome<Page> | undefined {
  const where = nameLine(options.input, number);
  const { unit = "line" } = options;
  const at = `${unit} ${number}`;
  if (bytes === undefined) return reject(where, "acquire", "too-large", `${at}: the ${unit} is too long`);
  if (!isUtf8(bytes))
    return reject(
      where,
      "acquire",
      "not-json",
      `${at}: not UTF-8; iconv -f UTF-8 -t UTF-8 -c removes such bytes`,
    );
  const place = { ...options, ...where, at };
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const mayHaveHalf = buffer.includes("\\u") && (buffer.includes("\\ud") || buffer.includes("\\uD"));
  const isOwn = options.column === undefined && !mayHaveHalf && !seemsPage(bytes);
  const own = isOwn ? readOwnRecord(buffer) : undefined;
  if (own !== undefined) return readRecord(own, place);
  const json = decodeUtf8(buffer);
  if (json.trim() === "") return undefined;
  let value: unknown;
  try {
    value = parse(mayHaveHalf ? mendEscapes(json) : json);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return reject(where, "acquire", "not-json", `${at}: ${excerpt(error.message)}`);
  }
  if (!isObject(value)) {
    return reject(where, "acquire", "not-json", `${at}: ${nameType(value)}, not an object`);
  }
  return readRecord(value, place);
}

/** Matches a string's opening quote, or a number that Python writes and JSON does not have. */
const QUOTE_OR_NUMBER = /"|-?\bInfinity\b|\bNaN\b/g;

/**
 * Parses JSON, also as Python writes it: NaN, which often means a missing value, becomes null, and Infinity a string.
 * Throws the parser's error.
 */
function parse(json: string): unknown {
  try {
    return parseJson(json);
  } catch (error) {
    if (!(error instanceof SyntaxError) || !/NaN|Infinity/.test(json)) throw error;
    const mended = replaceTokens(json, QUOTE_OR_NUMBER, (found) => (found === "NaN" ? "null" : `"${found}"`));
    // Without these numbers, the first error is the right one.
    if (mended === json) throw error;
    return parseJson(mended);
  }
}

/** Matches an escaped backslash, a surrogate pair, and a lone surrogate, which is six characters long. */
const HALVES =
  /\\(?:\\|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[dD][89a-fA-F][\da-fA-F]{2})/g;

/** Replaces each lone surrogate with U+FFFD, because UTF-8 cannot encode it and many JSON parsers refuse it. */
function mendEscapes(json: string): string {
  return replaceTokens(json, HALVES, (escape) => (escape.length === 6 ? "\\ufffd" : escape));
}

/** Decodes UTF-8 and removes a byte order mark. */
function decodeUtf8(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

function nameType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** Shortens a parser's message, because it quotes the line, which may be a whole page. */
function excerpt(message: string): string {
  return message.length <= 120 ? message : `${message.slice(0, 119)}…`;
}
