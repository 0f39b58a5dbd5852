/** The library: one page, or any stream of pages, into clean text with its evidence. */
import type { Page, PageContent } from "./document.js";
import type { Outcome } from "./outcome.js";
import { accept } from "./outcome.js";
import { createPipeline, DEFAULTS, type PipelineOptions } from "./pipeline.js";
import { toRecord, type DocumentRecord } from "./write/record.js";

/** Any subset of the options of the command; the rest takes the same defaults. */
export type CleanOptions = Partial<PipelineOptions>;

interface Named {
  readonly id?: string;
  readonly url?: string;
}

/** One page: HTML or text that is already decoded, lines that are already split, or bytes with what is known of them. */
export type CleanInput = Named &
  (
    | { readonly html: string }
    | { readonly text: string }
    | { readonly lines: readonly string[] }
    | { readonly bytes: Uint8Array; readonly contentType?: string }
  );

export interface Thresher {
  readonly fingerprint: string;
  /** Cleans one page. `lines` of the record lists every line with label, score, grade and reason. */
  clean(input: CleanInput, signal?: AbortSignal): Promise<Outcome<DocumentRecord>>;
  /** Cleans a stream in order and in bounded memory: inputs, pages of a `Source`, or rejects, which pass through. */
  cleanAll(
    inputs: AsyncIterable<CleanInput | Page | Outcome<Page>>,
    signal?: AbortSignal,
  ): AsyncGenerator<Outcome<DocumentRecord>>;
  close(): Promise<void>;
}

/** Loads the model and starts the workers. Throws UsageError when an option or the model does not fit. */
export async function createThresher(options: CleanOptions = {}): Promise<Thresher> {
  const pipeline = await createPipeline({ ...DEFAULTS, ...options });
  const { fingerprint } = pipeline;

  async function* cleanAll(
    inputs: AsyncIterable<CleanInput | Page | Outcome<Page>>,
    signal: AbortSignal = new AbortController().signal,
  ): AsyncGenerator<Outcome<DocumentRecord>> {
    for await (const outcome of pipeline.run(toPages(inputs), signal)) {
      yield outcome.ok ? accept(toRecord(outcome.value, { lines: "all", fingerprint })) : outcome;
    }
  }

  return {
    fingerprint,
    cleanAll,
    async clean(input, signal) {
      for await (const outcome of cleanAll(once(input), signal)) return outcome;
      throw new Error("the pipeline gave nothing back for a page");
    },
    close: () => pipeline.close(),
  };
}

// eslint-disable-next-line @typescript-eslint/require-await -- an async iterable of one value
async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}

async function* toPages(
  inputs: AsyncIterable<CleanInput | Page | Outcome<Page>>,
): AsyncGenerator<Outcome<Page>> {
  let number = 0;
  for await (const input of inputs) {
    number += 1;
    if ("ok" in input) yield input;
    else if ("content" in input) yield accept(input);
    else
      yield accept({
        id: input.id ?? input.url ?? String(number),
        url: input.url ?? "",
        content: toContent(input),
      });
  }
}

function toContent(input: CleanInput): PageContent {
  if ("html" in input) return { kind: "html", html: input.html };
  if ("text" in input) return { kind: "text", text: input.text };
  if ("lines" in input) return { kind: "lines", lines: input.lines };
  const { bytes, contentType } = input;
  return { kind: "bytes", bytes, ...(contentType === undefined ? {} : { contentType }) };
}
