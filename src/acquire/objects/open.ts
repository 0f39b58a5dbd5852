/** Opens the object stores of inputs, each once, when its first object is read. */
import type { Chunks } from "../streams.js";
import { isObjectAddress, parseObjectAddress } from "./address.js";
import type { Objects } from "./objects.js";
import { readObject } from "./read-object.js";

interface Range {
  readonly offset?: number;
  readonly length?: number;
  readonly etag?: string;
}

export interface ObjectOpener {
  /** Throws UsageError if the store cannot be used at all; the chunks throw ObjectError. */
  open(address: string, range: Range): Promise<Chunks>;
  /** Returns the store itself. */
  storeOf(address: string): Promise<Objects>;
  close(): Promise<void>;
}

export function createObjectOpener(): ObjectOpener {
  const opened = new Map<string, Promise<Objects>>();
  const storeOf = (address: string): Promise<Objects> => {
    const scheme = isObjectAddress(address) ? "s3" : "http";
    const known = opened.get(scheme);
    if (known !== undefined) return known;
    // Imported only when needed: loading the S3 client takes a second.
    const store =
      scheme === "s3"
        ? import("./s3.js").then(({ openObjects }) => openObjects())
        : import("./http.js").then(({ openHttpObjects }) => openHttpObjects());
    opened.set(scheme, store);
    return store;
  };
  return {
    storeOf,
    open: async (address, range) => readObject(await storeOf(address), parseObjectAddress(address), range),
    async close() {
      for (const store of opened.values()) {
        // A store that could not be opened has thrown before.
        const objects = await store.catch(() => undefined);
        await objects?.close();
      }
    },
  };
}
