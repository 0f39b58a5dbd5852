/** Runs in a thread of its own, and ends the process as soon as the one that started it is gone, however busy the other thread is. */
import { Socket } from "node:net";

// The other process keeps its end of this pipe open, and writes nothing.
new Socket({ fd: 0 })
  .on("error", () => undefined)
  .on("close", () => process.kill(process.pid, "SIGKILL"))
  .resume();
