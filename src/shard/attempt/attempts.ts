/** Counts the attempts at each shard: running, dead and failed ones. */
import { toFields } from "../../json.js";
import { EXIT } from "../../outcome.js";
import { isAtWork, readCursors } from "./cursor.js";
import { readJson } from "../store/json-file.js";
import type { Store } from "../store/store.js";

/** A shard counts as failed after this many attempts, unless one is running. */
const MOST_ATTEMPTS = 4;

export interface Attempts {
  readonly running: number;
  /** The number of attempts that died or failed. */
  readonly ended: number;
  /** Whether an attempt found that the shard can never succeed. */
  readonly isHopeless: boolean;
  /** The error of the last failed attempt, if it could write one. */
  readonly message?: string;
}

const NONE: Attempts = { running: 0, ended: 0, isHopeless: false };

/** The attempts by shard; of one shard when `shard` is given. */
export async function readAttempts(store: Store, shard?: string): Promise<ReadonlyMap<string, Attempts>> {
  const all = new Map<string, Attempts>();
  const change = (of: string, to: (before: Attempts) => Attempts): void => {
    all.set(of, to(all.get(of) ?? NONE));
  };
  for await (const cursor of readCursors(store, shard))
    change(cursor.shard, (before) =>
      isAtWork(cursor)
        ? { ...before, running: before.running + 1 }
        : { ...before, ended: before.ended + 1, message: "its process was killed or crashed" },
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
