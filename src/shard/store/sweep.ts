/** Clears away what attempts at a shard have left that is done. */
import { isAtWork, readCursors } from "../attempt/cursor.js";
import type { Store } from "./store.js";

/** What an attempt that is still at work has written stays: it finds the receipt at its end. */
export async function sweep(store: Store, shard: string): Promise<void> {
  const living: string[] = [];
  for await (const cursor of readCursors(store, shard))
    if (isAtWork(cursor)) living.push(`_tmp/${shard}.${cursor.attempt}.`);
  for await (const name of store.list(`_tmp/${shard}.`)) {
    const isHeld = name.endsWith(".lock") || living.some((start) => name.startsWith(start));
    if (!isHeld) await store.remove(name);
  }
}
