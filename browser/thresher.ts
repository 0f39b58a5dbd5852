/** Exports the ES module for browsers: the core, packed models, and a worker. */
export * from "thresher/core";
export { openWorker, type ThresherWorker, type WorkerOptions } from "./client.js";
export type { PackedModels } from "./messages.js";
export { unpackModel } from "./model-pack.js";
export { openModel, startWorker, type WorkerScope } from "./work.js";
