/**
 * Reads the seeds of a crawl, which are URLs and files of URLs; a bad line is a reject and does not affect other lines.
 */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { TextDecoder } from "node:util";
import { accept, reject, UsageError, type Outcome } from "../../outcome.js";
import { withoutUser } from "../../parse-url.js";
import { isUrl } from "../files.js";
import { extensionOf, isTableName, kindOfName } from "../kind.js";
import { unpackStream } from "../packed/unpack.js";
import { findBinary } from "../page-bytes.js";
import { toReject } from "../read-errors.js";
import {
  chunksUntilAborted,
  peek,
  splitLines,
  type ByteLine,
  type Chunks,
  type PeekedStream,
} from "../streams.js";
import type { TextLine } from "./csv.js";
import { NOT_URL, readSeedLines, toSeedUrl, type SeedFormat } from "./seed-lines.js";
import { codeOf } from "../../thrown.js";
import { findUtf16Mark } from "../../bytes/utf16.js";

export { SEED_FORMATS, type SeedFormat } from "./seed-lines.js";

/** A URL that a crawl begins with. */
export interface SeedUrl {
  /** http or https, normalised by the URL standard. */
  readonly url: string;
  /** The file that lists it, "stdin", or the argument itself. */
  readonly input: string;
  /** Counted from 1; absent for an argument. */
  readonly line?: number;
}

export interface SeedOptions {
  /** The column of a table, by name or by number from 1, or the field of JSON lines, that holds the URL. */
  readonly column?: string;
  /** The format of every file; detected from the name, then from the content, when absent. */
  readonly format?: SeedFormat;
  /** The stream that `-` reads. */
  readonly stdin?: Chunks;
  /** The most bytes of a line. Default 1 MiB. */
  readonly maxLineBytes?: number;
}

const MAX_LINE_BYTES = 1 << 20;
/** Bytes that show what a file is. */
const HEAD_BYTES = 4096;
const STDIN = "stdin";

/**
 * Reads the seeds of all inputs in order, with one reject for each line without a seed: its id is `<input>:<line>`. An
 * input is a URL, `-`, a file, or a host without its scheme; if it is both a file and a host, the file is read. Memory
 * holds one line, or one row of a table. Throws UsageError if `-` is given without stdin. Ends when the signal aborts.
 */
export async function* readSeeds(
  inputs: readonly string[],
  options: SeedOptions,
  signal: AbortSignal,
): AsyncGenerator<Outcome<SeedUrl>> {
  for (const input of inputs) {
    if (signal.aborted) return;
    if (input === "-" || (await isFile(input))) yield* readSeedFile(input, options, signal);
    else yield readArgument(input);
  }
}

/** Reads the seeds of one file, which may be packed with gzip or zstd; `-` is stdin. */
export async function* readSeedFile(
  path: string,
  options: SeedOptions,
  signal: AbortSignal,
): AsyncGenerator<Outcome<SeedUrl>> {
  const { stdin } = options;
  if (path === "-" && stdin === undefined) throw new UsageError("there is no stdin to read");
  const input = path === "-" ? STDIN : path;
  const of = { id: input, url: "" };
  const chunks = path === "-" && stdin !== undefined ? stdin : createReadStream(path);
  const source = chunksUntilAborted(chunks, signal);
  const state = { line: 0 };
  try {
    const plain = await openPlain(source);
    const problem = findBinary(plain.head);
    if (problem !== undefined) yield reject(of, "acquire", "binary", problem);
    else if (/^\s*</.test(textOf(plain.head)))
      yield reject(of, "acquire", "not-a-list", "XML or HTML; give the URL of a sitemap or feed instead");
    else yield* readLines(plain, input, { ...options, state });
  } catch (error) {
    yield toReject(of, error, state.line === 0 ? undefined : `after line ${state.line}`);
  } finally {
    // A file that was refused by its first bytes is still open.
    await source.return(undefined);
  }
}

interface Reading extends SeedOptions {
  /** The number of the last line that was read. */
  readonly state: { line: number };
}

