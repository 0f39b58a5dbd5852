/** One signal that several causes can abort. `AbortSignal.any` would leave a trace in memory for each page on Node 20. */
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

/** Follows `outer` until it is released. */
export function followSignal(outer: AbortSignal): Stop {
  const controller = new AbortController();
  // Everything that is under way may listen to it.
  setMaxListeners(0, controller.signal);
  const follow = (): void => {
    controller.abort(outer.reason);
  };
  if (outer.aborted) follow();
  else listen(outer, follow);
  return {
    signal: controller.signal,
    abort: (reason) => {
      controller.abort(reason);
    },
    release: () => {
      leave(outer, follow);
    },
  };
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
