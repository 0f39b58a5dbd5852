/** Tells from the cursors of attempts that died which documents may have killed them. */
import { isAtWork, readCursors, type CursorFile } from "./cursor.js";
import type { Store } from "../store/store.js";

/** Deaths at one document, with nothing else at work: a machine may die of something else once, and hardly twice. */
const MOST_DEATHS = 2;
/** Documents that are tried alone; of longer lists something is wrong with the cursors, and not with the documents. */
const MOST_SUSPECTS = 10_000;

export interface Suspects {
  /** How many attempts have died. */
  readonly deaths: number;
  /** Whether a document is tried alone, or is given up. */
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
