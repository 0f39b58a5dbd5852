/**
 * Combines several reasons to abort into one signal, and stops waiting for work when it aborts. (`AbortSignal.any`
 * would leak memory for each page on Node.js 20.)
 */
import { setMaxListeners } from "node:events";

export interface Stop {
  readonly signal: AbortSignal;
  /** Aborts this signal alone. */
  abort(reason?: unknown): void;
  /** Stops following the outer signal. Must be called when the work is done. */
  release(): void;
}

interface Outer {
  readonly followers: Set<() => void>;
  readonly onAbort: () => void;
}

/** All followers of a signal share one listener: Node.js 20 warns on stderr from the eleventh listener on. */
const outers = new WeakMap<AbortSignal, Outer>();

/** Creates a signal that also aborts when `outer` does, until it is released. */
export function followSignal(outer?: AbortSignal): Stop {
  const controller = new AbortController();
  // Any number of tasks may listen to the signal.
  setMaxListeners(0, controller.signal);
  const follow = (): void => {
    controller.abort(outer?.reason);
  };
  if (outer?.aborted === true) follow();
  else if (outer !== undefined) listen(outer, follow);
  return {
    signal: controller.signal,
    abort: (reason) => {
      controller.abort(reason);
    },
    release: () => {
      if (outer !== undefined) leave(outer, follow);
    },
  };
}

/**
 * Returns the result of the work, or rejects with the signal's reason as soon as it aborts. The work itself may go on.
 */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      // A signal's reason may be any value; it is passed on unchanged.
      reject(signal.reason as Error);
    };
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp);
    const settled = (): void => {
      signal.removeEventListener("abort", giveUp);
    };
    work.finally(settled).then(resolve, reject);
  });
}

function listen(signal: AbortSignal, follow: () => void): void {
  const known = outers.get(signal);
  if (known !== undefined) {
    known.followers.add(follow);
    return;
  }
  const followers = new Set([follow]);
  const onAbort = (): void => {
    for (const each of followers) each();
  };
  outers.set(signal, { followers, onAbort });
  signal.addEventListener("abort", onAbort);
}

function leave(signal: AbortSignal, follow: () => void): void {
  const known = outers.get(signal);
  if (known === undefined) return;
  known.followers.delete(follow);
  if (known.followers.size > 0) return;
  signal.removeEventListener("abort", known.onAbort);
  outers.delete(signal);
}

interface Deadline {
  /** Aborts with the caller's reason, or with a TimeoutError when the time is over. */
  readonly signal: AbortSignal;
  /** Whether the time is over. */
  isOver(): boolean;
  /**
   * Returns the result of the promise, or rejects as soon as the signal aborts. The work behind the promise may go on.
   */
  race<T>(promise: Promise<T>): Promise<T>;
  /** Clears the timer and stops following the caller's signal. */
  end(): void;
}

/**
 * Starts a time limit of `timeoutMs`. Its signal also aborts when the caller's does. `end` leaves no listener on the
 * caller's.
 */
export function startDeadline(timeoutMs: number, caller?: AbortSignal): Deadline {
  const stop = followSignal(caller);
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    stop.abort(new DOMException("the time limit was reached", "TimeoutError"));
  }, timeoutMs);
  return {
    signal: stop.signal,
    isOver: () => isOver,
    race: (promise) => untilAborted(promise, stop.signal),
    end() {
      clearTimeout(timer);
      stop.release();
    },
  };
}
