/** How many URLs ended how: counted once in the database, and kept up to date from then on. */
import type { Reason } from "../outcome.js";
import type { Database } from "./database.js";
import type { CrawlResult } from "./types.js";

export interface End {
  readonly result: CrawlResult;
  readonly reason?: Reason;
}

export interface Tally extends End {
  readonly count: number;
}

export interface Tallies {
  change(end: End, by: number): void;
  /** Has them counted again: too much has changed. */
  forget(): void;
  read(): readonly Tally[];
}

export function createTallies(database: Database): Tallies {
  let counts: Map<string, Tally> | undefined;
  const count = (): Map<string, Tally> => {
    const rows = database.all("SELECT result, reason, count(*) AS count FROM url GROUP BY result, reason");
    const read = rows.map(({ result, reason, count: many }): Tally => {
      // Written from values of these types alone.
      const end = { result: result as CrawlResult, ...(reason !== null && { reason: reason as Reason }) };
      return { ...end, count: Number(many) };
    });
    return new Map(read.map((tally) => [keyOf(tally), tally]));
  };
  return {
    change({ result, reason }, by) {
      const end = { result, ...(reason !== undefined && { reason }) };
      counts?.set(keyOf(end), { ...end, count: (counts.get(keyOf(end))?.count ?? 0) + by });
    },
    forget() {
      counts = undefined;
    },
    read() {
      counts ??= count();
      return [...counts.values()].filter(({ count: many }) => many > 0);
    },
  };
}

function keyOf({ result, reason }: End): string {
  return `${result} ${reason ?? ""}`;
}
