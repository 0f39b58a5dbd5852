/** The worker of the playground: it holds all that it needs, because it is started from a text. */
import { startWorker, type WorkerScope } from "../work.js";

startWorker(globalThis as unknown as WorkerScope); // in a worker it is one
