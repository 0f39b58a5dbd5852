/** The events that an earlier run recorded and nobody confirmed, once more: rejects as they were, pages out of the archive. */
import { existsSync, createReadStream } from "node:fs";
import { join } from "node:path";
import { toAnsweredPage } from "../acquire/http/answer-page.js";
import type { Exchange } from "../acquire/http/transport.js";
import { readWarc } from "../acquire/warc/warc.js";
import type { Page } from "../document.js";
import { reject, accept, type Outcome } from "../outcome.js";
import type { Store } from "./state/store.js";
import type { Placed } from "./state/url-table.js";
import type { CrawlEvent } from "./types.js";

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

/* MERGED src/crawl/replay.ts: An answer of a server into the page that the pipeline reads, right after it came or out of the archive. */

/** The id of a page is its URL. */
export async function toOutcome(exchange: Exchange, maxBytes: number): Promise<Outcome<Page>> {
  const page = await toAnsweredPage(exchange, { id: exchange.url, maxBytes });
  // As an archive says it: what is made of the page is the same when it is cleaned again from there.
  const date = `${exchange.startedAt.toISOString().slice(0, 19)}Z`;
  return page.ok ? accept({ ...page.value, carried: { "WARC-Date": date } }) : page;
}

export interface ArchivedPage {
  readonly path: string;
  readonly offset: number;
  readonly url: string;
  readonly maxBytes: number;
}

/** What `toOutcome` made of an answer that was archived since; undefined where the archive does not have it any more. */
export async function readArchived(archived: ArchivedPage): Promise<Outcome<Page> | undefined> {
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