async function* readLines(
  { head, chunks }: PeekedStream,
  input: string,
  { column, format = formatOf(input, head, column), maxLineBytes = MAX_LINE_BYTES, state }: Reading,
): AsyncGenerator<Outcome<SeedUrl>> {
  const lines = decodeLines(splitLines(chunks, maxLineBytes), state);
  for await (const found of readSeedLines(lines, format, column)) {
    const { line } = found;
    const of = { id: `${input}:${line}`, url: "" };
    if ("problem" in found) {
      yield reject(of, "acquire", found.reason, `line ${line}: ${found.problem}`);
      continue;
    }
    const seed = toSeedUrl(found.text);
    if ("url" in seed) yield accept({ url: seed.url, input, line });
    else yield reject(of, "acquire", "bad-url", `line ${line}: ${seed.problem}: ${excerpt(found.text)}`);
  }
}

function readArgument(input: string): Outcome<SeedUrl> {
  // The name of a missing file, such as "urls.txt", could also be that of a host.
  const isFileName = !input.includes("/") && (kindOfName(input) !== undefined || isTableName(input));
  const seed = isFileName ? { problem: NOT_URL } : toSeedUrl(input);
  if ("url" in seed) return accept({ url: seed.url, input });
  return seed.problem === NOT_URL
    ? reject(
        { id: input, url: "" },
        "acquire",
        "not-found",
        "neither a file nor a URL (URLs begin with https://)",
      )
    : reject({ id: input, url: input }, "acquire", "bad-url", seed.problem);
}

async function isFile(input: string): Promise<boolean> {
  if (isUrl(input)) return false;
  try {
    // A directory that wget made has the name of its host.
    return !(await stat(input)).isDirectory();
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return false;
  }
}

/** Unpacks a file, and transcodes it to UTF-8 if a byte order mark shows UTF-16, as spreadsheets write it. */
async function openPlain(raw: Chunks): Promise<PeekedStream> {
  const packed = await peek(raw, HEAD_BYTES, () => true);
  const opened = await peekLine(unpackStream(packed));
  const charset = findUtf16Mark(opened.head);
  return charset === undefined ? opened : peekLine(transcode(opened.chunks, charset));
}

/**
 * Returns the first line that is not blank as the head, however the stream is chunked, so that a slow pipe need not
 * send more.
 */
async function peekLine(chunks: Chunks): Promise<PeekedStream> {
  const peeked = await peek(chunks, HEAD_BYTES, (head) => firstLineOf(head) !== undefined);
  return { chunks: peeked.chunks, head: firstLineOf(peeked.head) ?? peeked.head };
}

function firstLineOf(head: Uint8Array): Uint8Array | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString("latin1");
  const end = /^\s*\S[^\n]*\n/.exec(text)?.[0].length;
  return end === undefined ? undefined : head.subarray(0, end);
}

async function* transcode(chunks: Chunks, charset: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(charset);
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}

async function* decodeLines(
  lines: AsyncIterable<ByteLine>,
  state: { line: number },
): AsyncGenerator<TextLine> {
  // The decoder removes a byte order mark, at the beginning of the file or of a file that was appended to it.
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const { number, bytes, isCut } of lines) {
    // Half a URL may be a valid URL. The error that broke the stream follows.
    if (isCut) continue;
    state.line = number;
    if (bytes === undefined) {
      yield { number, text: undefined, problem: "the line is too long" };
      continue;
    }
    try {
      yield { number, text: decoder.decode(bytes).replace(/\r$/, "") };
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      yield { number, text: undefined, problem: "not UTF-8" };
    }
  }
}

function formatOf(input: string, head: Uint8Array, column: string | undefined): SeedFormat {
  const extension = extensionOf(input);
  if (extension === "csv") return "csv";
  if (extension === "tsv" || extension === "tab") return "tsv";
  if (extension === "jsonl" || extension === "ndjson" || /^\s*\{/.test(textOf(head))) return "jsonl";
  // A column is named only for a table, whatever its delimiter is.
  return column === undefined ? "text" : "csv";
}

function textOf(head: Uint8Array): string {
  return Buffer.from(head)
    .toString("utf8")
    .replace(/^\ufeff/, "");
}

function excerpt(text: string): string {
  const shown = withoutUser(text);
  return shown.length <= 100 ? shown : `${shown.slice(0, 99)}…`;
}
