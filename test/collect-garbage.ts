/** Collects all garbage at once: how much of it waits depends on the machine, and on the release of Node.js. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)(); // V8's own function
}
