/** Declares what the endpoints of a server share. */
import type { Fetcher } from "../acquire/http/fetch.js";
import type { Form } from "../write/registry.js";
import type { Gate } from "./gate.js";
import type { JsonReader } from "./request/json-thread.js";
import type { Metrics } from "./metrics.js";
import type { ServeOptions, Word } from "./options.js";
import type { Lease } from "./pipelines.js";

/** Pipelines by the options of requests. */
export interface Orders {
  /** Whether an option may be repeated. */
  isList(name: string): boolean;
  /** Throws the problem `bad-option`. */
  lease(words: readonly Word[], to: Form["to"]): Promise<Lease>;
}

export interface Tools {
  readonly options: ServeOptions;
  readonly orders: Orders;
  readonly metrics: Metrics;
  readonly json: JsonReader;
  /** Limits for single documents, and for streams of them. */
  readonly documents: Gate;
  readonly streams: Gate;
  /** Absent if pages are not fetched. */
  readonly fetcher?: Fetcher;
}
