/** Runs the playground's worker; it contains all its code, because it is started from a text. */
import { startWorker, type WorkerScope } from "../work.js";

startWorker(globalThis as unknown as WorkerScope); // true inside a worker
