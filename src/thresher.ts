/** Offers the library: it turns one page, or any stream of pages, into clean text with its evidence. */
import { openInputs as openSource, type InputOptions, type InputSource } from "./acquire/inputs.js";
import { unpackBytes } from "./acquire/packed/unpack.js";
import { NO_PAGE, toInputPage, type CleanInput } from "./core/input.js";
import {
  structureFor,
  takeHtmlOptions,
  takeMarkdownOptions,
  type HtmlOptions,
  type MarkdownOptions,
} from "./core/shown-options.js";
import type { Document, LabelledLine, Page, ReadContent } from "./document.js";
import { isStrings, toFields } from "./json.js";
import { DEFAULTS, takeInputOptions, type CleanOptions } from "./options/options.js";
import { accept, UsageError, type Outcome } from "./outcome.js";
import { createPipeline, type TaggedPage } from "./pipeline.js";
import { VERSION } from "./version.js";
import { toPlainRecord, type DocumentRecord } from "./write/document-record.js";
import { formatHtml } from "./write/html.js";
import { formatMarkdown } from "./write/markdown.js";

/** What `cleanAll` takes: inputs, pages of a `Source`, or its rejects, which pass through. */
export type CleanSource = CleanInput | Page | Outcome<Page>;

/** The options of cleaning, and what each record should hold besides. */
export type ThresherOptions = CleanOptions & {
  readonly markdown?: MarkdownOptions;
  readonly html?: HtmlOptions;
};

/** A document as the library returns it. */
export interface CleanedDocument extends DocumentRecord {
  /** The document once more, where that was asked for. */
  readonly markdown?: string;
  readonly html?: string;
}

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
  clean(input: CleanInput, signal?: AbortSignal): Promise<Outcome<CleanedDocument>>;
  /**
   * Cleans a stream: one outcome for each page, in order, read ahead only as far as the workers need. Throws as `clean`
   * does, and what the stream throws.
   */
  cleanAll(
    inputs: AsyncIterable<CleanSource> | Iterable<CleanSource>,
    signal?: AbortSignal,
  ): AsyncGenerator<Outcome<CleanedDocument>>;
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
export async function createThresher(given: ThresherOptions = {}): Promise<Thresher> {
  const { options, write } = takeWritten(given);
  const pipeline = await createPipeline(options);
  const { fingerprint } = pipeline;
  const { maxBytes = DEFAULTS.maxBytes } = options;

  async function* cleanAll(
    inputs: AsyncIterable<CleanSource> | Iterable<CleanSource>,
    signal: AbortSignal = new AbortController().signal,
  ): AsyncGenerator<Outcome<CleanedDocument>> {
    checkSignal(signal);
    for await (const { outcome, account } of pipeline.run(toPages(inputs, maxBytes), signal)) {
      const words = account.labelled?.words;
      if (!outcome.ok) yield outcome;
      else {
        const record = toPlainRecord(outcome.value, { lines: "all", fingerprint }, words);
        yield accept({ ...record, ...write(outcome.value) });
      }
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

interface Written {
  readonly options: CleanOptions;
  readonly write: (doc: Document<LabelledLine>) => Pick<CleanedDocument, "markdown" | "html">;
}

/** Parts how documents are cleaned from how they are written. */
function takeWritten(given: ThresherOptions): Written {
  // What is no object is refused where options are checked.
  const isObject = typeof given === "object" && (given as unknown) !== null && !Array.isArray(given);
  if (!isObject) return { options: given, write: () => ({}) };
  const { markdown, html, ...rest } = given;
  const asMarkdown = markdown === undefined ? undefined : takeMarkdownOptions(markdown);
  const asHtml = html === undefined ? undefined : takeHtmlOptions(html);
  const written = [asMarkdown, asHtml].filter((one) => one !== undefined);
  return {
    options: { ...rest, ...structureFor(written, rest.structure) },
    write: (doc) => ({
      ...(asMarkdown && { markdown: formatMarkdown(doc, asMarkdown) }),
      ...(asHtml && { html: formatHtml(doc, { links: "drop", ...asHtml }) }),
    }),
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
  if (isOutcome(input)) return input;
  if (isPage(input)) return accept(input);
  return toInputPage(input, number, (of, bytes) => unpackBytes(of, bytes, maxBytes));
}

function isIterable(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value)
  );
}

/** As a `Source` gives it. The answer of a `fetch` has the field `ok`, too. */
function isOutcome(input: CleanSource): input is Outcome<Page> {
  if (!("ok" in input)) return false;
  const { ok, value, reason } = input as {
    readonly ok: unknown;
    readonly value?: unknown;
    readonly reason?: unknown;
  };
  return ok === true
    ? typeof value === "object" && value !== null && isPage(value as CleanInput | Page)
    : ok === false && typeof reason === "string";
}

/** As a `Source` gives it. The field alone says nothing: it is the text in the records of many a corpus. */
function isPage(input: CleanInput | Page): input is Page {
  if (!("content" in input) || typeof input.id !== "string" || typeof input.url !== "string") return false;
  const content = toFields(input.content);
  const { kind } = content;
  return typeof kind === "string" && Object.hasOwn(IS_OF, kind) && IS_OF[kind as OwnKind](content[kind]);
}

/** `openInputs` has records of JSON Lines read before it hands them over. */
type OwnKind = ReadContent["kind"];

/** What each kind of content has in the field of its name. */
const IS_OF: Readonly<Record<OwnKind, (value: unknown) => boolean>> = {
  bytes: (value) => value instanceof Uint8Array,
  html: (value) => typeof value === "string",
  text: (value) => typeof value === "string",
  lines: isStrings,
  scored: (value) => Array.isArray(toFields(value)["lines"]),
};
