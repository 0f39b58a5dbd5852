/** Declares what a server is told when it starts, and how it is told what a request wants. */
import type { AddressPolicy } from "../acquire/http/transport.js";
import type { PipelineOptions } from "../options/options.js";
import type { Form } from "../write/registry.js";

export interface ServeOptions {
  readonly host: string;
  /** 0 takes any that is free. */
  readonly port: number;
  /** Processes that clean pages. */
  readonly workers: number;
  /** Decoded bytes of a document at most, whatever a request asks for. */
  readonly maxBytes: number;
  /** Time for a document at most, likewise. */
  readonly timeoutMs: number;
  /** Requests that may wait for a worker besides those that have one. */
  readonly queue: number;
  /** Streams at the same time. */
  readonly streams: number;
  /** Time for a request to arrive: its header, and then its body or the next part of a stream. */
  readonly arrivalMs: number;
  /** Time for running requests to end when the server is stopped. */
  readonly graceMs: number;
  /** What clients have to show; all may ask where there is none. */
  readonly token?: string;
  /** The origin whose pages may ask: `*`, or one. */
  readonly cors?: string;
  /** Which addresses pages are fetched from; none are fetched when absent. */
  readonly fetch?: AddressPolicy;
  readonly version: string;
}

/** An option of a request, as a word and, unless it is a switch, its value. */
export type Word = readonly [name: string, value: string | undefined];

/** How one request wants its documents. */
export interface Order {
  readonly options: PipelineOptions;
  readonly form: Omit<Form, "fingerprint">;
}

/** An option that requests may have, for those who write clients. */
export interface OptionShape {
  readonly name: string;
  readonly says: string;
  /** What its value is; a switch has none, or "true" or "false". */
  readonly kind: "switch" | "text" | "list";
  readonly choices?: readonly string[];
}

/** Reads the options of requests by the rules of the command. */
export interface OrderReader {
  readonly shapes: readonly OptionShape[];
  /** Throws UsageError for what does not exist or makes no sense. */
  read(words: readonly Word[], to: Form["to"]): Order;
}
