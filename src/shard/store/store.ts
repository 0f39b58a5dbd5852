/** Defines the interface of a store, the place of the files of a job. */
import type { Readable } from "node:stream";

/** A place for a job's files: a folder, or a prefix in an object store. Names are relative, with slashes. */
export interface Store {
  /** The name of the place in messages. */
  readonly name: string;
  /** A local folder for unfinished files. It exists. */
  readonly scratch: string;
  /** Whether a file NAME in `scratch` is visible to others at once, as `_tmp/NAME`. */
  readonly showsScratch: boolean;
  /** Undefined when the file does not exist. */
  read(name: string): Promise<Uint8Array | undefined>;
  /** Undefined when the file does not exist. */
  open(name: string): Promise<Readable | undefined>;
  /**
   * Moves a finished local file into place, atomically. "exists": with "first", the name was taken, and nothing has
   * changed.
   */
  commit(name: string, file: string, how: "first" | "replace"): Promise<"done" | "exists">;
  /** The names that begin with the prefix, sorted by code units. */
  list(prefix: string): AsyncIterable<string>;
  /** Does nothing when the file does not exist. */
  remove(name: string): Promise<void>;
  /**
   * Locks a shard so that no other attempt commits its files at the same time. Waits while another attempt holds the
   * lock.
   */
  hold(shard: string): Promise<Hold>;
}

/** The lock of a shard. */
export interface Hold {
  /** Aborts with TryAgain if another attempt has taken over the lock, as from one that died; absent if none can. */
  readonly lost?: AbortSignal;
  release(): Promise<void>;
}
