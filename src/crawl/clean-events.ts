/** The events of a crawl into clean documents and rejects, each with its number and what the crawl knows of the URL. */
import type { Document, LabelledLine, Page } from "../document.js";
import type { Outcome } from "../outcome.js";
import type { Account, Pipeline } from "../pipeline.js";
import type { Crawl, CrawlEvent, CrawlOutcome } from "./types.js";

export interface CleanEvent {
  readonly number: number;
  readonly about: CrawlOutcome;
  readonly outcome: Outcome<Document<LabelledLine>>;
  readonly account: Account;
}

export interface CleanEventsOptions {
  /** The traces of documents that an earlier run kept. */
  readonly recall?: AsyncIterable<string>;
  /** Ends the fetching; what is fetched already is still cleaned, and then the events end without an error. */
  readonly signal: AbortSignal;
}

/** In the order of their numbers. The caller confirms them. */
export async function* cleanEvents(
  crawl: Crawl,
  pipeline: Pipeline,
  { recall, signal }: CleanEventsOptions,
): AsyncGenerator<CleanEvent> {
  // Fetching runs ahead of what is cleaned, in the same order.
  const fetched: Pick<CrawlEvent, "number" | "about">[] = [];
  const pages = async function* (): AsyncGenerator<Outcome<Page>> {
    for await (const { number, about, outcome } of crawl.run(signal)) {
      fetched.push({ number, about });
      yield outcome;
    }
  };
  let account: Account = { ms: 0 };
  const never = new AbortController().signal;
  const outcomes = pipeline.run(pages(), never, {
    ...(recall === undefined ? {} : { recall }),
    onOutcome: (told) => (account = told),
  });
  for await (const outcome of outcomes) {
    const event = fetched.shift();
    if (event === undefined) throw new Error("the pipeline gave back more than it got");
    yield { ...event, outcome, account };
  }
}

/** Whether cleaning turned a page away that the crawl had fetched. */
export function isCleanReject({ about, outcome }: CleanEvent): boolean {
  return !outcome.ok && about.result === "page";
}
