/** Collects all garbage at once, because the amount that is left otherwise depends on the machine and on the Node.js release. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Returns when the memory is free. The second call waits for the thread in which V8 frees the memory of buffers. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void; // the gc function of V8
  collect();
  collect();
}
