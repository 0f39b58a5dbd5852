/** Stops synchronous work that takes too long, wherever it is. */
import { createContext, Script } from "node:vm";
import { createCheck, TookTooLong, type StartLimit } from "../time/time-limit.js";

/** A limit that stops the work of `run` where it is. */
export const startTimeLimit: StartLimit = (ms, allMs) => {
  const check = createCheck(ms, allMs);
  return {
    run: (work) => runWithin(check(), work, allMs),
    check: () => void check(),
  };
};

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
