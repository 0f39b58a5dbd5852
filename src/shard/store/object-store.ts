/** Stores the files of a job under a prefix of an object store, where any machine can reach them. */
import { createHash, randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { parseObjectAddress, type ObjectAddress } from "../../acquire/objects/address.js";
import { ObjectError } from "../../acquire/objects/failure.js";
import type { Objects } from "../../acquire/objects/objects.js";
import { readObject } from "../../acquire/objects/read-object.js";
import { openObjects } from "../../acquire/objects/s3.js";
import { OutputError } from "../../outcome.js";
import { BadShard, TryAgain } from "../attempt/failures.js";
import { SCRATCH } from "./folder-store.js";
import type { Store } from "./store.js";
import { compareTexts } from "../../text-order.js";

/**
 * Milliseconds between two checks of a lock that another attempt holds, and the number of checks without a change after
 * which that attempt counts as dead.
 */
const ASK_AGAIN_MS = 1000;
const MAX_LOOKS = 60;

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
    hold: (shard) => hold(objects, at(`_tmp/${shard}.lock`), { shard, scratch }),
  };
  return store;
}

/** The local scratch folder: the same each time, so that the files of killed attempts are found and removed. */
function nameScratch(place: string): string {
  const digest = createHash("sha256").update(place).digest("hex").slice(0, 12);
  // In a container, the user may have no account, and so no name. Windows has no ids.
  const user = process.getuid?.() ?? userInfo().username;
  return join(tmpdir(), `thresher-${user}`, digest, SCRATCH);
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

interface Held {
  readonly shard: string;
  readonly scratch: string;
}

/**
 * Locks a shard by creating an object; other attempts wait until it is removed. A lock that stays unchanged was left by
 * an attempt that died, and is taken over.
 */
async function hold(
  objects: Objects,
  at: ObjectAddress,
  { shard, scratch }: Held,
): Promise<{ release(): Promise<void> }> {
  const draft = join(scratch, `${shard}.${randomBytes(6).toString("hex")}.lock`);
  let left: string | undefined;
  let looks = 0;
  try {
    await writeFile(
      draft,
      `${JSON.stringify({ shard, at: new Date().toISOString(), by: randomBytes(8).toString("hex") })}\n`,
    );
    for (;;) {
      const isDead = left !== undefined && looks >= MAX_LOOKS;
      const how = isDead && left !== undefined ? { etag: left } : ("first" as const);
      if ((await writing(shard, () => objects.put(at, draft, how))) === "done") break;
      const found = await reading(shard, () => objects.look(at));
      looks = found !== undefined && found.etag === left ? looks + 1 : 0;
      left = found?.etag;
      await sleep(ASK_AGAIN_MS);
    }
  } finally {
    await rm(draft, { force: true });
  }
  return { release: () => writing(shard, () => objects.remove(at)) };
}

async function reading<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof ObjectError)) throw cause;
    const message = `cannot read ${name}: ${cause.message}`;
    throw cause.retryable ? new TryAgain(message, { cause }) : new BadShard(message, { cause });
  }
}

async function writing<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof ObjectError)) throw cause;
    throw new OutputError(`cannot write ${name}: ${cause.message}`, { cause });
  }
}
