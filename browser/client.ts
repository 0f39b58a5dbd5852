/** Sends a page's requests to its worker, and starts a new worker when a page took too long or the worker failed. */
import {
  UsageError,
  type CleanInput,
  type CoreDocument,
  type CoreOptions,
  type Outcome,
} from "thresher/core";
import type { Answer, PackedModels, Question } from "./messages.js";

/** Milliseconds after which a page fails. */
const DEFAULT_MS = 30_000;

export interface WorkerOptions {
  /** Creates the worker; by default the one beside this module. */
  readonly worker?: () => Worker;
  /** The packed models; by default those beside this module. */
  readonly models?: PackedModels;
  /**
   * Milliseconds that a page may take, with loading and waiting for earlier pages. Then the worker is stopped, all
   * waiting pages fail, and the next page starts a new worker. 30 000 by default.
   */
  readonly maxMs?: number;
}

export interface ThresherWorker {
  /** Like `clean` of a core: rejects with the same errors, and with an Error when the worker was stopped. */
  clean(input: CleanInput, options?: CoreOptions): Promise<Outcome<CoreDocument>>;
  /**
   * The name of the engine that ran the networks of the last page, for people to read; undefined before the first page.
   */
  readonly engine: string | undefined;
  close(): void;
}

interface Waiting {
  readonly resolve: (outcome: Outcome<CoreDocument>) => void;
  readonly reject: (error: Error) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

// Bundlers rewrite `new URL("…", import.meta.url)` where it is written in one piece, so it is split here.
const here = import.meta.url;
const besides = (name: string): string => new URL(name, here).href;

/** Returns a client that loads nothing before the first page. */
export function openWorker({
  worker: make = () => new Worker(besides("worker.js"), { type: "module" }),
  models = { page: besides("page.model"), text: besides("text.model") },
  maxMs = DEFAULT_MS,
}: WorkerOptions = {}): ThresherWorker {
  let worker: Worker | undefined;
  let engine: string | undefined;
  let count = 0;
  const waiting = new Map<number, Waiting>();
  const stop = (why: string): void => {
    worker?.terminate();
    worker = undefined;
    for (const { reject, timer } of waiting.values()) {
      clearTimeout(timer);
      reject(new Error(why));
    }
    waiting.clear();
  };
  const hear = (answer: Answer): void => {
    const one = waiting.get(answer.id);
    if (one === undefined) return;
    waiting.delete(answer.id);
    clearTimeout(one.timer);
    if ("error" in answer) {
      const { message, isUsage } = answer.error;
      one.reject(isUsage ? new UsageError(message) : new Error(message));
      return;
    }
    engine = answer.engine;
    one.resolve(answer.outcome);
  };
  const start = (): Worker => {
    const made = make();
    made.onmessage = ({ data }: MessageEvent<Answer>) => {
      hear(data);
    };
    made.onerror = (event) => {
      event.preventDefault();
      stop(`the worker failed: ${event.message || "its file could not be loaded"}`);
    };
    made.postMessage({ models } satisfies Question);
    return made;
  };
  return {
    get engine() {
      return engine;
    },
    clean(input, options = {}) {
      return new Promise((resolve, reject) => {
        worker ??= start();
        count += 1;
        // Throws for what cannot be sent, such as a function.
        worker.postMessage({ id: count, input, options } satisfies Question);
        const timer = setTimeout(() => {
          stop(`took longer than ${maxMs} ms and was stopped`);
        }, maxMs);
        waiting.set(count, { resolve, reject, timer });
      });
    },
    close() {
      stop("closed while it was working");
    },
  };
}
