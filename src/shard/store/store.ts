/** Defines the seam of places: where the files of a job lie. */
import type { Readable } from "node:stream";

/** Where a job's files lie: a folder, or a prefix in an object store. Names are relative, with slashes. */
export interface Store {
  /** How messages name the place. */
  readonly name: string;
  /** A local folder for files that are not finished. It is there. */
  readonly scratch: string;
  /** Whether others read at once, as `_tmp/NAME`, what lies in `scratch` as NAME. */
  readonly showsScratch: boolean;
  /** Undefined where there is no such file. */
  read(name: string): Promise<Uint8Array | undefined>;
  /** Undefined where there is no such file. */
  open(name: string): Promise<Readable | undefined>;
  /**
   * Puts a finished local file in place, at once or not at all, and takes it away from where it was. "exists": with
   * "first", another one was there before, and nothing has changed.
   */
  commit(name: string, file: string, how: "first" | "replace"): Promise<"done" | "exists">;
  /** The names that begin with the prefix, sorted by code units. */
  list(prefix: string): AsyncIterable<string>;
  /** Does nothing where there is no such file. */
  remove(name: string): Promise<void>;
  /**
   * Keeps others from putting the files of one shard in place at the same time, where the place can do that. It waits
   * while another one is at it.
   */
  hold?(shard: string): Promise<{ release(): Promise<void> }>;
}
