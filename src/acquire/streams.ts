/**
 * Works on byte streams: aborts one at once, peeks at its first bytes, collects it up to a limit, or splits it into
 * lines.
 */
import { closeSync, constants, openSync, ReadStream, statSync, type PathLike } from "node:fs";
import { Readable } from "node:stream";

/** A stream of bytes, such as a file or standard input. */
export type Chunks = AsyncIterable<Uint8Array>;

/** A stream whose first bytes were peeked at; `chunks` yields it from the beginning. */
export interface PeekedStream {
  readonly head: Uint8Array;
  readonly chunks: Chunks;
}

/** Passes a stream on, and ends it without error as soon as the signal aborts, even during a read. */
export async function* chunksUntilAborted(chunks: Chunks, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  // One listener with a changing target: racing every read against one promise would leak memory.
  let wake = (): void => undefined;
  const onAbort = (): void => {
    wake();
  };
  signal.addEventListener("abort", onAbort);
  try {
    while (!signal.aborted) {
      const step = await new Promise<IteratorResult<Uint8Array, unknown> | undefined>((resolve, reject) => {
        wake = () => {
          resolve(undefined);
        };
        iterator.next().then(resolve, reject);
      });
      if (step === undefined || step.done === true) return;
      yield step.value;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    release(chunks, iterator);
  }
}

/** Closes the stream below without waiting for it: a terminal may never answer. */
function release(chunks: Chunks, iterator: AsyncIterator<Uint8Array>): void {
  if (chunks instanceof ReadStream && chunks.pending) endWaiting(chunks.path);
  if (chunks instanceof Readable) chunks.on("error", ignore).destroy();
  else void iterator.return?.().then(undefined, ignore);
}

/** Opens a named pipe as its writer if a thread waits for one, because the process cannot end before that. */
function endWaiting(path: PathLike): void {
  try {
    if (statSync(path, { bigint: true }).isFIFO())
      closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
  } catch {
    // The file does not exist, or no thread waits.
  }
}

/** Drops the last error of a closed stream, because it has no reader left. */
function ignore(): void {
  return undefined;
}

/**
 * Reads until `isEnough`, or `size` bytes, or the end. The predicate is called only after a chunk with a line break, so
 * that its answer does not depend on where a line was cut into chunks. An error is kept and thrown again at the same
 * point of the replayed stream.
 */
export async function peek(
  chunks: Chunks,
  size: number,
  isEnough: (head: Uint8Array) => boolean = () => false,
): Promise<PeekedStream> {
  const iterator = chunks[Symbol.asyncIterator]();
  let buffer = new Uint8Array(Math.min(size, 4096));
  let length = 0;
  let failure: { readonly error: unknown } | undefined;
  let isDone = false;
  while (length < size && !isDone) {
    try {
      const step = await iterator.next();
      if (step.done === true) {
        isDone = true;
        break;
      }
      const chunk = step.value;
      if (length + chunk.length > buffer.length) {
        const grown = new Uint8Array(Math.max(buffer.length * 2, length + chunk.length));
        grown.set(buffer.subarray(0, length));
        buffer = grown;
      }
      buffer.set(chunk, length);
      length += chunk.length;
      if (chunk.includes(0x0a) && isEnough(buffer.subarray(0, Math.min(length, size)))) break;
    } catch (error) {
      failure = { error };
      isDone = true;
    }
  }
  const read = buffer.subarray(0, length);
  return { head: read.subarray(0, size), chunks: replay(read, iterator, isDone, failure) };
}

async function* replay(
  read: Uint8Array,
  iterator: AsyncIterator<Uint8Array>,
  isDone: boolean,
  failure: { readonly error: unknown } | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    if (read.length > 0) yield read;
    if (failure !== undefined) throw failure.error;
    if (isDone) return;
    for (let step = await iterator.next(); step.done !== true; step = await iterator.next()) yield step.value;
  } finally {
    await iterator.return?.();
  }
}

/** Reads the whole stream; returns undefined as soon as it is longer than `maxBytes`. */
export async function collect(chunks: Chunks, maxBytes: number): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > maxBytes) return undefined;
    parts.push(chunk);
  }
  return Buffer.concat(parts, length);
}

/** Makes a stream of bytes that are already in memory. */
// oxlint-disable-next-line typescript/require-await -- a stream of one chunk
export async function* inOneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Cuts a stream into pieces of `size` bytes (the last may be shorter), whatever its chunks were. */
export async function* inPieces(chunks: Chunks, size: number): AsyncGenerator<Uint8Array> {
  let piece = new Uint8Array(size);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length;) {
      const part = chunk.subarray(from, from + size - filled);
      piece.set(part, filled);
      filled += part.length;
      from += part.length;
      if (filled < size) continue;
      yield piece;
      piece = new Uint8Array(size);
      filled = 0;
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}

/** One line of a byte stream. */
export interface ByteLine {
  /** Counted from 1, blank lines included. */
  readonly number: number;
  /** Without the line break; undefined if the line is longer than the limit. */
  readonly bytes: Uint8Array | undefined;
  /** Whether the stream failed within the line; its error is thrown next. */
  readonly isCut: boolean;
}

/**
 * Splits a stream at LF. A CR before it stays, because the JSON parser skips it. Holds at most `maxBytes` of a line in
 * memory.
 */
export async function* splitLines(chunks: Chunks, maxBytes: number): AsyncGenerator<ByteLine> {
  let number = 1;
  let parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: Uint8Array): void => {
    length += part.length;
    // A line over the limit is only counted, not kept.
    if (length > maxBytes) parts = [];
    else if (part.length > 0) parts.push(part);
  };
  const take = (isCut: boolean): ByteLine => {
    const [only] = parts;
    const whole = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts, length);
    const line = { number, bytes: length > maxBytes ? undefined : whole, isCut };
    number += 1;
    parts = [];
    length = 0;
    return line;
  };
  try {
    for await (const chunk of chunks) {
      let from = 0;
      for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, from)) {
        add(chunk.subarray(from, at));
        yield take(false);
        from = at + 1;
      }
      add(chunk.subarray(from));
    }
  } catch (error) {
    if (length > 0) yield take(true);
    throw error;
  }
  if (length > 0) yield take(false);
}
