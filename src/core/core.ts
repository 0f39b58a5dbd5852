/**
 * Exports the core for programs as `thresher/core`: HTML or text in, a document out, on any platform. Neither this file
 * nor its imports read files, start processes or import modules of Node.js.
 */
import type { Page } from "../document.js";
import { checkValues, takeOptions } from "../options/option-rules.js";
import { accept, reject, UsageError, type Outcome } from "../outcome.js";
import {
  defaultsOf,
  LIMIT_ROWS,
  TEXT_ROWS,
  type PageLimits,
  type PageOptions,
} from "../options/page-options.js";
import { startClock } from "../time/time-limit.js";
import { toPlainRecord, type DocumentRecord } from "../write/document-record.js";
import { formatMarkdown } from "../write/markdown.js";
import { cleanRead, refuseLarge, type ReadPage } from "./clean-page.js";
import { fingerprint } from "./fingerprint.js";
import { toInputPage, type CleanInput, type Unpack } from "./input.js";
import type { Models } from "./models.js";
import { structureFor, takeMarkdownOptions, type MarkdownOptions } from "./shown-options.js";
import { openReader, readOrCrash, toReaderOptions, type PageReader } from "./read-page.js";

export { FOCUSES, type Focus } from "../label/labeller.js";
export type { Engine } from "../label/network/engine.js";
export { createPortableEngine } from "../label/network/portable/portable-engine.js";
export { REASONS, UsageError, type Outcome, type Reason, type Reject } from "../outcome.js";
export { VERSION } from "../version.js";
export type { DocumentRecord, LineRecord } from "../write/document-record.js";
export type { CleanInput } from "./input.js";
export type { MarkdownOptions } from "./shown-options.js";
export { CORE_LABELLERS, openModels, type ModelBytes, type Models, type ModelsByKind } from "./models.js";

type OwnOptions = Omit<PageOptions, ForeignName> & PageLimits;

/** Options that need folders or pipelines, or models that the core does not open. */
const FOREIGN = ["engine", "modelDir", "wants", "registers"] as const;
type ForeignName = (typeof FOREIGN)[number];

/** The options of `createThresher` that are about a single page, with the same defaults, and Markdown on request. */
export interface CoreOptions extends Partial<OwnOptions> {
  /** Asks for Markdown in each document. */
  readonly markdown?: MarkdownOptions;
}

/** The record of a document, as `createThresher` gives it. */
export interface CoreDocument extends DocumentRecord {
  /** Set if the option `markdown` is given. */
  readonly markdown?: string;
}

export interface Core {
  /** The same fingerprint means the same code, options and models, and so the same text, in Node.js as well. */
  readonly fingerprint: string;
  /**
   * Cleans one page. A page that cannot become text gives `ok: false` with a reason. Throws UsageError if the input is
   * not a page, or a model is missing or damaged. Reading is synchronous, and no timeout stops it, so read untrusted
   * pages in a worker.
   */
  clean(input: CleanInput): Promise<Outcome<CoreDocument>>;
}

type FullOptions = PageOptions & PageLimits;

const ROWS = { ...TEXT_ROWS, ...LIMIT_ROWS };
const OWN_ROWS = Object.fromEntries(
  Object.entries(ROWS).filter(([name]) => !(FOREIGN as readonly string[]).includes(name)),
) as unknown as Omit<typeof ROWS, ForeignName>; // the same rows without the foreign ones
const RULES = Object.fromEntries(Object.entries(ROWS).map(([name, { rule }]) => [name, rule]));

/**
 * Creates a core. This costs no more than loading the code that the options need, because the models stay open between
 * cores. Throws UsageError.
 */
export async function createCore(models: Models, given: CoreOptions = {}): Promise<Core> {
  if (typeof (models as Partial<Models> | undefined | null)?.choose !== "function")
    throw new UsageError("the models of createCore must come from openModels");
  const { markdown: wanted, ...rest } = takeOptions("createCore", given, { ...OWN_ROWS, markdown: true });
  const markdown = wanted === undefined ? undefined : takeMarkdownOptions(wanted);
  const options = resolveOptions(rest, markdown);
  const choice = models.choose(options);
  const name = fingerprint(options, choice.names);
  const read = await openReader(options.extractor, toReaderOptions(options));
  const tools = { ...options, choice, startLimit: startClock };
  let pages = 0;
  return {
    fingerprint: name,
    async clean(input) {
      pages += 1;
      const page = await toInputPage(input, pages, refusePacked);
      if (!page.ok) return page;
      const refused = refuseLarge(page.value, options);
      if (refused !== undefined) return refused;
      const { outcome, counts } = await cleanRead(page.value, readTimed(read, page.value), tools);
      if (!outcome.ok) return outcome;
      const record = toPlainRecord(outcome.value, { lines: "all", fingerprint: name }, counts?.words);
      return accept({ ...record, ...(markdown && { markdown: formatMarkdown(outcome.value, markdown) }) });
    },
  };
}

/** Rejects gzip, because no decompressor works on all platforms. */
const refusePacked: Unpack = (of, bytes) => {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return Promise.resolve(isGzip ? reject(of, "acquire", "binary", "gzip: unpack it first") : accept(bytes));
};

function readTimed(read: PageReader, page: Page): ReadPage {
  const begun = performance.now();
  const outcome = readOrCrash(read, page);
  return { outcome, ms: performance.now() - begun };
}

function resolveOptions(given: Partial<OwnOptions>, markdown: MarkdownOptions | undefined): FullOptions {
  const structure = structureFor(markdown === undefined ? [] : [markdown], given.structure);
  const options: FullOptions = { ...defaultsOf<FullOptions>(ROWS), ...given, ...structure };
  checkValues(options, RULES);
  return options;
}
