/** Keeps tries at one host apart, so that a busy server is not asked more often than others ask it. */
import { setTimeout as sleep } from "node:timers/promises";

/** Waits until the next try may be made. */
export type Pace = (signal?: AbortSignal) => Promise<void>;

export function createPace(everyMs: number): Pace {
  let next = 0;
  return async (signal) => {
    const now = performance.now();
    const at = Math.max(next, now + everyMs);
    next = at + everyMs;
    await sleep(at - now, undefined, signal && { signal });
  };
}
