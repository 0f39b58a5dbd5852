/** Reads pages from a Parquet file, row by row, with one reject for each stretch of rows that cannot be read. */
import { isUtf8 } from "node:buffer";
import { tellCount } from "../../count.js";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Page } from "../../document.js";
import { digitsOf, type Fields } from "../../json.js";
import { reject, type Outcome, type Reject } from "../../outcome.js";
import { isGzip } from "../packed/decompress.js";
import { isZstd } from "../packed/zstd.js";
import { toReject } from "../read-errors.js";
import { PAGE_FIELDS } from "../kind.js";
import { readRecord, type RecordPlace } from "../records/record.js";
import type { Chunks } from "../streams.js";
import {
  openRandomAccess,
  ParquetError,
  readFooter,
  type Footer,
  type RandomAccess,
} from "./parquet-format.js";
import { readRows } from "./parquet-rows.js";

interface ParquetOptions {
  /** The name of the input. A row without its own id is named `<input>:<row>`. */
  readonly input: string;
  readonly maxBytes: number;
  /** The column that holds the pages, if its name is not a usual one. */
  readonly column?: string;
  /** Called with the bytes of the file that were read so far, estimated from the rows; not for a copy. */
  readonly onRead: (bytes: number) => void;
}

/**
 * Reads the pages of a file, or of a stream. A stream is first copied to a temporary file, because the format is read
 * from its end. `path` is absent if only the stream has the bytes.
 */
export async function* readParquet(
  { path, chunks }: { readonly path?: string; readonly chunks: Chunks },
  options: ParquetOptions,
): AsyncGenerator<Outcome<Page>> {
  const of = { id: options.input, url: "" };
  let opened: Opened;
  try {
    opened = (await openPlain(path, chunks)) ?? (await openCopy(chunks));
  } catch (error) {
    yield toReject(of, error, "Parquet is read from a copy on disk");
    return;
  }
  try {
    // Copying has counted all bytes.
    yield* readFile(opened.file, opened.isCopy ? { ...options, onRead: () => undefined } : options);
  } catch (error) {
    yield toReject(of, error);
  } finally {
    await opened.close();
  }
}

interface Opened {
  readonly file: RandomAccess;
  readonly isCopy: boolean;
  close(): Promise<void>;
}

/** Opens the file itself; undefined if it is packed, or is not a regular file. */
async function openPlain(path: string | undefined, chunks: Chunks): Promise<Opened | undefined> {
  const file = path === undefined ? undefined : await openRandomAccess(path);
  if (file === undefined) return undefined;
  const head = await file.read(0, 4);
  if (isGzip(head) || isZstd(head)) {
    await file.close();
    return undefined;
  }
  // A generator that was never started does not run its `finally` block when it is ended.
  const stream = chunks[Symbol.asyncIterator]();
  await stream.next();
  await stream.return?.();
  return { file, isCopy: false, close: () => file.close() };
}

/** Copies a stream to a temporary file, which `close` removes. Throws the error of the stream or the disk. */
async function openCopy(chunks: Chunks): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), "thresher-"));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const path = join(folder, "input");
  try {
    await pipeline(chunks, createWriteStream(path, { mode: 0o600 }));
    const file = await openRandomAccess(path);
    if (file === undefined) throw new Error(`the copy ${path} is not a file`);
    const close = async (): Promise<void> => {
      await file.close();
      await remove();
    };
    return { file, isCopy: true, close };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function* readFile(file: RandomAccess, options: ParquetOptions): AsyncGenerator<Outcome<Page>> {
  const of = { id: options.input, url: "" };
  let footer: Footer;
  try {
    footer = await readFooter(file);
  } catch (error) {
    if (!(error instanceof ParquetError)) throw error;
    yield reject(of, "acquire", "broken-parquet", error.message);
    return;
  }
  const total = footer.groups.reduce((sum, { rows }) => sum + rows, 0);
  const missing = findMissing(footer, options.column);
  if (total === 0) yield reject(of, "acquire", "empty", "no rows");
  else if (missing !== undefined)
    yield reject(of, "acquire", "bad-record", `${missing}; ${tellCount(total, "row")}`);
  else {
    const onRows = (rows: number): void => {
      options.onRead(Math.round((file.size * rows) / total));
    };
    yield* readGroups(footer, file, { ...options, onRows });
  }
}

/** Says what is wrong with the columns, once for all rows. */
function findMissing({ names }: Footer, column: string | undefined): string | undefined {
  const wanted = column === undefined ? Object.keys(PAGE_FIELDS) : [column];
  if (wanted.some((name) => names.includes(name))) return undefined;
  const there = names.length <= 20 ? names : [...names.slice(0, 20), "…"];
  return `no column ${wanted.join(", ")} (--column names another); there are ${there.join(", ")}`;
}

async function* readGroups(
  footer: Footer,
  file: RandomAccess,
  options: ParquetOptions & { readonly onRows: (rows: number) => void },
): AsyncGenerator<Outcome<Page>> {
  let row = 0;
  let lost: { readonly from: number; readonly why: string } | undefined;
  const report = function* (): Generator<Reject> {
    if (lost === undefined) return;
    const where = { id: `${options.input}:${lost.from}`, url: "" };
    const range = lost.from === row ? `row ${row}` : `rows ${lost.from} to ${row}`;
    yield reject(where, "acquire", "broken-parquet", `${range}: ${lost.why}`);
    lost = undefined;
  };
  for (const group of footer.groups) {
    for await (const batch of readRows(group, footer, file)) {
      options.onRows(row + ("lost" in batch ? batch.lost : batch.rows.length));
      if ("lost" in batch) {
        // One damaged page may affect several batches, but is reported once.
        if (lost?.why !== batch.why) yield* report();
        lost ??= { from: row + 1, why: batch.why };
        row += batch.lost;
        continue;
      }
      yield* report();
      for (const fields of batch.rows) {
        row += 1;
        yield readRow(fields, { ...options, id: `${options.input}:${row}`, at: `row ${row}` });
      }
    }
  }
  yield* report();
}

function readRow(row: Fields, place: RecordPlace): Outcome<Page> {
  const isPage = (name: string): boolean =>
    place.column === undefined ? Object.hasOwn(PAGE_FIELDS, name) : name === place.column;
  return readRecord(
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        value instanceof Uint8Array && isPage(name) ? value : toJson(value),
      ]),
    ),
    place,
  );
}

/** Converts a value of any type to JSON. Recursion is as deep as the schema, which was read recursively too. */
function toJson(value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (digitsOf(value) !== undefined) return value;
  if (typeof value !== "object" || value === null) return value ?? null;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Uint8Array) return toText(value);
  if (Array.isArray(value)) return value.map(toJson);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, toJson(item)]));
}

/** Decodes bytes without a type as UTF-8 if they are valid; otherwise encodes them as base64. */
function toText(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return text.toString(isUtf8(text) ? "utf8" : "base64");
}
