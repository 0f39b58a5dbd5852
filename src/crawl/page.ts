/** An answer of a server into the page that the pipeline reads, right after it came or out of the archive. */
import { createReadStream } from "node:fs";
import { toAnsweredPage } from "../acquire/answer-page.js";
import type { Exchange } from "../acquire/transport.js";
import { readWarc } from "../acquire/warc.js";
import type { Page } from "../document.js";
import { accept, type Outcome } from "../outcome.js";

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
