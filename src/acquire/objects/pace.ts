/** Spaces out retries at one host, so that a busy server gets no more requests than from other clients. */
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Tries of one request, and the milliseconds between two, so that a busy store gets no more requests than from other
 * clients.
 */
export const MAX_TRIES = 6;
const RETRY_EVERY_MS = 1000;

/** Waits until the next retry may be made. */
export type Pace = (signal?: AbortSignal) => Promise<void>;

/** Allows one retry every `everyMs` milliseconds, for all callers together. */
export function createPace(everyMs = RETRY_EVERY_MS): Pace {
  let next = 0;
  return async (signal) => {
    const now = performance.now();
    const at = Math.max(next, now + everyMs);
    next = at + everyMs;
    await sleep(at - now, undefined, signal && { signal });
  };
}
