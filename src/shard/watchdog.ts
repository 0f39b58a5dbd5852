/** Synchronous work into its result, or into an error once it took too long: what has no end is stopped where it stands. */
import { createContext, Script } from "node:vm";

/** Thrown for work that was stopped. What it was changing is left half-changed, and must not be used again. */
export class TookTooLong extends Error {}

const nothing = (): void => undefined;
const box = { work: nothing };
const context = createContext(box);
/** V8 stops what a script calls, loops and regular expressions alike, in whichever realm that was made. */
const script = new Script("work()");

/** At most `ms` milliseconds of a clock on the wall, from 1 to 2^31 − 1. Each call starts a thread that waits: see `isWatched`. */
export function runWithin<T>(ms: number, work: () => T): T {
  let done: { readonly result: T } | undefined;
  box.work = () => {
    done = { result: work() };
  };
  try {
    script.runInContext(context, { timeout: Math.ceil(ms) });
  } catch (error) {
    throw isTimeout(error) ? new TookTooLong(`${ms} ms`) : error;
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
