/** Removes the unfinished files that attempts at a finished shard have left. */
import { dirname } from "node:path";
import { isAtWork, readCursors } from "../attempt/cursor.js";
import { openFolderStore } from "./folder-store.js";
import type { Store } from "./store.js";

/** Keeps the files of attempts that are still running: they will find the receipt at their end. */
export async function sweep(store: Store, shard: string): Promise<void> {
  const living: string[] = [];
  for await (const cursor of readCursors(store, shard))
    if (isAtWork(cursor)) living.push(`_tmp/${shard}.${cursor.attempt}.`);
  for await (const name of store.list(`_tmp/${shard}.`)) {
    const isHeld = name.endsWith(".lock") || living.some((start) => name.startsWith(start));
    if (!isHeld) await store.remove(name);
  }
  if (!store.showsScratch) await sweep(openFolderStore(dirname(store.scratch)), shard);
}
