/** Joins the rooms into one stream: pages in, labelled documents and rejects out, in order and in bounded memory. */
import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import type { Document, LabelledLine, Page, PageContent } from "./document.js";
import { EXTRACTOR_NAMES, type ExtractorName } from "./extract/extractor.js";
import { FILTER_DEFAULTS, type FilterOptions } from "./filter/options.js";
import { openFilters, type DocumentFilters, type FilterRun } from "./filter/run.js";
import { openChoice, type LabellerChoice } from "./label/choice.js";
import { COMMENTS_OPTIONS, type CommentsOption } from "./label/comment-rule.js";
import { CONDITION_OPTIONS, type ConditionOption } from "./label/condition.js";
import { keepDocument } from "./label/keep.js";
import { labelDocument } from "./label/label-document.js";
import { FOCUSES, LABELLER_NAMES, READ_MARKUP, type Focus, type LabellerName } from "./label/labeller.js";
import { mapOrdered } from "./ordered.js";
import { accept, reject, UsageError, type Outcome } from "./outcome.js";
import { createGuard, type Guard } from "./shard/guard.js";
import { followSignal, type Stop } from "./stop.js";
import { VERSION } from "./version.js";

export interface PipelineOptions extends FilterOptions {
  readonly extractor: ExtractorName;
  /** Labels everything; when absent, `page` labels what came from HTML and `text` plain text. */
  readonly labeller?: LabellerName;
  /** Folder of another model, for the labeller that its kind names; the shipped ones when absent. */
  readonly modelDir?: string;
  readonly focus: Focus;
  /** P(content) from which a line is content; the focus decides when absent. */
  readonly threshold?: number;
  /** In what condition plain text is; the labeller tells by each text under `auto`. */
  readonly condition: ConditionOption;
  /** What becomes of the lines that a page marks as readers' comments. */
  readonly comments: CommentsOption;
  /** Pages that are read at the same time; with one worker, and for a first page, without a thread where that is safe. */
  readonly workers: number;
  /** Per page, where it is read in a thread. */
  readonly timeoutMs: number;
  /** Decoded bytes, per page. */
  readonly maxBytes: number;
  /** Whether a document without a content line comes out as a document; otherwise it is a reject. */
  readonly keepBoilerplate: boolean;
}

export const DEFAULTS: PipelineOptions = Object.freeze({
  extractor: "page",
  focus: "balanced",
  condition: "auto",
  comments: "auto",
  workers: availableParallelism(),
  timeoutMs: 10_000,
  maxBytes: 10_000_000,
  keepBoilerplate: false,
  ...FILTER_DEFAULTS,
});

/** What is told of an outcome besides itself. */
export interface Account {
  /** Time that the page itself took to be read, labelled and judged; 0 where there was no page. */
  readonly ms: number;
  /** Of a page that was labelled, whether its document stays or not. */
  readonly labelled?: Labelled;
  /** What another run has to know of a document that stays, in order to find its duplicates. */
  readonly entry?: string;
}

export interface Labelled {
  /** As the page states it, or as its text shows, where that was asked. */
  readonly lang: string | undefined;
  /** Lines with text, by the label that they got. */
  readonly contentLines: number;
  readonly boilerplateLines: number;
}

export interface RunOptions {
  /** The entries of all documents that an earlier run over the same input kept before these pages. */
  readonly recall?: AsyncIterable<string>;
  /** Called just before each outcome is handed over. */
  readonly onOutcome?: (account: Account) => void;
}

export interface Pipeline {
  /** Digest of code version, options that shape the text, and models: the same fingerprint means the same text. */
  readonly fingerprint: string;
  run(
    pages: AsyncIterable<Outcome<Page>>,
    signal: AbortSignal,
    options?: RunOptions,
  ): AsyncGenerator<Outcome<Document<LabelledLine>>>;
  /** Ends what still runs with an error. Closing again does nothing. */
  close(): Promise<void>;
}

/** Programs written in JavaScript have no compiler to tell them. */
function checkName(option: string, name: string, names: readonly string[]): void {
  if (!names.includes(name))
    throw new UsageError(`there is no ${option} "${name}"; there are ${names.join(", ")}`);
}

function checkNames({ extractor, labeller, focus, comments, condition }: PipelineOptions): void {
  checkName("extractor", extractor, EXTRACTOR_NAMES);
  if (labeller !== undefined) checkName("labeller", labeller, LABELLER_NAMES);
  checkName("focus", focus, FOCUSES);
  checkName("choice of comments", comments, COMMENTS_OPTIONS);
  checkName("condition", condition, CONDITION_OPTIONS);
}

const MAX_WORKERS = 1024;
/** Node's timers cannot hold more milliseconds. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

function checkNumbers({ workers, timeoutMs, maxBytes, threshold = 0 }: PipelineOptions): void {
  const check = (option: string, isRight: boolean, wanted: string): void => {
    if (!isRight) throw new UsageError(`${option} must be ${wanted}`);
  };
  check(
    "workers",
    Number.isInteger(workers) && workers >= 1 && workers <= MAX_WORKERS,
    `a whole number from 1 to ${MAX_WORKERS}`,
  );
  check("timeoutMs", timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS, `a number from 1 to ${MAX_TIMEOUT_MS}`);
  check("maxBytes", Number.isInteger(maxBytes) && maxBytes >= 1, "a whole number from 1 on");
  check("threshold", threshold >= 0 && threshold <= 1, "a number from 0 to 1");
}

/** Pages whose lines may wait, per worker, for a slow page before them. */
const AHEAD_PER_WORKER = 4;

