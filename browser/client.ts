/** Sends pages to a worker, and starts a new worker when a page took too long or the worker failed. */
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
   * Milliseconds that a page may take, with loading, but without the time for earlier pages. Then the worker is stopped,
   * and the pages that wait go to a new worker. 30 000 by default.
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
  readonly question: Question;
  readonly resolve: (outcome: Outcome<CoreDocument>) => void;
  readonly reject: (error: Error) => void;
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
  /** The pages without an answer, in the order in which the worker reads them. */
  const waiting = new Map<number, Waiting>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (why: string): void => {
    worker?.terminate();
    worker = undefined;
    clearTimeout(timer);
    for (const { reject } of waiting.values()) reject(new Error(why));
    waiting.clear();
  };
  /** Gives the first page that waits its time. */
  const watchNext = (): void => {
    clearTimeout(timer);
    if (waiting.size > 0) timer = setTimeout(stopFirst, maxMs);
  };
  const stopFirst = (): void => {
    worker?.terminate();
    worker = undefined;
    const [[id, first] = []] = waiting;
    if (id === undefined || first === undefined) return;
    waiting.delete(id);
    first.reject(new Error(`took longer than ${maxMs} ms and was stopped`));
    if (waiting.size > 0) worker = start();
    for (const { question } of waiting.values()) worker?.postMessage(question);
    watchNext();
  };
  const hear = (answer: Answer): void => {
    const one = waiting.get(answer.id);
    if (one === undefined) return;
    waiting.delete(answer.id);
    watchNext();
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
        const question = { id: count, input, options } satisfies Question;
        worker.postMessage(question);
        waiting.set(count, { question, resolve, reject });
        if (waiting.size === 1) watchNext();
      });
    },
    close() {
      stop("closed while it was working");
    },
  };
}
