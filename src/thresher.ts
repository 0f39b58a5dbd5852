/** The library: one page, or any stream of pages, into clean text with its evidence. */
import { findForeign } from "./acquire/foreign.js";
import { openInputs as openSource, type InputOptions, type InputSource } from "./acquire/inputs.js";
import { chooseFormat } from "./acquire/kind.js";
import { toPage } from "./acquire/page-bytes.js";
import type { Page, PageContent } from "./document.js";
import { accept, reject, UsageError, type Outcome } from "./outcome.js";
import { createPipeline, DEFAULTS, type PipelineOptions } from "./pipeline.js";
import { VERSION } from "./version.js";
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
  /** Stops the workers; what still runs throws a UsageError. Closing again does nothing. */
  close(): Promise<void>;
}

/** What the command reads, with its defaults: URLs, files, directories, globs; `-` where `stdin` is given. */
export function openInputs(inputs: readonly string[], options: Partial<InputOptions> = {}): InputSource {
  const { maxBytes, timeoutMs } = DEFAULTS;
  return openSource(inputs, { maxBytes, timeoutMs, version: VERSION, ...options });
}

/** Loads the model and starts the workers. Throws UsageError when an option or the model does not fit. */
export async function createThresher(options: CleanOptions = {}): Promise<Thresher> {
  // In JavaScript an option that is undefined is one that was left out.
  const given = Object.fromEntries(
    Object.entries<unknown>(options).filter(([, value]) => value !== undefined),
  );
  const pipeline = await createPipeline({ ...DEFAULTS, ...given });
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
    else yield toOutcome(input, { id: input.id ?? input.url ?? String(number), url: input.url ?? "" });
  }
}

/** Programs written in JavaScript hand in anything, so every field is looked at. */
type Unchecked = Readonly<Partial<Record<"html" | "lines" | "text" | "bytes" | "contentType", unknown>>>;

function toOutcome(
  { html, lines, text, bytes, contentType }: Unchecked,
  of: { readonly id: string; readonly url: string },
): Outcome<Page> {
  const page = (content: PageContent): Outcome<Page> => accept({ ...of, content });
  if (typeof html === "string") {
    const foreign = findForeign(html);
    return foreign === undefined
      ? page({ kind: "html", html })
      : reject(of, "acquire", "not-a-page", foreign);
  }
  if (isStrings(lines)) return page({ kind: "lines", lines });
  if (typeof text === "string") return page({ kind: "text", text });
  if (!(bytes instanceof Uint8Array))
    throw new UsageError("a page must have html, text, lines (an array of strings) or bytes (a Uint8Array)");
  const type = typeof contentType === "string" ? contentType : undefined;
  const format = chooseFormat(bytes, type);
  // How many bytes there may be is for the pipeline to say.
  return toPage({ ...of, format, ...(type === undefined ? {} : { contentType: type }) }, bytes, Infinity);
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