/** Checks the options and loads a model that they name. Throws UsageError when something does not fit. */
export async function createPipeline(options: PipelineOptions): Promise<Pipeline> {
  checkNames(options);
  checkNumbers(options);
  const filters = await openFilters(options);
  const choice = await openLabellers(options);
  const guard = openGuard(options);
  const labelling = createTracker();

  async function* run(
    pages: AsyncIterable<Outcome<Page>>,
    signal: AbortSignal,
    { recall, onOutcome }: RunOptions,
  ): AsyncGenerator<Outcome<Document<LabelledLine>>> {
    const filter = filters.start();
    const read = (page: Outcome<Page>): Promise<Timed<Outcome<Document>>> =>
      readPage(page, { guard, signal, maxBytes: options.maxBytes });
    const judge = async ({ value, ms }: Timed<Outcome<Document>>): Promise<Judged> => {
      if (!value.ok) return { outcome: value, account: { ms } };
      const start = performance.now();
      const labelled = await labelling.track(labelDocument(value.value, choice, options.comments));
      const judged = judgeLabelled(labelled, filter, options);
      return { ...judged, account: { ...judged.account, ms: ms + performance.now() - start } };
    };
    try {
      if (recall !== undefined) for await (const entry of recall) filter.recall(entry);
      for await (const timed of mapOrdered(pages, options.workers * AHEAD_PER_WORKER, read, signal)) {
        signal.throwIfAborted();
        const { outcome, account } = await judge(timed);
        onOutcome?.(account);
        yield outcome;
      }
    } finally {
      filter.close();
    }
  }

  const running = new Set<Stop>();
  let closing: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    for (const stop of running) stop.abort(new UsageError("closed while it was at work"));
    await guard.close();
    await labelling.settled();
    await choice.close();
  };
  return {
    fingerprint: fingerprint(options, choice.names, filters),
    async *run(pages, signal, more = {}) {
      if (closing !== undefined) throw new UsageError("it is closed; make another one");
      const stop = followSignal(signal);
      running.add(stop);
      try {
        yield* run(pages, stop.signal, more);
      } finally {
        stop.release();
        running.delete(stop);
      }
    },
    close: () => (closing ??= closeAll()),
  };
}

function openGuard(options: PipelineOptions): Guard {
  const { labeller, keepBoilerplate } = options;
  const wantsMarkup = labeller !== undefined && READ_MARKUP.has(labeller);
  return createGuard({
    ...options,
    leftOut: keepBoilerplate ? "mark" : "drop",
    ...(wantsMarkup && { markup: "count" }),
  });
}

function openLabellers(options: PipelineOptions): Promise<LabellerChoice> {
  const { extractor, comments } = options;
  return openChoice({
    ...options,
    pages: extractor === "readability" ? "extracted" : "raw",
    mayAskText: comments === "keep" || comments === "only",
  });
}

interface Timed<T> {
  readonly value: T;
  readonly ms: number;
}

interface Judged {
  readonly outcome: Outcome<Document<LabelledLine>>;
  readonly account: Account;
}

interface PageTools extends Pick<PipelineOptions, "maxBytes"> {
  readonly guard: Guard;
  readonly signal: AbortSignal;
}

async function readPage(
  page: Outcome<Page>,
  { guard, signal, maxBytes }: PageTools,
): Promise<Timed<Outcome<Document>>> {
  if (!page.ok) return { value: page, ms: 0 };
  const size = sizeOf(page.value.content);
  if (size > maxBytes) return { value: reject(page.value, "acquire", "too-large", `${size} bytes`), ms: 0 };
  // What is only carried along need not travel to a thread and back.
  const { carried, ...bare } = page.value;
  let ms = 0;
  const read = await guard.run(bare, signal, (took) => (ms += took));
  return { value: read.ok && carried !== undefined ? accept({ ...read.value, carried }) : read, ms };
}

function judgeLabelled(
  labelled: Document<LabelledLine>,
  filter: FilterRun,
  options: PipelineOptions,
): Judged {
  const kept = keepDocument(labelled, options);
  const { outcome, lang, ...entry } = kept.ok
    ? filter.judge(kept.value)
    : { outcome: kept, lang: labelled.meta.lang };
  return { outcome, account: { ms: 0, labelled: { lang, ...countLabels(labelled) }, ...entry } };
}

function countLabels({ lines }: Document<LabelledLine>): Omit<Labelled, "lang"> {
  let contentLines = 0;
  let boilerplateLines = 0;
  for (const { label, text } of lines) {
    if (text.trim() === "") continue;
    if (label === "content") contentLines += 1;
    else boilerplateLines += 1;
  }
  return { contentLines, boilerplateLines };
}

/** Knows what is under way: the model's runtime must not be closed while it computes. */
function createTracker(): { track<T>(work: Promise<T>): Promise<T>; settled(): Promise<void> } {
  const open = new Set<Promise<unknown>>();
  return {
    async track(work) {
      open.add(work);
      try {
        return await work;
      } finally {
        open.delete(work);
      }
    },
    async settled() {
      await Promise.allSettled(open);
    },
  };
}

/** Bytes, or UTF-16 code units of what is already decoded: a bound is wanted, not a count. */
function sizeOf(content: PageContent): number {
  if (content.kind === "bytes") return content.bytes.byteLength;
  if (content.kind === "html") return content.html.length;
  if (content.kind === "text") return content.text.length;
  return content.lines.reduce((sum, line) => sum + line.length, 0);
}

function fingerprint(
  options: PipelineOptions,
  labellers: readonly string[],
  filters: DocumentFilters,
): string {
  const { extractor, labeller, condition, comments, focus, threshold, timeoutMs, maxBytes } = options;
  const parts = {
    version: VERSION,
    labeller,
    labellers,
    extractor,
    condition,
    comments,
    focus,
    threshold,
    timeoutMs,
    maxBytes,
    filters: filters.settings,
  };
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}
