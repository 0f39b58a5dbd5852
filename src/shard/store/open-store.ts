/** Opens the store that a path or URL names: a folder or an object store. */
import { isObjectAddress } from "../../acquire/objects/address.js";
import { UsageError } from "../../outcome.js";
import { openFolderStore } from "./folder-store.js";
import type { Store } from "./store.js";

/** Creates nothing yet. Throws UsageError for a URL with an unknown scheme. */
export function openStore(place: string): Promise<Store> {
  if (place === "") return Promise.reject(new UsageError("a job has an empty place; is a variable not set?"));
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(place)?.[1];
  if (scheme === undefined) return Promise.resolve(openFolderStore(place));
  if (isObjectAddress(place)) return import("./object-store.js").then((it) => it.openObjectStore(place));
  return Promise.reject(new UsageError(`a job cannot be at ${place}: ${scheme} is not supported`));
}
