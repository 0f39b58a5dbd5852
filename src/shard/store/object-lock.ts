/** Locks a shard in an object store with an object that its holder replaces again and again. */
import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ObjectAddress } from "../../acquire/objects/address.js";
import { ObjectError } from "../../acquire/objects/failure.js";
import type { Objects, PutHow } from "../../acquire/objects/objects.js";
import { OutputError } from "../../outcome.js";
import { BadShard, TryAgain } from "../attempt/failures.js";
import type { Hold } from "./store.js";

/** Milliseconds between two checks of a lock that another attempt holds. */
const ASK_AGAIN_MS = 1000;
/** The number of checks without a change after which that attempt counts as dead. */
const MAX_LOOKS = 60;
/** The time between two changes of a lock by its holder, in checks of those who wait. */
const LOOKS_A_BEAT = 15;

interface Held {
  readonly shard: string;
  readonly scratch: string;
  /** Default: a second. */
  readonly askAgainMs?: number;
}

/**
 * Locks a shard by creating an object; other attempts wait until it is removed. A lock that stays unchanged was left by
 * an attempt that died, and is taken over.
 */
export async function holdObject(
  objects: Objects,
  at: ObjectAddress,
  { shard, scratch, askAgainMs = ASK_AGAIN_MS }: Held,
): Promise<Hold> {
  const by = randomBytes(8).toString("hex");
  const draft = join(scratch, `${shard}.${by}.lock`);
  const lost = new AbortController();
  const look = async (): Promise<string | undefined> => (await reading(shard, () => objects.look(at)))?.etag;
  let beats = 0;
  const write = async (how: PutHow): Promise<"done" | "exists"> => {
    beats += 1;
    try {
      await writeFile(draft, `${JSON.stringify({ shard, at: new Date().toISOString(), by, beats })}\n`);
      return await writing(shard, () => objects.put(at, draft, how));
    } finally {
      await rm(draft, { force: true });
    }
  };
  let etag: string | undefined;
  let looks = 0;
  while ((await write(etag !== undefined && looks >= MAX_LOOKS ? { etag } : "first")) === "exists") {
    const found = await look();
    looks = found !== undefined && found === etag ? looks + 1 : 0;
    etag = found;
    await sleep(askAgainMs);
  }
  etag = await look();

  /** Changes the lock, so that the others see that its holder lives. */
  const renew = async (): Promise<void> => {
    if (lost.signal.aborted) return;
    const isOurs = etag !== undefined && (await write({ etag })) === "done";
    etag = isOurs ? await look() : undefined;
    if (!isOurs) lost.abort(new TryAgain(`another attempt has taken over the lock of ${shard}`));
  };
  let renewed = Promise.resolve();
  const beat = setInterval(() => {
    renewed = renewed.then(renew).catch(() => undefined); // another attempt may then take the lock
  }, LOOKS_A_BEAT * askAgainMs);
  beat.unref();
  return {
    lost: lost.signal,
    async release() {
      clearInterval(beat);
      await renewed;
      // Others now wait for another minute before they take it over, so the object that is removed is ours.
      await renew();
      if (!lost.signal.aborted) await writing(shard, () => objects.remove(at));
    },
  };
}

/** Explains an error of the store as one of reading. */
export async function reading<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof ObjectError)) throw cause;
    const message = `cannot read ${name}: ${cause.message}`;
    throw cause.retryable ? new TryAgain(message, { cause }) : new BadShard(message, { cause });
  }
}

/** Explains an error of the store as one of writing. */
export async function writing<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof ObjectError)) throw cause;
    throw new OutputError(`cannot write ${name}: ${cause.message}`, { cause });
  }
}
