/**
 * Parses long JSON in a worker thread. A record of megabytes can take seconds (a number that JavaScript cannot
 * represent makes the parser read all of it digit by digit), and the main process could answer no other client in that
 * time.
 */
import type { Page } from "../../document.js";
import { reject, type Outcome, type PageName } from "../../outcome.js";
import type { LongLine, RecordOptions } from "../../acquire/records/jsonl.js";
import { openThread, ThreadDeath } from "../../work/thread/one-thread.js";
import type { ReadJson, Task } from "./json-thread-body.js";
import { Problem } from "../problem.js";
import { NO_ID, readJson, type BodyOfRecord, type RecordOfPage } from "./request-page.js";

/** Shorter JSON takes some milliseconds at most, which is less than handing it over costs. */
const LONG_BYTES = 131_072;
/** Heap for the parsed values: numbers and small objects take ten times the space of their JSON. */
const HEAP_MB = 1024;

export interface JsonReader {
  readonly longBytes: number;
  /** Returns the page and the options of a body. Throws the problems `bad-json` and `bad-option`. */
  readBody(body: BodyOfRecord, signal: AbortSignal): Promise<RecordOfPage>;
  /** Returns the page of a line; undefined if the line is blank. */
  readLine(line: LongLine, options: RecordOptions, signal: AbortSignal): Promise<Outcome<Page> | undefined>;
  close(): Promise<void>;
}

/** Parses long JSON one after another, each within `timeoutMs`. The thread starts with the first. */
export function createJsonReader(timeoutMs: number): JsonReader {
  let thread: ReturnType<typeof openThread<Task, ReadJson>> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const run = (task: Task, signal: AbortSignal): Promise<ReadJson> => {
    const reader = (thread ??= openThread<Task, ReadJson>({
      body: "json-thread-body",
      maxHeapMb: HEAP_MB,
      first: { line: { number: 0, bytes: new Uint8Array(0) }, options: { input: "", maxBytes: 0 } },
    }));
    // Waits for the one before, so that its time does not count for this one.
    const read = last.then(() => {
      signal.throwIfAborted();
      return reader.run(task, { signal, ms: timeoutMs });
    });
    last = read.catch(() => undefined);
    return read;
  };
  const attempt = async (task: Task, of: PageName, signal: AbortSignal): Promise<ReadJson> => {
    try {
      return await run(task, signal);
    } catch (error) {
      if (!(error instanceof ThreadDeath)) throw error;
      return { page: reject(of, "acquire", error.reason, "its JSON could not be read") };
    }
  };
  return {
    longBytes: LONG_BYTES,
    async readBody(body, signal) {
      if (body.bytes.length <= LONG_BYTES) return readJson(body);
      const { id = body.url ?? NO_ID, url = "" } = body;
      const { problem, words = [], page, fetch } = await attempt({ body }, { id, url }, signal);
      if (problem !== undefined) throw new Problem(problem.name, problem.detail);
      return { words, ...(page && { page }), ...(fetch && { fetch }) };
    },
    async readLine(line, options, signal) {
      const of = { id: `${options.input}:${line.number}`, url: "" };
      return (await attempt({ line, options }, of, signal)).page;
    },
    close: async () => thread?.close(),
  };
}
