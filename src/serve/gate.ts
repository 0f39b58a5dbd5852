/** Counts those who are inside, and lets no more in than there are places. */
import { Problem } from "./problem.js";

export interface Gate {
  readonly inside: number;
  readonly places: number;
  /** Gives what is to be called once when leaving. Throws the problem `busy` where all places are taken. */
  enter(): () => void;
}

/** Seconds after which a client may try again: most pages take less. */
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
