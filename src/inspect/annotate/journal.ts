/** Stores annotations in an append-only file: each entry is on disk before it counts. */
import { open, truncate, type FileHandle } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { OutputError, UsageError } from "../../outcome.js";
import { toFields, tryJson } from "../../json.js";
import { MARKS, type Mark } from "../app/wire.js";
import { messageOf } from "../../thrown.js";

export interface JournalEntry {
  readonly at: string;
  readonly annotator: string;
  readonly key: string;
  /** Digest of the document's lines when they were marked. */
  readonly digest: string;
  /** Line numbers with their new marks; null removes a mark. */
  readonly changes: readonly (readonly [line: number, mark: Mark | null])[];
}

export interface Journal {
  /** Resolves when the entry is on disk; `readNew` returns it. Throws OutputError if it cannot be written. */
  append(entry: JournalEntry): Promise<void>;
  /** Returns the entries that this program and others wrote since the last read, in the order of the file. */
  readNew(): Promise<readonly JournalEntry[]>;
  close(): Promise<void>;
}

export interface OpenedJournal {
  readonly journal: Journal;
  readonly entries: readonly JournalEntry[];
  /** Length of an entry that was cut off when the program was killed; it never counted, and is removed. */
  readonly lostBytes: number;
}

const HEAD = '{"thresher":"annotations","version":1}';
/** Most bytes of a journal, which is read whole; each key press takes some 100 bytes. */
const MOST_BYTES = 512 * 1024 * 1024;
/** Half a line that does not change for so long is left from a program that was killed. */
const WRITING_MS = 50;

/** Throws UsageError for a file that is no journal or is damaged, and OutputError for one that cannot be opened. */
export async function openJournal(path: string): Promise<OpenedJournal> {
  let file: FileHandle;
  try {
    file = await open(path, "a+");
  } catch (cause) {
    throw new OutputError(
      `the annotations cannot be written to ${path} (--gold FILE names another place): ${messageOf(cause)}`,
      { cause },
    );
  }
  try {
    const bytes = await readSettled(file, path);
    const whole = bytes.lastIndexOf(0x0a) + 1;
    const lostBytes = bytes.length - whole;
    const entries = parseEntries(bytes.subarray(0, whole), path);
    // A file with other contents is not changed.
    if (whole === 0 && lostBytes > 0 && !HEAD.startsWith(bytes.toString("utf8"))) throw notOurs(path);
    // By its path, because Windows does not truncate a file that is open for appending.
    if (lostBytes > 0) await truncate(path, whole);
    if (whole === 0) await write(file, `${HEAD}\n`, path);
    return { journal: createJournal(file, path, whole === 0 ? HEAD.length + 1 : whole), entries, lostBytes };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Reads the whole file. If it ends with half a line, another inspector may be writing it now: looks again. */
async function readSettled(file: FileHandle, path: string): Promise<Buffer> {
  for (let known = 0; ;) {
    const { size } = await file.stat();
    if (size > MOST_BYTES) throw new UsageError(`${path} is longer than ${MOST_BYTES} bytes`);
    const bytes = await readFrom(file, 0, size);
    if (size === known || bytes.at(-1) === 0x0a) return bytes;
    known = size;
    await sleep(WRITING_MS);
  }
}

function createJournal(file: FileHandle, path: string, begin: number): Journal {
  let known = begin;
  /** Entries are written one after another. */
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work);
    turn = done.catch(() => undefined); // the caller gets the error
    return done;
  };
  return {
    append: (entry) =>
      inTurn(async () => {
        await write(file, `${JSON.stringify(entry)}\n`, path);
      }),
    readNew: () =>
      inTurn(async () => {
        const { size } = await file.stat();
        if (size <= known) return [];
        const bytes = await readFrom(file, known, size - known);
        const whole = bytes.lastIndexOf(0x0a) + 1;
        known += whole;
        return parseEntries(bytes.subarray(0, whole), path, false);
      }),
    close: () => inTurn(() => file.close()),
  };
}

async function write(file: FileHandle, line: string, path: string): Promise<void> {
  const { size } = await file.stat();
  try {
    await file.appendFile(line);
    await file.datasync();
  } catch (cause) {
    await cutHalf(file, path, size).catch(() => undefined); // the first error tells more
    throw new OutputError(`the annotations cannot be written to ${path}: ${messageOf(cause)}`, { cause });
  }
}

/** Removes the half of an entry after `start` that a failed write left, since the next entry would be glued to it. */
async function cutHalf(file: FileHandle, path: string, start: number): Promise<void> {
  const written = await readFrom(file, start, (await file.stat()).size - start);
  await truncate(path, start + written.lastIndexOf(0x0a) + 1);
}

async function readFrom(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

function parseEntries(bytes: Buffer, path: string, hasHead = true): JournalEntry[] {
  if (bytes.length === 0) return [];
  const lines = bytes.toString("utf8").split("\n").slice(0, -1);
  if (hasHead && lines[0] !== HEAD) throw notOurs(path);
  return lines.slice(hasHead ? 1 : 0).flatMap((line, at) => {
    const entry = parseEntry(line);
    if (entry !== undefined) return entry;
    // If two programs begin a file at once, both write its head.
    if (line === HEAD) return [];
    throw new UsageError(
      `${path}:${at + 2}: this line is not an annotation; restore the file, or give another one with --gold`,
    );
  });
}

function parseEntry(line: string): JournalEntry | undefined {
  const value = tryJson(line);
  const { at, annotator, key, digest, changes } = toFields(value);
  if (![at, annotator, key, digest].every((field) => typeof field === "string")) return undefined;
  if (!Array.isArray(changes) || !changes.every(isChange)) return undefined;
  return value as JournalEntry; // every field was checked
}

function isChange(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [line, mark] = value as readonly unknown[]; // Array.isArray gives any[]
  return Number.isInteger(line) && Number(line) >= 0 && (mark === null || isMark(mark));
}

export function isMark(value: unknown): value is Mark {
  return MARKS.some((mark) => mark === value);
}

function notOurs(path: string): UsageError {
  return new UsageError(`${path} is not a journal of annotations; give another file with --gold`);
}
