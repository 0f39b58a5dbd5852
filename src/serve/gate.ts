/** Limits how many requests are handled at the same time. */
import { Problem } from "./problem.js";

export interface Gate {
  readonly inside: number;
  readonly places: number;
  /**
   * Takes a place and returns a function that frees it, to be called once. Throws the problem `busy` if all places are
   * taken.
   */
  enter(): () => void;
}

/** Seconds until a client may try again; most pages take less. */
const RETRY_AFTER = "1";

export function createGate(places: number): Gate {
  let inside = 0;
  return {
    places,
    get inside() {
      return inside;
    },
    enter() {
      if (inside >= places) throw new Problem("busy", undefined, { "Retry-After": RETRY_AFTER });
      inside += 1;
      return () => {
        inside -= 1;
      };
    },
  };
}
