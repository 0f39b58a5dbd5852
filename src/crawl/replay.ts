/**
 * Replays the events that an earlier run recorded and that were not confirmed: rejects from the state, pages from the
 * archive.
 */
import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { readWarc } from "../acquire/warc/warc.js";
import type { Page } from "../document.js";
import { accept, reject, type Outcome } from "../outcome.js";
import type { Store } from "./state/store.js";
import type { Placed } from "./state/url-table.js";
import type { CrawlEvent } from "./types.js";

const EVENTS_A_READ = 100;

interface ReplayOptions {
  readonly store: Store;
  readonly warcDir: string;
  readonly maxBytes: number;
  /** Whether the run was aborted or the crawl is being closed; after that, the store is not used. */
  readonly isOver: () => boolean;
}

/** Yields the events in their order. A page that is not in the archive is queued again, to be fetched once more. */
export async function* replayEvents(options: ReplayOptions): AsyncGenerator<CrawlEvent> {
  const { store, isOver } = options;
  const last = store.marks.recorded;
  for (let number = store.marks.confirmed; number < last && !isOver();) {
    const events = store.urls.eventsAfter(number, EVENTS_A_READ);
    for (const placed of events) {
      if (placed.number > last) return;
      const event = await replay(placed, options);
      if (isOver()) return;
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
    const why = reason ?? "fetch-failed"; // each recorded reject has a reason
    return { number, about, outcome: reject({ id: url, url }, "acquire", why, detail) };
  }
  if (warcFile === undefined || warcOffset === undefined) return undefined;
  const path = join(warcDir, warcFile);
  if (!existsSync(path)) return undefined;
  const outcome = await readArchived({ path, offset: warcOffset, url, maxBytes });
  return outcome === undefined ? undefined : { number, about, outcome };
}

interface ArchivedPage {
  readonly path: string;
  readonly offset: number;
  readonly url: string;
  readonly maxBytes: number;
}

/** Reads the page of an archived answer, the same as when it was fetched; undefined if the archive no longer has it. */
async function readArchived(archived: ArchivedPage): Promise<Outcome<Page> | undefined> {
  const { path, offset, url, maxBytes } = archived;
  const chunks = createReadStream(path, { start: offset });
  const start = { offset, areDigestsProven: true };
  try {
    for await (const outcome of readWarc(chunks, { input: path, maxBytes, packing: "gzip", start }))
      return outcome.ok && outcome.value.url === url ? accept({ ...outcome.value, id: url }) : undefined;
    return undefined;
  } finally {
    chunks.destroy();
  }
}
