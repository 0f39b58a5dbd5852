/**
 * Appends characters and bytes to a file that can be put on disk at any point, and go on from there in another run; and
 * reads the lines of such a file.
 */
import { open, stat, truncate } from "node:fs/promises";

export interface GrowingFile {
  write(chunk: string | Uint8Array): Promise<void>;
  /** Puts everything on disk and says how many bytes that are. */
  sync(): Promise<number>;
  /** Writes what is still buffered. Closing again does nothing. */
  close(): Promise<void>;
}

/** Collected characters before a write, so that short records do not cost a system call each. */
const BUFFER_CHARS = 1 << 16;

/**
 * Opens a file. What it holds beyond `length` bytes is cut off, and writing goes on there. Throws the system's error, and where
 * the file is shorter than that.
 */
export async function openGrowing(path: string, length = 0): Promise<GrowingFile> {
  if (length > 0) {
    const { size } = await stat(path);
    if (size < length) throw new Error(`${path} has ${size} bytes, but ${length} were written`);
    // By its path: Windows cuts no file that is open for appending.
    await truncate(path, length);
  }
  const file = await open(path, length > 0 ? "a" : "w");
  let buffer = "";
  let isClosed = false;
  const flush = async (): Promise<void> => {
    const chunk = buffer;
    buffer = "";
    if (chunk !== "") await file.writeFile(chunk);
  };
  return {
    async write(chunk) {
      if (typeof chunk === "string") {
        buffer += chunk;
        if (buffer.length >= BUFFER_CHARS) await flush();
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
 * Splits text that comes in pieces at line feeds, and at nothing else: the JSON that this program writes may hold any
 * other line end, at which `readline` would split it.
 */
export async function* readLines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  /** Of a line that is not whole yet. */
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
