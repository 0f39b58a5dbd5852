/** The worker of the ES module; it loads the same file as the page. */
import { startWorker } from "./thresher.js";
import type { WorkerScope } from "./work.js";

startWorker(globalThis as unknown as WorkerScope); // in a worker it is one
