/** Runs the worker of the ES module, which loads the same file as the page. */
import { startWorker } from "./thresher.js";
import type { WorkerScope } from "./work.js";

startWorker(globalThis as unknown as WorkerScope); // true inside a worker
