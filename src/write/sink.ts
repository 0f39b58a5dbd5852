/** Characters into files that appear whole or not at all, or into a stream with back-pressure. */
import { once } from "node:events";
import { mkdir, open, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Writable } from "node:stream";
import { OutputError } from "../outcome.js";
import type { Sink } from "./writer.js";

/** Collected characters before a write to a file, so that short records do not cost a system call each. */
const BUFFER_CHARS = 1 << 16;

/** Thrown when the reader of a pipe has gone (`| head`): not a fault, but the end of the work. */
export class ClosedPipe extends Error {
  override readonly name = "ClosedPipe";
}

function explain(target: string, cause: unknown): OutputError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new OutputError(`cannot write ${target}: ${message}`, { cause });
}

/** A sink into a stream that somebody else owns. Rejects with ClosedPipe when the reader has gone. */
export function openStream(stream: Writable, name: string): Sink {
  let failure: Error | undefined;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    failure =
      error.code === "EPIPE" ? new ClosedPipe("the reader of the pipe has gone") : explain(name, error);
  });
  const check = (): void => {
    if (failure !== undefined) throw failure;
  };
  return {
    async write(chunk) {
      check();
      if (stream.write(chunk)) return;
      // `drain` never comes after an error, so wait for whichever is first.
      await Promise.race([once(stream, "drain"), once(stream, "close")]).catch(() => undefined);
      check();
    },
    async close() {
      await new Promise<void>((resolve) =>
        stream.write("", () => {
          resolve();
        }),
      );
      check();
    },
    discard: () => Promise.resolve(),
  };
}

/**
 * A sink into a file: written beside its final name, flushed to disk, renamed on `close`. Devices and pipes
 * (`/dev/stdout`) are written to directly. Throws OutputError when the place cannot be written.
 */
export async function openFile(path: string): Promise<Sink> {
  const existing = await stat(path).catch(() => undefined);
  if (existing?.isDirectory() === true) throw new OutputError(`cannot write ${path}: it is a directory`);
  const isReplaced = existing === undefined || existing.isFile();
  const draft = isReplaced ? join(dirname(path), `.${basename(path)}.${process.pid}.partial`) : path;
  try {
    if (isReplaced) await mkdir(dirname(path), { recursive: true });
    return createFileSink(path, draft, await open(draft, "w"));
  } catch (cause) {
    throw explain(path, cause);
  }
}

function createFileSink(path: string, draft: string, file: FileHandle): Sink {
  let buffer = "";
  const flush = async (): Promise<void> => {
    const chunk = buffer;
    buffer = "";
    if (chunk !== "") await file.writeFile(chunk);
  };
  const discard = async (): Promise<void> => {
    await file.close().catch(() => undefined); // closing twice is no fault of the caller
    if (draft !== path) await rm(draft, { force: true });
  };
  const guard = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (cause) {
      await discard();
      throw explain(path, cause);
    }
  };
  return {
    write: (chunk) =>
      guard(async () => {
        buffer += chunk;
        if (buffer.length >= BUFFER_CHARS) await flush();
      }),
    close: () =>
      guard(async () => {
        await flush();
        if (draft === path) return file.close();
        await file.sync();
        await file.close();
        await rename(draft, path);
      }),
    discard,
  };
}
