/** The events that an earlier run recorded and nobody confirmed, once more: rejects as they were, pages out of the archive. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { reject } from "../outcome.js";
import { readArchived } from "./page.js";
import type { Store } from "./store.js";
import type { CrawlEvent } from "./types.js";
import type { Placed } from "./url-table.js";

const EVENTS_A_READ = 100;

export interface ReplayOptions {
  readonly store: Store;
  readonly warcDir: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** A page that the archive does not have is fetched again. */
export async function* replayEvents(options: ReplayOptions): AsyncGenerator<CrawlEvent> {
  const { store, signal } = options;
  const last = store.marks.recorded;
  for (let number = store.marks.confirmed; number < last;) {
    const events = store.urls.eventsAfter(number, EVENTS_A_READ);
    for (const placed of events) {
      if (signal.aborted || placed.number > last) return;
      const event = await replay(placed, options);
      if (event === undefined) store.urls.requeue(placed.id);
      else yield event;
    }
    number = events.at(-1)?.number ?? last;
  }
}

async function replay(
  { number, outcome: about }: Placed,
  { warcDir, maxBytes }: ReplayOptions,
): Promise<CrawlEvent | undefined> {
  const { url, result, reason, detail, warcFile, warcOffset } = about;
  if (result !== "page") {
    const why = reason ?? "fetch-failed"; // every reject that is recorded has one
    return { number, about, outcome: reject({ id: url, url }, "acquire", why, detail) };
  }
  if (warcFile === undefined || warcOffset === undefined) return undefined;
  const path = join(warcDir, warcFile);
  if (!existsSync(path)) return undefined;
  const outcome = await readArchived({ path, offset: warcOffset, url, maxBytes });
  return outcome === undefined ? undefined : { number, about, outcome };
}
