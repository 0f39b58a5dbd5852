/** A time limit and the caller's signal into one signal, which leaves nothing behind on the caller's. */
import { followSignal, untilAborted } from "../stop.js";

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
