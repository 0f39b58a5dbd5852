/** Cleans the pages of a crawl's events, and adds the number of the event and what the crawl knows of the URL. */
import type { Document, LabelledLine } from "../document.js";
import type { Outcome } from "../outcome.js";
import type { Account, Pipeline, TaggedPage } from "../pipeline.js";
import type { Crawl, CrawlEvent, CrawlOutcome } from "./types.js";

export interface CleanEvent {
  readonly number: number;
  readonly about: CrawlOutcome;
  readonly outcome: Outcome<Document<LabelledLine>>;
  readonly account: Account;
}

export interface CleanEventsOptions {
  /** The entries of documents that an earlier run kept, for finding duplicates. */
  readonly recall?: AsyncIterable<string>;
  /** Stops fetching. Pages that were fetched already are still cleaned, and the events end without an error. */
  readonly signal: AbortSignal;
}

/** Returns cleaned events in the order of their numbers. The caller confirms them. */
export async function* cleanEvents(
  crawl: Crawl,
  pipeline: Pipeline,
  { recall, signal }: CleanEventsOptions,
): AsyncGenerator<CleanEvent> {
  const pages = async function* (): AsyncGenerator<TaggedPage<Pick<CrawlEvent, "number" | "about">>> {
    for await (const { number, about, outcome } of crawl.run(signal))
      yield { page: outcome, tag: { number, about } };
  };
  const never = new AbortController().signal;
  const results = pipeline.run(pages(), never, recall === undefined ? {} : { recall });
  for await (const { outcome, account, tag } of results) yield { ...tag, outcome, account };
}

/** Whether cleaning rejected a page that the crawl had fetched. */
export function isCleanReject({ about, outcome }: CleanEvent): boolean {
  return !outcome.ok && about.result === "page";
}
