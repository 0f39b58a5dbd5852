/** Offers the library: it turns one page, or any stream of pages, into clean text with its evidence. */
import { findForeign } from "./acquire/foreign.js";
import { openInputs as openSource, type InputOptions, type InputSource } from "./acquire/inputs.js";
import { chooseFormat } from "./acquire/kind.js";
import { toPage } from "./acquire/page-bytes.js";
import { unpackBytes } from "./acquire/packed/unpack.js";
import type { Page, PageContent } from "./document.js";
import { DEFAULTS, takeInputOptions, type CleanOptions } from "./options.js";
import { accept, reject, UsageError, type Outcome } from "./outcome.js";
import { createPipeline, type TaggedPage } from "./pipeline.js";
import { VERSION } from "./version.js";
import { toPlainRecord, type DocumentRecord } from "./write/document-record.js";

interface Named {
  /** Names the page in every output. Default: its URL, else its number in the stream, from 1 on. */
  readonly id?: string;
  /** Where the page is from; nothing is fetched. Default "". */
  readonly url?: string;
}

/**
 * One page: HTML or text that is already decoded, lines that are already split (they stay one to one), or bytes with
 * what is known of them. Where a value has several of these, the first one in this order counts: html, lines, text, bytes.
 */
export type CleanInput = Named &
  (
    | { readonly html: string }
    | { readonly text: string }
    | { readonly lines: readonly string[] }
    | { readonly bytes: Uint8Array; readonly contentType?: string }
  );

/** What `cleanAll` takes: inputs, pages of a `Source`, or its rejects, which pass through. */
export type CleanSource = CleanInput | Page | Outcome<Page>;

/** Any number of pages may be asked for at the same time. */
export interface Thresher {
  /** The same fingerprint means the same code, options and models, and so the same text. */
  readonly fingerprint: string;
  /**
   * Cleans one page. What cannot become text is an outcome, too (`ok: false`, with a reason). `lines` of the record lists
   * every line that was labelled, with label, score, grade and reason; those that an extractor left out are only among
   * them under `keepBoilerplate`. Throws the signal's reason when it aborts, and UsageError for what is no page and after
   * `close`. Filters of duplicates see one page at a time: for them there is `cleanAll`.
   */
  clean(input: CleanInput, signal?: AbortSignal): Promise<Outcome<DocumentRecord>>;
  /**
   * Cleans a stream: one outcome for each page, in order, read ahead only as far as the workers need. Throws as `clean`
   * does, and what the stream throws.
   */
  cleanAll(
    inputs: AsyncIterable<CleanSource> | Iterable<CleanSource>,
    signal?: AbortSignal,
  ): AsyncGenerator<Outcome<DocumentRecord>>;
  /** Stops the workers; what still runs throws a UsageError. Closing again does nothing. */
  close(): Promise<void>;
}

/**
 * What the command reads, with its defaults: URLs, files, directories, globs; `-` where `stdin` is given. Opens nothing
 * yet. Throws UsageError where an option makes no sense.
 */
export function openInputs(inputs: readonly string[], options: Partial<InputOptions> = {}): InputSource {
  if (!isStrings(inputs)) throw new UsageError("openInputs takes an array of strings");
  const given = takeInputOptions("openInputs", options);
  const { maxBytes = DEFAULTS.maxBytes, timeoutMs = DEFAULTS.timeoutMs } = given;
  return openSource(inputs, { version: VERSION, ...given, maxBytes, timeoutMs });
}

