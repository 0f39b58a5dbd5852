/** Indexes the records of a JSON Lines file by offset, so that only one of them is in memory. */
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { isObject, toText, tryJson, type Fields } from "../../json.js";
import type { Catalog } from "./catalog.js";
import { toEntry } from "./entry.js";

/** Most bytes of a record; a page of 10 MB with its source takes less. */
const MIB = 1024 * 1024;
const MOST_RECORD_BYTES = 256 * MIB;
/** Milliseconds of work after which requests are answered. */
const SHARE_MS = 15;

/** Checks whether the first record of a file has lines with scores, and the file can be read at any offset. */
export async function holdsScored(path: string): Promise<boolean> {
  if (!/\.jsonl?$|\.ndjson$/i.test(path)) return false;
  for await (const { line } of readLines(path)) {
    const record = parse(line);
    return record !== undefined && toEntry(record, "", { path, start: 0, length: 0 }) !== undefined;
  }
  return false;
}

/** Adds the records of a file to the catalog until that is full. Throws the signal's reason when it aborts. */
export async function indexRecords(path: string, catalog: Catalog, signal: AbortSignal): Promise<void> {
  let number = 0;
  let rested = performance.now();
  for await (const { line, start, isLong } of readLines(path)) {
    signal.throwIfAborted();
    number += 1;
    if (performance.now() - rested > SHARE_MS) {
      await new Promise((resolve) => setImmediate(resolve));
      rested = performance.now();
    }
    if (isLong)
      catalog.addDamage(
        `${path}:${number}: longer than ${MOST_RECORD_BYTES / MIB} MiB, the most for a record`,
      );
    else if (line.length > 0 && !addRecord(line, { path, start, number }, catalog)) return;
  }
}

/** Returns false if the catalog is full. */
export function addRecord(
  line: Buffer,
  { path, start, number }: { readonly path: string; readonly start: number; readonly number: number },
  catalog: Catalog,
): boolean {
  const where = `${path}:${number}`;
  const record = parse(line);
  if (record === undefined) {
    if (line.toString("utf8").trim() !== "") catalog.addDamage(`${where}: not a JSON object`);
    return true;
  }
  const key = catalog.nameKey(toText(record["id"]) ?? where);
  const entry = toEntry(record, key, { path, start, length: line.length });
  if (entry !== undefined) return catalog.add(entry);
  catalog.addDamage(`${where}: no lines with text and score (records of --keep-boilerplate have them)`);
  return true;
}

function parse(line: Buffer): Fields | undefined {
  const value = tryJson(line.toString("utf8"));
  return isObject(value) ? value : undefined;
}

interface Found {
  readonly line: Buffer;
  readonly start: number;
  /** Whether the line is too long; then it lacks its beginning. */
  readonly isLong: boolean;
}

/** Yields lines with their offsets. */
async function* readLines(path: string): AsyncGenerator<Found> {
  let offset = 0;
  let start = 0;
  let parts: Buffer[] = [];
  let isLong = false;
  const take = (): Found => {
    const found = { line: Buffer.concat(parts), start, isLong };
    parts = [];
    isLong = false;
    return found;
  };
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, from)) {
      parts.push(chunk.subarray(from, at));
      yield take();
      from = at + 1;
      start = offset + from;
    }
    if (offset + chunk.length - start <= MOST_RECORD_BYTES) parts.push(chunk.subarray(from));
    else {
      parts = [];
      isLong = true;
    }
    offset += chunk.length;
  }
  if (isLong || parts.some(({ length }) => length > 0)) yield take();
}

/** Reads the record at an offset again; undefined if the file has become too short. */
export async function readPlace(path: string, start: number, length: number): Promise<string | undefined> {
  const file = await open(path);
  try {
    const bytes = Buffer.alloc(length);
    const { bytesRead } = await file.read(bytes, 0, length, start);
    return bytesRead === length ? bytes.toString("utf8") : undefined;
  } finally {
    await file.close();
  }
}
