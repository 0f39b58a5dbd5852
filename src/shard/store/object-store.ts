/** Stores the files of a job under a prefix of an object store, where any machine can reach them. */
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { parseObjectAddress, type ObjectAddress } from "../../acquire/objects/address.js";
import { ObjectError } from "../../acquire/objects/failure.js";
import type { Objects } from "../../acquire/objects/objects.js";
import { readObject } from "../../acquire/objects/read-object.js";
import { openObjects } from "../../acquire/objects/s3.js";
import { SCRATCH } from "./folder-store.js";
import { holdObject, reading, writing } from "./object-lock.js";
import type { Store } from "./store.js";
import { compareTexts } from "../../text-order.js";

/**
 * Opens a prefix as a store, without connecting yet. Throws UsageError when the object store client is not installed.
 */
export async function openObjectStore(place: string): Promise<Store> {
  const root = parseObjectAddress(place);
  const below = root.key === "" || root.key.endsWith("/") ? root.key : `${root.key}/`;
  const objects = await openObjects();
  const at = (name: string): ObjectAddress => ({ ...root, key: `${below}${name}` });
  const scratch = nameScratch(place);
  const store: Store = {
    name: place,
    scratch,
    showsScratch: false,
    read: (name) => reading(name, () => readWhole(objects, at(name))),
    open: (name) =>
      reading(name, async () => {
        const facts = await objects.look(at(name));
        return facts === undefined ? undefined : Readable.from(readObject(objects, at(name), facts));
      }),
    commit: (name, file, how) =>
      writing(name, async () => {
        const put = await objects.put(at(name), file, how);
        if (put === "done") await rm(file, { force: true });
        return put;
      }),
    async *list(prefix) {
      const names: string[] = [];
      await reading(prefix, async () => {
        for await (const { key } of objects.list(at(prefix))) names.push(key.slice(below.length));
      });
      yield* names.sort(compareTexts);
    },
    remove: (name) => writing(name, () => objects.remove(at(name))),
    hold: (shard) => holdObject(objects, at(`_tmp/${shard}.lock`), { shard, scratch }),
  };
  return store;
}

/** The local scratch folder: the same each time, so that the files of killed attempts are found and removed. */
function nameScratch(place: string): string {
  const digest = createHash("sha256").update(place).digest("hex").slice(0, 12);
  // In a container, the user may have no account, and so no name. Windows has no ids.
  const user = process.getuid?.() ?? userInfo().username;
  return join(tmpdir(), `thresher-${user}-${digest}`, SCRATCH);
}

async function readWhole(objects: Objects, at: ObjectAddress): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of readObject(objects, at)) chunks.push(chunk);
  } catch (error) {
    if (error instanceof ObjectError && error.reason === "not-found") return undefined;
    throw error;
  }
  return Buffer.concat(chunks);
}