/** Loads a model that is named; the others are loaded when they are needed. Throws UsageError when an option or the model does not fit. */
export async function createThresher(options: CleanOptions = {}): Promise<Thresher> {
  const pipeline = await createPipeline(options);
  const { fingerprint } = pipeline;
  const { maxBytes = DEFAULTS.maxBytes } = options;

  async function* cleanAll(
    inputs: AsyncIterable<CleanSource> | Iterable<CleanSource>,
    signal: AbortSignal = new AbortController().signal,
  ): AsyncGenerator<Outcome<DocumentRecord>> {
    checkSignal(signal);
    for await (const { outcome, account } of pipeline.run(toPages(inputs, maxBytes), signal)) {
      const words = account.labelled?.words;
      yield outcome.ok ? accept(toPlainRecord(outcome.value, { lines: "all", fingerprint }, words)) : outcome;
    }
  }

  return {
    fingerprint,
    cleanAll,
    async clean(input, signal) {
      for await (const outcome of cleanAll([input], signal)) return outcome;
      throw new Error("the pipeline gave nothing back for a page");
    },
    close: () => pipeline.close(),
  };
}

/** Programs written in JavaScript pass the controller, or options. */
function checkSignal(signal: unknown): void {
  if (!(signal instanceof AbortSignal)) throw new UsageError("the signal must be an AbortSignal");
}

async function* toPages(
  inputs: AsyncIterable<CleanSource> | Iterable<CleanSource>,
  maxBytes: number,
): AsyncGenerator<TaggedPage<undefined>> {
  if (!isIterable(inputs)) throw new UsageError("cleanAll takes an iterable or async iterable of pages");
  let number = 0;
  for await (const input of inputs) {
    number += 1;
    yield { page: await toPageOutcome(input, number, maxBytes), tag: undefined };
  }
}

async function toPageOutcome(input: CleanSource, number: number, maxBytes: number): Promise<Outcome<Page>> {
  if (typeof input !== "object" || (input as unknown) === null) throw new UsageError(NO_PAGE);
  if ("ok" in input) return input;
  if (isPage(input)) return accept(input);
  const { id, url } = checkNames(input);
  return toOutcome(input, { id: id ?? url ?? String(number), url: url ?? "" }, maxBytes);
}

function isIterable(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value)
  );
}

const KINDS: readonly PageContent["kind"][] = ["bytes", "html", "text", "lines", "scored"];

/** As a `Source` gives it. The field alone says nothing: it is the text in the records of many a corpus. */
function isPage(input: CleanInput | Page): input is Page {
  if (!("content" in input)) return false;
  const { kind } = input.content as Partial<PageContent>; // whatever a program hands in, a string has no kind either
  return kind !== undefined && KINDS.includes(kind);
}

function checkNames({ id, url }: Named): Named {
  for (const [name, value] of Object.entries({ id, url }))
    if (value !== undefined && typeof value !== "string")
      throw new UsageError(`the ${name} of a page must be a string`);
  return { ...(id === undefined ? {} : { id }), ...(url === undefined ? {} : { url }) };
}

const NO_PAGE =
  "a page must be an object with html, text, lines (an array of strings) or bytes (a Uint8Array)";

/** Programs written in JavaScript hand in anything, so every field is looked at. */
type Unchecked = Readonly<Partial<Record<"html" | "lines" | "text" | "bytes" | "contentType", unknown>>>;

async function toOutcome(
  { html, lines, text, bytes, contentType }: Unchecked,
  of: { readonly id: string; readonly url: string },
  maxBytes: number,
): Promise<Outcome<Page>> {
  const page = (content: PageContent): Outcome<Page> => accept({ ...of, content });
  if (typeof html === "string") {
    const foreign = findForeign(html);
    return foreign === undefined
      ? page({ kind: "html", html })
      : reject(of, "acquire", "not-a-page", foreign);
  }
  if (isStrings(lines)) return page({ kind: "lines", lines });
  if (typeof text === "string") return page({ kind: "text", text });
  if (!(bytes instanceof Uint8Array)) throw new UsageError(NO_PAGE);
  const type = typeof contentType === "string" ? contentType : undefined;
  const unpacked = await unpackBytes(of, bytes, maxBytes);
  if (!unpacked.ok) return unpacked;
  const plain = unpacked.value;
  const format = chooseFormat(plain, type);
  // How many bytes there may be of what is not packed is for the pipeline to say.
  return toPage({ ...of, format, ...(type === undefined ? {} : { contentType: type }) }, plain, Infinity);
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
