/**
 * Implements the library interface: cleans one page, or a stream of pages, into text with a label and score for each
 * line.
 */
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

/** What `cleanAll` accepts: inputs, pages of a `Source`, or its rejects, which are passed through. */
export type CleanSource = CleanInput | Page | Outcome<Page>;

/** The cleaning options, and the extra formats that each record should contain. */
export type ThresherOptions = CleanOptions & {
  readonly markdown?: MarkdownOptions;
  readonly html?: HtmlOptions;
};

/** A document as the library returns it. */
export interface CleanedDocument extends DocumentRecord {
  /** The document as Markdown and as HTML, if requested. */
  readonly markdown?: string;
  readonly html?: string;
}

/** A cleaner with loaded options and models. Calls may run concurrently. */
export interface Thresher {
  /** Equal fingerprints mean the same code, options and models, and so the same text. */
  readonly fingerprint: string;
  /**
   * Cleans one page. A page that cannot become text is also an outcome (`ok: false`, with a reason). The record's
   * `lines` lists every labelled line with label, score, grade and reason; lines that the extractor dropped are
   * included only with `keepBoilerplate`. Throws the signal's reason when it aborts, and UsageError for an input that
   * is not a page and after `close`. Duplicate filters see one page at a time here; use `cleanAll` for them.
   */
  clean(input: CleanInput, signal?: AbortSignal): Promise<Outcome<CleanedDocument>>;
  /**
   * Cleans a stream: yields one outcome for each page, in order, and reads ahead only as far as the workers need.
   * Throws like `clean`, and rethrows errors of the stream.
   */
  cleanAll(
    inputs: AsyncIterable<CleanSource> | Iterable<CleanSource>,
    signal?: AbortSignal,
  ): AsyncGenerator<Outcome<CleanedDocument>>;
  /** Stops the workers; calls that are still running throw a UsageError. Closing again does nothing. */
  close(): Promise<void>;
}

/**
 * Opens inputs like the command line, with its defaults: URLs, files, directories, globs, and `-` if `stdin` is given.
 * Reads nothing yet. Throws UsageError for an invalid option.
 */
export function openInputs(inputs: readonly string[], options: Partial<InputOptions> = {}): InputSource {
  if (!isStrings(inputs)) throw new UsageError("openInputs takes an array of strings");
  const given = takeInputOptions("openInputs", options);
  const { maxBytes = DEFAULTS.maxBytes, timeoutMs = DEFAULTS.timeoutMs } = given;
  return openSource(inputs, { version: VERSION, ...given, maxBytes, timeoutMs });
}

/**
 * Creates a thresher. Loads the model that the options name; other models are loaded when they are first needed. Throws
 * UsageError for an invalid option or model.
 */
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
      throw new Error("the pipeline returned nothing for a page");
    },
    close: () => pipeline.close(),
  };
}

interface Written {
  readonly options: CleanOptions;
  readonly write: (doc: Document<LabelledLine>) => Pick<CleanedDocument, "markdown" | "html">;
}

/** Separates the cleaning options from the Markdown and HTML options. */
function takeWritten(given: ThresherOptions): Written {
  // `createPipeline` refuses options that are not an object.
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

/** Checked at run time because JavaScript callers may pass the controller, or an options object. */
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

/** Checks for an `Outcome` of a `Source`. A `fetch` response has a field `ok`, too. */
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

/**
 * Checks for a `Page` of a `Source`. A field `content` alone proves nothing: the records of many corpora hold their
 * text in it.
 */
function isPage(input: CleanInput | Page): input is Page {
  if (!("content" in input) || typeof input.id !== "string" || typeof input.url !== "string") return false;
  const content = toFields(input.content);
  const { kind } = content;
  return typeof kind === "string" && Object.hasOwn(IS_OF, kind) && IS_OF[kind as OwnKind](content[kind]);
}

/** Excludes unread records: `openInputs` parses records of JSON Lines before it returns them. */
type OwnKind = ReadContent["kind"];

/** For each kind of content, checks the type of the field named after the kind. */
const IS_OF: Readonly<Record<OwnKind, (value: unknown) => boolean>> = {
  bytes: (value) => value instanceof Uint8Array,
  html: (value) => typeof value === "string",
  text: (value) => typeof value === "string",
  lines: isStrings,
  scored: (value) => Array.isArray(toFields(value)["lines"]),
};
