/** Writes files that appear complete or not at all, and streams with back-pressure. */
import { randomBytes } from "node:crypto";
import { constants, openSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { Socket } from "node:net";
import { dirname } from "node:path";
import type { Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { openGrowing } from "./growing-file.js";
import { moveFile } from "./move-file.js";
import { besides, findPlace, makeFolder, type FilePlace } from "./place.js";
import type { Sink } from "../writer.js";
import { codeOf } from "../../thrown.js";
import { cannotWrite, explained } from "../../write-error.js";

/** Thrown when the reader of a pipe has closed it (`| head`). This is not a failure: the work just ends. */
export class ClosedPipe extends Error {
  override readonly name = "ClosedPipe";
}

/** Whether a write failed because the reader of a pipe has closed it, which Windows may report as EOF. */
export function hasReaderGone({ code }: NodeJS.ErrnoException): boolean {
  return code === "EPIPE" || code === "EOF";
}

/** A sink into a stream that the caller owns. Rejects with ClosedPipe when the reader has closed the pipe. */
export function openStream(stream: Writable, name: string): Sink {
  let failure: Error | undefined;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    failure = hasReaderGone(error)
      ? new ClosedPipe("the reader has closed the pipe")
      : cannotWrite(name, error);
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

/** Waits until the stream accepts more data or has ended: after an error there is no `drain` event. */
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

/** Completes the sink after the work, or discards it and rethrows the error. */
export async function writeWhole<T>(sink: Sink, work: (sink: Sink) => Promise<T>): Promise<T> {
  const result = await work(sink).catch(failAfter(() => sink.discard()));
  await sink.close().catch(failAfter(() => sink.discard()));
  return result;
}

/** Time between two looks whether a named pipe has a reader. */
const READER_POLL_MS = 50;

/** Opens stdout if the path is "-", else the file. */
export async function openFileOrStdout(path: string, stdout: Writable): Promise<Sink> {
  return path === "-" ? openStream(stdout, "stdout") : openFile(path);
}

/**
 * A sink into a file: written under a draft name beside it, flushed to disk, and renamed on `close`. Devices and pipes
 * are written to directly. A symbolic link stays and points to the new file. Throws OutputError when the path cannot be
 * written. `draftAt` is the draft name, if the caller has one that no other process uses: a run then replaces what a
 * killed run left. `signal` ends the wait for the reader of a named pipe.
 */
export async function openFile(
  path: string,
  { draftAt, signal }: { readonly draftAt?: string | undefined; readonly signal?: AbortSignal } = {},
): Promise<Sink> {
  const place = await findPlace(path);
  if (!place.isFile) return openDevice(place, signal);
  const tag = `${process.pid}.${randomBytes(4).toString("hex")}.partial`;
  const draft = await openDraftAt(place, draftAt ?? besides(place.path, tag), 0);
  const fail = failAfter(() => draft.discard());
  return {
    write: (chunk) => draft.write(chunk).catch(fail),
    async close() {
      await draft.finish().catch(fail);
      await draft.publish().catch(fail);
    },
    discard: () => draft.discard(),
  };
}

/** Returns an error handler that removes what was written and rethrows the error. */
function failAfter(discard: () => Promise<void>): (error: unknown) => Promise<never> {
  return async (error) => {
    await discard();
    throw error;
  };
}

async function openDevice({ name, path }: FilePlace, signal?: AbortSignal): Promise<Sink> {
  const pipe = await explained(name, () => awaitReader(path, signal));
  if (pipe !== undefined) return openPipe(name, pipe);
  const file = await explained(name, () => openGrowing(path, "all"));
  const discard = (): Promise<void> => file.close().catch(() => undefined); // an earlier failure has been thrown already
  return {
    write: (chunk) => explained(name, () => file.write(chunk)).catch(failAfter(discard)),
    close: () => explained(name, () => file.close()),
    discard,
  };
}

/**
 * Waits until a named pipe has a reader, and opens it; undefined for anything else. A thread that opens a pipe or writes
 * to a full one also waits, but nothing can stop it, and the process cannot end before it.
 */
export async function awaitReader(path: string, signal?: AbortSignal): Promise<number | undefined> {
  if (!(await stat(path)).isFIFO()) return undefined;
  for (;;) {
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if (codeOf(error) !== "ENXIO") throw error;
    }
    await setTimeout(READER_POLL_MS, undefined, signal && { signal });
  }
}

/** Unlike stdout, a pipe whose reader leaves is a failure: what was to be written there is lost. */
function openPipe(name: string, pipe: number): Sink {
  const socket = new Socket({ fd: pipe, readable: false, writable: true });
  const sink = openStream(socket, name);
  const fail = (error: unknown): never => {
    socket.destroy();
    throw error instanceof ClosedPipe ? cannotWrite(name, error) : error;
  };
  return {
    write: (chunk) => sink.write(chunk).catch(fail),
    async close() {
      await sink.close().catch(fail);
      socket.destroy();
    },
    discard() {
      socket.destroy();
      return Promise.resolve();
    },
  };
}

/** A file that is written beside its final path, and that another run can continue. */
export interface Draft {
  write(chunk: string | Uint8Array): Promise<void>;
  /** Flushes everything to disk and returns the size of the file in bytes. */
  sync(): Promise<number>;
  /** Flushes everything to disk, closes the file, and returns its size in bytes. */
  finish(): Promise<number>;
  /** Renames the draft to its final name. */
  publish(): Promise<void>;
  /** Closes the file and leaves it for the next run. */
  leave(): Promise<void>;
  discard(): Promise<void>;
}

/**
 * Opens the draft of a place, truncated to the first `length` bytes. Throws OutputError when it cannot be written or is
 * shorter.
 */
export function openDraft(place: FilePlace, length: number): Promise<Draft> {
  return openDraftAt(place, draftOf(place), length);
}

/** Renames a finished draft to its final name, unless that has been done. */
export async function publishDraft({ name, path }: FilePlace): Promise<void> {
  const draft = draftOf({ path });
  const isThere = (await stat(draft).catch(() => undefined)) !== undefined;
  if (isThere) await explained(name, () => moveFile(draft, path));
}

/** The path of the draft of a place. */
export function draftOf({ path, isGrowing }: Pick<FilePlace, "path" | "isGrowing">): string {
  return isGrowing === true ? path : besides(path, "partial");
}

async function openDraftAt({ name, path }: FilePlace, draft: string, length: number): Promise<Draft> {
  await explained(name, () => makeFolder(dirname(path)));
  const file = await explained(name, () => openGrowing(draft, length));
  const leave = (): Promise<void> => file.close().catch(() => undefined); // an earlier failure has been thrown already
  return {
    write: (chunk) => explained(name, () => file.write(chunk)),
    sync: () => explained(name, () => file.sync()),
    async finish() {
      const bytes = await explained(name, () => file.sync());
      await explained(name, () => file.close());
      return bytes;
    },
    publish: () => explained(name, () => moveFile(draft, path)),
    leave,
    async discard() {
      await leave();
      await rm(draft, { force: true });
    },
  };
}
