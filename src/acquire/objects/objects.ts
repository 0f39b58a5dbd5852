/** Declares what is done with an object store. */
import type { Readable } from "node:stream";
import type { ObjectAddress } from "./address.js";

export interface ObjectFacts {
  readonly bytes: number;
  /** As the store gave it, with its quotes. It changes when the object does. */
  readonly etag: string;
}

export interface ListedObject extends ObjectFacts {
  readonly key: string;
}

export interface ObjectRange {
  /** The first byte. */
  readonly from: number;
  /** Behind the last byte; to the end when absent. */
  readonly to?: number;
  /** What the object must still be. */
  readonly etag?: string;
}

/** An answer: the bytes of a range, as far as they come. */
export interface ObjectBody extends ObjectFacts {
  /** Behind the last byte that is to come, counted from the beginning of the object. */
  readonly end: number;
  readonly body: Readable;
}

/** Only where there is none, in any case, or in the place of the one that has this etag. */
export type PutHow = "first" | "replace" | { readonly etag: string };

/** Each call tries a few times and then throws ObjectError, and UsageError where there are no credentials. */
export interface Objects {
  /** Undefined where there is no such object. */
  look(at: ObjectAddress, signal?: AbortSignal): Promise<ObjectFacts | undefined>;
  /** The objects whose keys begin with that of the address, sorted by the bytes of their keys. */
  list(at: ObjectAddress, signal?: AbortSignal): AsyncGenerator<ListedObject>;
  /** Asks once for bytes; `readObject` goes on where an answer breaks off. */
  ask(at: ObjectAddress, range: ObjectRange, signal?: AbortSignal): Promise<ObjectBody>;
  /** Puts a local file in place, at once or not at all. "exists": with "first", or an etag, there was another one. */
  put(at: ObjectAddress, file: string, how: PutHow): Promise<"done" | "exists">;
  /** Does nothing where there is no such object. */
  remove(at: ObjectAddress): Promise<void>;
  /** Waits until one more try is polite. */
  pace(signal?: AbortSignal): Promise<void>;
  close(): void | Promise<void>;
}

export interface ObjectsOptions {
  /** The variables that AWS' own tools know; those of the process when left out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds between two tries at one host. Default: a second. */
  readonly retryEveryMs?: number;
  /** Files that have more bytes are sent in parts of so many. At least 5 MiB, as the protocol has it. */
  readonly partBytes?: number;
}
