/** Declares the options of a server, and of the requests to it. */
import type { AddressPolicy } from "../acquire/http/transport.js";
import type { PipelineOptions } from "../options/options.js";
import type { Form } from "../write/registry.js";

export interface ServeOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Number of processes that clean pages. */
  readonly workers: number;
  /** Most decoded bytes of a document, whatever a request asks for. */
  readonly maxBytes: number;
  /** Most milliseconds for a document, whatever a request asks for. */
  readonly timeoutMs: number;
  /** Number of requests that may wait for a worker, besides those that have one. */
  readonly queue: number;
  /** Number of streams at the same time. */
  readonly streams: number;
  /** Milliseconds for a request to arrive: its header, and then its body or the next chunk of a stream. */
  readonly arrivalMs: number;
  /** Milliseconds for running requests to end when the server is stopped. */
  readonly graceMs: number;
  /** The token that clients must send; if absent, all clients are allowed. */
  readonly token?: string;
  /** The origin whose pages may send requests: `*`, or a single one. */
  readonly cors?: string;
  /** The addresses that pages may be fetched from; if absent, no pages are fetched. */
  readonly fetch?: AddressPolicy;
  readonly version: string;
}

/** An option of a request: its name and, unless it is a switch, its value. */
export type Word = readonly [name: string, value: string | undefined];

/** How a request wants its documents cleaned and formatted. */
export interface Order {
  readonly options: PipelineOptions;
  readonly form: Omit<Form, "fingerprint">;
}

/** An option that requests may set, described for authors of clients. */
export interface OptionShape {
  readonly name: string;
  readonly says: string;
  /** The kind of its value; a switch has no value, or "true" or "false". */
  readonly kind: "switch" | "text" | "list";
  readonly choices?: readonly string[];
}

/** Reads the options of requests by the rules of the command line. */
export interface OrderReader {
  readonly shapes: readonly OptionShape[];
  /** Throws UsageError for an unknown option or an invalid value. */
  read(words: readonly Word[], to: Form["to"]): Order;
}
