/** Kills this process from a thread of its own as soon as its parent has ended, even if the main thread is busy. */
import { Socket } from "node:net";

// The parent keeps its end of this pipe open and writes nothing.
new Socket({ fd: 0 })
  .on("error", () => undefined)
  .on("close", () => process.kill(process.pid, "SIGKILL"))
  .resume();
