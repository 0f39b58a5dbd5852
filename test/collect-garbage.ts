/** Collects all garbage at once: how much of it waits depends on the machine, and on the release of Node.js. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Returns when its memory is free: V8 frees that of buffers in a thread of its own, and waits for it where it next collects. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void; // V8's own function
  collect();
  collect();
}
