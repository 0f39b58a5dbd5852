/** Stops work on a document that takes too long, wherever it is. */
import { createContext, Script } from "node:vm";

/** The time that is left for a document. */
export interface TimeLimit {
  /** Runs synchronous work, which is stopped where it is. Throws TookTooLong. */
  run<T>(work: () => T): T;
  /** To be called between two steps of work that waits. Throws TookTooLong. */
  check(): void;
}

/** `ms` are left, from now on, of `allMs`. */
export function startTimeLimit(ms: number, allMs: number): TimeLimit {
  const end = performance.now() + ms;
  const check = (): number => {
    const left = end - performance.now();
    if (left <= 0) throw new TookTooLong(`${allMs} ms`);
    return left;
  };
  return {
    run: (work) => runWithin(check(), work, allMs),
    check: () => void check(),
  };
}

/** Thrown for work that was stopped. What it was changing is left half-changed, and must not be used again. */
export class TookTooLong extends Error {}

const nothing = (): void => undefined;
const box = { work: nothing };
const context = createContext(box);
/** V8 stops what a script calls, loops and regular expressions alike, in whichever realm that was made. */
const script = new Script("work()");

/**
 * Runs synchronous work and gives its result, or throws once it took too long: what has no end is stopped where it is. At
 * most `ms` milliseconds of a clock on the wall, from 1 to 2^31 − 1. Each call starts a thread that waits: .35 ms of CPU time.
 */
export function runWithin<T>(ms: number, work: () => T, allMs = ms): T {
  let done: { readonly result: T } | undefined;
  box.work = () => {
    done = { result: work() };
  };
  try {
    script.runInContext(context, { timeout: Math.ceil(ms) });
  } catch (error) {
    throw isTimeout(error) ? new TookTooLong(`${allMs} ms`) : error;
  } finally {
    box.work = nothing;
  }
  if (done === undefined) throw new Error("work that ended has no result");
  return done.result;
}

/** The error is made in the script's realm, so it is no `Error` of this one. */
function isTimeout(error: unknown): boolean {
  const isObject = typeof error === "object" && error !== null;
  return isObject && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
