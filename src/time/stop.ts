/**
 * Stops work for several causes: makes one signal that each of them can abort, and waits for work no longer than that.
 * (`AbortSignal.any` would leave a trace in memory for each page on Node 20.)
 */
import { setMaxListeners } from "node:events";

export interface Stop {
  readonly signal: AbortSignal;
  /** Aborts this signal alone. */
  abort(reason?: unknown): void;
  /** Forgets the outer signal; to be called when the work is done. */
  release(): void;
}

interface Outer {
  readonly followers: Set<() => void>;
  readonly onAbort: () => void;
}

/** Those that follow a signal share one listener: Node 20 warns on stderr of the eleventh. */
const outers = new WeakMap<AbortSignal, Outer>();

/** Follows `outer`, where there is one, until it is released. */
export function followSignal(outer?: AbortSignal): Stop {
  const controller = new AbortController();
  // Everything that is under way may listen to it.
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

/** What the work gives, or the signal's reason as soon as it aborts: some work goes on, whatever it is told. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      // A signal's reason may be anything; it is handed on as it is.
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

export interface Deadline {
  /** Aborts with the caller's reason, or when the time is over. */
  readonly signal: AbortSignal;
  /** Whether it was the time. */
  isOver(): boolean;
  /** What the promise gives, or a rejection as soon as the signal aborts: some things go on, whatever they are told. */
  race<T>(promise: Promise<T>): Promise<T>;
  /** Lets go of the timer and of the caller's signal. */
  end(): void;
}

/** Starts a time limit that aborts the same signal as the caller's does, and leaves nothing behind on the caller's. */
export function startDeadline(timeoutMs: number, caller?: AbortSignal): Deadline {
  const stop = followSignal(caller);
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    stop.abort(new DOMException("the time is over", "TimeoutError"));
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
