/** Stops work on a document that takes too long. */

/** The time that is left for a document. */
export interface TimeLimit {
  /** Runs synchronous work and interrupts it at the limit, if the platform can. Throws TookTooLong. */
  run<T>(work: () => T): T;
  /** Must be called between two steps of asynchronous work. Throws TookTooLong. */
  check(): void;
}

/** Starts a limit: `ms` milliseconds remain of `allMs`, which the error message names. */
export type StartLimit = (ms: number, allMs: number) => TimeLimit;

/** A limit that is only checked before and after each step; it interrupts nothing. */
export const startClock: StartLimit = (ms, allMs) => {
  const check = createCheck(ms, allMs);
  return {
    run(work) {
      check();
      const result = work();
      check();
      return result;
    },
    check: () => void check(),
  };
};

/** Returns a function that returns the milliseconds left, or throws TookTooLong when the time is over. */
export function createCheck(ms: number, allMs: number): () => number {
  const end = performance.now() + ms;
  return () => {
    const left = end - performance.now();
    if (left <= 0) throw new TookTooLong(`${allMs} ms`);
    return left;
  };
}

/** Thrown when work was stopped. Objects that the work was changing may be half-changed and must not be used again. */
export class TookTooLong extends Error {}
