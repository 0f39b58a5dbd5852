/** Declares the interface of an object store. */
import type { Readable } from "node:stream";
import type { ObjectAddress } from "./address.js";

export interface ObjectFacts {
  readonly bytes: number;
  /** As the store gave it, with its quotes. It changes when the object changes. */
  readonly etag: string;
}

export interface ListedObject extends ObjectFacts {
  readonly key: string;
}

export interface ObjectRange {
  /** The first byte. */
  readonly from: number;
  /** The offset after the last byte; up to the end when absent. */
  readonly to?: number;
  /** The etag that the object must still have. */
  readonly etag?: string;
}

/** A response with the bytes of a range; it may break off early. */
export interface ObjectBody extends ObjectFacts {
  /** The expected offset after the last byte, counted from the beginning of the object. */
  readonly end: number;
  readonly body: Readable;
}

/**
 * "first" writes only if no object exists, "replace" always writes, and `etag` replaces only the object with that etag.
 */
export type PutHow = "first" | "replace" | { readonly etag: string };

/** Each call retries a few times and then throws ObjectError. It throws UsageError if there are no credentials. */
export interface Objects {
  /** Undefined if the object does not exist. */
  look(at: ObjectAddress, signal?: AbortSignal): Promise<ObjectFacts | undefined>;
  /** Yields the objects whose keys begin with the address's key, sorted by the bytes of their keys. */
  list(at: ObjectAddress, signal?: AbortSignal): AsyncGenerator<ListedObject>;
  /** Requests a range once; `readObject` continues if the response breaks off. */
  ask(at: ObjectAddress, range: ObjectRange, signal?: AbortSignal): Promise<ObjectBody>;
  /**
   * Uploads a local file, all of it or nothing. Returns "exists" if the condition of "first" or of an etag is not met.
   */
  put(at: ObjectAddress, file: string, how: PutHow): Promise<"done" | "exists">;
  /** Does nothing if the object does not exist. */
  remove(at: ObjectAddress): Promise<void>;
  /** Waits until the next retry may be made. */
  pace(signal?: AbortSignal): Promise<void>;
  close(): void | Promise<void>;
}

export interface ObjectsOptions {
  /** The environment variables that the AWS tools use; those of the process when absent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds between two retries at one host. Default: 1000. */
  readonly retryEveryMs?: number;
  /**
   * The size from which files are sent in parts, and the size of a part. At least 5 MiB, which the protocol requires.
   */
  readonly partBytes?: number;
}
