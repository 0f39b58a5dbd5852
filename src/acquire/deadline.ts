/** A time limit and the caller's signal into one signal, which leaves nothing behind on the caller's. */
import { setMaxListeners } from "node:events";

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

/** `AbortSignal.any` would gather memory on a signal that lives as long as a crawl. */
export function startDeadline(timeoutMs: number, caller?: AbortSignal): Deadline {
  const controller = new AbortController();
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    controller.abort(new DOMException("the time is over", "TimeoutError"));
  }, timeoutMs);
  const onAbort = (): void => {
    controller.abort(caller?.reason);
  };
  if (caller?.aborted === true) onAbort();
  else if (caller !== undefined) {
    // As many listen as there are exchanges at a time, and each of them goes: no leak to be warned of.
    setMaxListeners(0, caller);
    caller.addEventListener("abort", onAbort, { once: true });
  }
  return {
    signal: controller.signal,
    isOver: () => isOver,
    race: (promise) =>
      new Promise((resolve, reject) => {
        const { signal } = controller;
        const giveUp = (): void => {
          // It is what `abort` was given: an error of ours, or whatever the caller gave.
          reject(signal.reason as Error);
        };
        if (signal.aborted) giveUp();
        else signal.addEventListener("abort", giveUp, { once: true });
        promise.then(resolve, reject);
      }),
    end() {
      clearTimeout(timer);
      caller?.removeEventListener("abort", onAbort);
    },
  };
}
