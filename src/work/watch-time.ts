/** Interrupts synchronous work that takes too long, wherever it is. */
import { createContext, Script } from "node:vm";
import { createCheck, TookTooLong, type StartLimit } from "../time/time-limit.js";

/** Starts a time limit whose `run` interrupts synchronous work. */
export const startTimeLimit: StartLimit = (ms, allMs) => {
  const check = createCheck(ms, allMs);
  return {
    run: (work) => runWithin(check(), work, allMs),
    check: () => void check(),
  };
};

const nothing = (): void => undefined;
/** The work that the script does next. */
let next = nothing;
/**
 * The script always calls the same function: if each piece of work were put into its context, V8 would keep it, and the
 * page that it refers to, until a full garbage collection.
 */
const context = createContext({
  work: () => {
    next();
  },
});
/**
 * V8 interrupts all that a script calls, loops and regular expressions alike, whichever realm the functions are from.
 */
const script = new Script("work()");

/**
 * Runs synchronous work and returns its result. Work that takes longer than `ms` milliseconds of wall-clock time (from
 * 1 to 2^31 − 1) is interrupted. Throws TookTooLong. Each call starts a thread that waits, which takes .35 ms of CPU
 * time.
 */
export function runWithin<T>(ms: number, work: () => T, allMs = ms): T {
  let done: { readonly result: T } | undefined;
  next = () => {
    done = { result: work() };
  };
  try {
    script.runInContext(context, { timeout: Math.ceil(ms) });
  } catch (error) {
    throw isTimeout(error) ? new TookTooLong(`${allMs} ms`) : error;
  } finally {
    next = nothing;
  }
  if (done === undefined) throw new Error("work that ended has no result");
  return done.result;
}

/** The error is created in the realm of the script, so it is not an instance of this realm's `Error`. */
function isTimeout(error: unknown): boolean {
  const isObject = typeof error === "object" && error !== null;
  return isObject && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
