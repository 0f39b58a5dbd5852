/** Counts the attempts at each shard: those that are at work, those that died, and those that failed. */
import { toFields } from "../../json.js";
import { EXIT } from "../../outcome.js";
import { isAtWork, readCursors } from "./cursor.js";
import { readJson } from "../store/json-file.js";
import type { Store } from "../store/store.js";

/** Attempts after which a shard counts as failed, unless one of them is at work. */
const MOST_ATTEMPTS = 4;

export interface Attempts {
  readonly running: number;
  /** Those that died, or failed. */
  readonly ended: number;
  /** Whether one of them found that the shard can never work. */
  readonly isHopeless: boolean;
  /** Why the last one failed, where it could say so. */
  readonly message?: string;
}

const NONE: Attempts = { running: 0, ended: 0, isHopeless: false };

/** By shard; of all shards when none is named. */
export async function readAttempts(store: Store, shard?: string): Promise<ReadonlyMap<string, Attempts>> {
  const all = new Map<string, Attempts>();
  const change = (of: string, to: (before: Attempts) => Attempts): void => {
    all.set(of, to(all.get(of) ?? NONE));
  };
  for await (const cursor of readCursors(store, shard))
    change(cursor.shard, (before) =>
      isAtWork(cursor)
        ? { ...before, running: before.running + 1 }
        : { ...before, ended: before.ended + 1, message: "its process was killed, or died" },
    );
  for await (const name of store.list(shard === undefined ? "_tmp/" : `_tmp/${shard}.`)) {
    if (!name.endsWith(".error")) continue;
    const { shard: of, exit, message } = toFields(await readJson(store, name));
    if (typeof of !== "string" || typeof message !== "string") continue;
    change(of, (before) => ({
      ...before,
      ended: before.ended + 1,
      isHopeless: before.isHopeless || exit === EXIT.badShard,
      message,
    }));
  }
  return all;
}

export function isFailed({ running, ended, isHopeless }: Attempts): boolean {
  return running === 0 && (isHopeless || ended >= MOST_ATTEMPTS);
}
