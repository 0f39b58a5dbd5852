/** Characters and bytes into files that appear whole or not at all, or into a stream with back-pressure. */
import { randomBytes } from "node:crypto";
import { open, realpath, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Writable } from "node:stream";
import { OutputError } from "../outcome.js";
import { makeFolder } from "./folder.js";
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

/** Waits until the stream takes more, or never will: `drain` does not come after an error. */
function drained(stream: Writable): Promise<void> {
  const events = ["drain", "close", "error"] as const;
  return new Promise((resolve) => {
    const settle = (): void => {
      for (const event of events) stream.off(event, settle);
      resolve();
    };
    for (const event of events) stream.on(event, settle);
  });
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
      await drained(stream);
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
 * (`/dev/stdout`) are written to directly, and a link stays and leads to the new file. Throws OutputError when the
 * place cannot be written.
 */
export async function openFile(path: string): Promise<Sink> {
  const existing = await stat(path).catch(() => undefined);
  if (existing?.isDirectory() === true) throw new OutputError(`cannot write ${path}: it is a directory`);
  const isReplaced = existing === undefined || existing.isFile();
  try {
    const place = existing?.isFile() === true ? await realpath(path) : path;
    const draft = isReplaced ? join(dirname(place), draftName(place)) : place;
    if (isReplaced) await makeFolder(dirname(place));
    return createFileSink(place, draft, await open(draft, "w"));
  } catch (cause) {
    throw explain(path, cause);
  }
}

/** The name is cut, because a file system that takes it whole may not take it with more around it. */
function draftName(path: string): string {
  return `.${basename(path).slice(0, 40)}.${process.pid}.${randomBytes(4).toString("hex")}.partial`;
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
        if (typeof chunk === "string") {
          buffer += chunk;
          if (buffer.length >= BUFFER_CHARS) await flush();
          return;
        }
        await flush();
        await file.writeFile(chunk);
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
