/** One signal that several causes can abort. `AbortSignal.any` would leave a trace in memory for each page on Node 20. */
import { setMaxListeners } from "node:events";

export interface Stop {
  readonly signal: AbortSignal;
  /** Aborts this signal alone. */
  abort(reason?: unknown): void;
  /** Forgets the outer signal; to be called when the work is done. */
  release(): void;
}

/** Follows `outer` until it is released. */
export function followSignal(outer: AbortSignal): Stop {
  const controller = new AbortController();
  // Everything that is under way may listen to it.
  setMaxListeners(0, controller.signal);
  const follow = (): void => {
    controller.abort(outer.reason);
  };
  if (outer.aborted) follow();
  else outer.addEventListener("abort", follow);
  return {
    signal: controller.signal,
    abort: (reason) => {
      controller.abort(reason);
    },
    release: () => {
      outer.removeEventListener("abort", follow);
    },
  };
}
