/** Tells work on a document when it has taken too long. */

/** The time that is left for a document. */
export interface TimeLimit {
  /** Runs synchronous work, which is stopped where it is, if the platform can. Throws TookTooLong. */
  run<T>(work: () => T): T;
  /** To be called between two steps of work that waits. Throws TookTooLong. */
  check(): void;
}

/** Starts a limit: `ms` are left, from now on, of `allMs`. */
export type StartLimit = (ms: number, allMs: number) => TimeLimit;

/** A clock that work looks at between its steps; it stops nothing in the middle of one. */
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

/** Gives the milliseconds that are left, or throws TookTooLong where there are none. */
export function createCheck(ms: number, allMs: number): () => number {
  const end = performance.now() + ms;
  return () => {
    const left = end - performance.now();
    if (left <= 0) throw new TookTooLong(`${allMs} ms`);
    return left;
  };
}

/** Thrown for work that was stopped. What it was changing is left half-changed, and must not be used again. */
export class TookTooLong extends Error {}
