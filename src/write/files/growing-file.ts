/**
 * Appends to a file that can be flushed to disk at any point and continued by a later run; also reads the lines of such
 * a file.
 */
import { open, stat, truncate } from "node:fs/promises";

export interface GrowingFile {
  write(chunk: string | Uint8Array): Promise<void>;
  /** Flushes everything to disk and returns the size of the file in bytes. */
  sync(): Promise<number>;
  /** Writes what is still buffered and closes the file. Closing again does nothing. */
  close(): Promise<void>;
}

/** Bytes to buffer before a write, so that short records do not cost a system call each. */
const BUFFER_BYTES = 1 << 16;

/**
 * Opens a file, truncates it to `length` bytes unless that is "all", and appends from there. Throws the system's error,
 * and an error when the file is shorter than `length`.
 */
export async function openGrowing(path: string, length: number | "all" = 0): Promise<GrowingFile> {
  if (length !== "all" && length > 0) {
    const { size } = await stat(path);
    if (size < length) throw new Error(`${path} has ${size} bytes, but ${length} were written`);
    // By path, because Windows cannot truncate a file that is open for appending.
    await truncate(path, length);
  }
  const file = await open(path, length === 0 ? "w" : "a");
  // Bytes, because V8 would map new memory for each string of many records.
  let parts: Uint8Array[] = [];
  let waiting = 0;
  let isClosed = false;
  const flush = async (): Promise<void> => {
    if (parts.length === 0) return;
    const chunk = Buffer.concat(parts);
    parts = [];
    waiting = 0;
    await file.writeFile(chunk);
  };
  return {
    async write(chunk) {
      if (typeof chunk === "string") {
        const bytes = Buffer.from(chunk);
        parts.push(bytes);
        waiting += bytes.length;
        if (waiting >= BUFFER_BYTES) await flush();
        return;
      }
      await flush();
      await file.writeFile(chunk);
    },
    async sync() {
      await flush();
      await file.sync();
      return (await file.stat()).size;
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      try {
        await flush();
      } finally {
        await file.close();
      }
    },
  };
}

/**
 * Yields the lines of text that arrives in chunks. It splits only at line feeds: the JSON that this program writes may
 * contain other line separators, at which `readline` would split.
 */
export async function* readLines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  /** The parts of an incomplete line. */
  let parts: string[] = [];
  for await (const piece of pieces) {
    const [end = "", ...lines] = piece.split("\n");
    parts.push(end);
    const rest = lines.pop();
    if (rest === undefined) continue;
    yield parts.join("");
    yield* lines;
    parts = [rest];
  }
  const last = parts.join("");
  if (last !== "") yield last;
}
