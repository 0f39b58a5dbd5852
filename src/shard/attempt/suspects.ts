/** Finds the documents that may have killed earlier attempts, from the cursors of those attempts. */
import { isAtWork, readCursors, type CursorFile } from "./cursor.js";
import type { Store } from "../store/store.js";

/**
 * A document is given up after this many deaths while it ran alone: another cause may strike once, but hardly twice.
 */
const MOST_DEATHS = 2;
/** Most documents that are tried alone. A longer list points to wrong cursors, not to bad documents. */
const MOST_SUSPECTS = 10_000;

export interface Suspects {
  /** How many attempts died. */
  readonly deaths: number;
  /** Judges a document by its index: a suspect is tried alone, a guilty document is rejected. */
  readonly judge: (number: number) => "innocent" | "suspect" | "guilty";
}

export async function findSuspects(store: Store, shard: string): Promise<Suspects> {
  const dead: CursorFile[] = [];
  for await (const cursor of readCursors(store, shard)) if (!isAtWork(cursor)) dead.push(cursor);
  return judgeDead(dead);
}

export function judgeDead(dead: readonly Pick<CursorFile, "done" | "begun" | "isAlone">[]): Suspects {
  const suspects = new Set<number>();
  const deaths = new Map<number, number>();
  for (const { done, begun, isAlone } of dead) {
    for (let number = done; number < begun && suspects.size < MOST_SUSPECTS; number += 1)
      suspects.add(number);
    if (isAlone && begun === done + 1) deaths.set(done, (deaths.get(done) ?? 0) + 1);
  }
  return {
    deaths: dead.length,
    judge(number) {
      if ((deaths.get(number) ?? 0) >= MOST_DEATHS) return "guilty";
      return suspects.has(number) ? "suspect" : "innocent";
    },
  };
}
