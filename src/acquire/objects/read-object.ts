/** Reads an object as one byte stream, and resumes at the byte where a connection broke or stalled. */
import type { Chunks } from "../streams.js";
import { formatObjectAddress, type ObjectAddress } from "./address.js";
import { brokenBody, CHANGED, explainObjectError, ObjectError } from "./failure.js";
import type { ObjectBody, Objects } from "./objects.js";

interface ReadingObject {
  /** The first byte; 0 when absent. */
  readonly offset?: number;
  /** Bytes to read; up to the end when absent. */
  readonly length?: number;
  /** The etag that the object must have. In any case it must not change after the first byte. */
  readonly etag?: string;
  /** Milliseconds for which the server may send nothing. */
  readonly idleMs?: number;
}

/** The most breaks in a row, without a byte between them, before reading fails. */
const MAX_BREAKS = 5;
const IDLE_MS = 30_000;

/** The iterator throws ObjectError. Ending it early closes the connection at once. */
export function readObject(objects: Objects, at: ObjectAddress, reading: ReadingObject = {}): Chunks {
  return {
    [Symbol.asyncIterator]() {
      const stop = new AbortController();
      const chunks = readOn(objects, at, { ...reading, signal: stop.signal });
      return {
        next: () => chunks.next(),
        async return() {
          stop.abort();
          await chunks.return(undefined).catch(() => undefined); // our stopping caused the error
          return { done: true, value: undefined };
        },
      };
    },
  };
}

async function* readOn(
  objects: Objects,
  at: ObjectAddress,
  { offset = 0, length, etag, idleMs = IDLE_MS, signal }: ReadingObject & { readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const address = formatObjectAddress(at);
  const to = length === undefined ? {} : { to: offset + length };
  const isStopped = (): boolean => signal.aborted;
  let pinned = etag;
  let from = offset;
  for (let breaks = 0; !isStopped();) {
    if (to.to === from) return;
    const answer = await objects.ask(
      at,
      { from, ...to, ...(pinned !== undefined && { etag: pinned }) },
      signal,
    );
    if (pinned !== undefined && answer.etag !== pinned) {
      answer.body.destroy();
      throw changed(address);
    }
    pinned = answer.etag;
    try {
      for await (const chunk of untilIdle(answer, { address, idleMs, signal })) {
        breaks = 0;
        from += chunk.length;
        yield chunk;
      }
      if (from > answer.end) throw brokenBody(address, "the server sent more bytes than it announced");
      if (from === answer.end) return;
      throw brokenBody(address, `the connection broke at byte ${from}`);
    } catch (error) {
      // If the connection breaks after the last byte, nothing is missing.
      if (isStopped() || from === answer.end) return;
      const failure = explainObjectError(address, error);
      breaks += 1;
      if (!failure.retryable || breaks > MAX_BREAKS || from > answer.end) throw failure;
      await objects.pace(signal);
    }
  }
}

function changed(address: string): ObjectError {
  const why = { reason: "unreadable", retryable: false } as const;
  return new ObjectError(`${address}: ${CHANGED}`, why);
}

interface Waiting {
  readonly address: string;
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

/** Yields the chunks of a body. Time that the reader spends on other work does not count as idle. */
async function* untilIdle(
  { body }: ObjectBody,
  { address, idleMs, signal }: Waiting,
): AsyncGenerator<Uint8Array> {
  const end = (): void => {
    body.destroy();
  };
  signal.addEventListener("abort", end);
  const chunks = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator](); // a byte stream yields only these
  try {
    for (;;) {
      const timer = setTimeout(() => {
        body.destroy(brokenBody(address, `no data for ${idleMs} ms`));
      }, idleMs);
      let step: IteratorResult<Uint8Array, unknown>;
      try {
        step = await chunks.next();
      } finally {
        clearTimeout(timer);
      }
      if (step.done === true) return;
      yield step.value;
    }
  } finally {
    signal.removeEventListener("abort", end);
    body.destroy();
  }
}
