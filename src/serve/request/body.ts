/** Reads the bodies of requests, with limits on their bytes and on the time that they take to arrive. */
import type { IncomingMessage } from "node:http";
import { createRawBody, readCodedBody } from "../../acquire/http/coded-body.js";
import { Refusal } from "../../acquire/http/failure.js";
import { DamagedError, decompress } from "../../acquire/packed/decompress.js";
import type { Chunks } from "../../acquire/streams.js";
import { reject, type Reject } from "../../outcome.js";
import { startDeadline } from "../../time/stop.js";
import { Problem } from "../problem.js";

export interface BodyLimits {
  readonly maxBytes: number;
  readonly arrivalMs: number;
}

/**
 * Returns the whole body without its content coding, or a reject if it is damaged. Throws the problems `slow-request`,
 * `too-large` and `unsupported-type`.
 */
export async function readBody(
  request: IncomingMessage,
  { maxBytes, arrivalMs }: BodyLimits,
): Promise<Uint8Array | Reject> {
  const deadline = startDeadline(arrivalMs);
  const expectedBytes = Number(request.headers["content-length"] ?? 0);
  try {
    const body = readCodedBody(chunksOf(request), request.headers["content-encoding"], {
      ...{ raw: createRawBody(), isKept: false },
      ...{ maxBytes, expectedBytes },
    });
    return await deadline.race(body);
  } catch (error) {
    if (deadline.isOver()) throw new Problem("slow-request", `its body took more than ${arrivalMs} ms`);
    if (error instanceof DamagedError)
      return reject({ id: "", url: "" }, "acquire", "broken-gzip", error.message);
    if (!(error instanceof Refusal)) throw error;
    if (error.reason === "too-large") throw new Problem("too-large", `at most ${maxBytes}`);
    throw new Problem("unsupported-type", error.message);
  } finally {
    deadline.end();
  }
}

/**
 * Returns the chunks of a body of lines as they arrive, decompressed if the coding is gzip. Throws `slow-request` if a
 * line does not arrive in time.
 */
export function streamBody(request: IncomingMessage, arrivalMs: number): Chunks {
  const coding = request.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (coding === "identity" || coding === "") return timed(chunksOf(request), arrivalMs);
  if (coding !== "gzip" && coding !== "x-gzip")
    throw new Problem("unsupported-type", `content-encoding ${coding} of a stream`);
  return timed(decompress(chunksOf(request), "gzip", { isSalvaged: true }), arrivalMs);
}

/** Keeps the connection open when the reader stops early, because the answer still has to be sent. */
function chunksOf(request: IncomingMessage): Chunks {
  return { [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }) };
}

const LINE_FEED = 0x0a;

/** Limits the time for which the reader waits for each line; a client may send any number of chunks in that time. */
async function* timed(chunks: Chunks, ms: number): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  let left = ms;
  try {
    for (;;) {
      const begun = performance.now();
      const step = await inTime(iterator.next(), left);
      if (step.done === true) return;
      left = step.value.includes(LINE_FEED) ? ms : left - (performance.now() - begun);
      yield step.value;
    }
  } finally {
    // Frees what decompresses. Not awaited, because a chunk that takes too long has to come first.
    void iterator.return?.().catch(() => undefined);
  }
}

async function inTime<T>(next: Promise<T>, ms: number): Promise<T> {
  const deadline = startDeadline(ms);
  try {
    return await deadline.race(next);
  } catch (error) {
    throw deadline.isOver() ? new Problem("slow-request", "a line of its body took too long") : error;
  } finally {
    deadline.end();
  }
}
