/** Joins the rooms into one stream: pages in, labelled documents and rejects out, in order and in bounded memory. */
import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import type { Document, LabelledLine, Page, PageContent } from "./document.js";
import { EXTRACTOR_NAMES, type ExtractorName } from "./extract/extractor.js";
import { FILTER_DEFAULTS, type FilterOptions } from "./filter/options.js";
import { openFilters, type DocumentFilters } from "./filter/run.js";
import { openChoice } from "./label/choice.js";
import { COMMENTS_OPTIONS, type CommentsOption } from "./label/comment-rule.js";
import { CONDITION_OPTIONS, type ConditionOption } from "./label/condition.js";
import { keepDocument } from "./label/keep.js";
import { labelDocument } from "./label/label-document.js";
import { FOCUSES, LABELLER_NAMES, type Focus, type LabellerName } from "./label/labeller.js";
import { mapOrdered } from "./ordered.js";
import { accept, reject, UsageError, type Outcome } from "./outcome.js";
import { createGuard } from "./shard/guard.js";
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

export interface Pipeline {
  /** Digest of code version, options that shape the text, and models: the same fingerprint means the same text. */
  readonly fingerprint: string;
  run(
    pages: AsyncIterable<Outcome<Page>>,
    signal: AbortSignal,
  ): AsyncGenerator<Outcome<Document<LabelledLine>>>;
  /** Ends what still runs with an error. Closing again does nothing. */
  close(): Promise<void>;
}

/** Programs written in JavaScript have no compiler to tell them. */
function checkName(option: string, name: string, names: readonly string[]): void {
  if (!names.includes(name))
    throw new UsageError(`there is no ${option} "${name}"; there are ${names.join(", ")}`);
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
  const { extractor, labeller, focus, comments, keepBoilerplate } = options;
  checkName("extractor", extractor, EXTRACTOR_NAMES);
  if (labeller !== undefined) checkName("labeller", labeller, LABELLER_NAMES);
  checkName("focus", focus, FOCUSES);
  checkName("choice of comments", comments, COMMENTS_OPTIONS);
  checkName("condition", options.condition, CONDITION_OPTIONS);
  checkNumbers(options);
  const filters = await openFilters(options);
  const choice = await openChoice({
    ...options,
    pages: extractor === "readability" ? "extracted" : "raw",
    mayAskText: comments === "keep" || comments === "only",
  });
  const guard = createGuard({ ...options, leftOut: keepBoilerplate ? "mark" : "drop" });

  const labelling = createTracker();

  async function* run(
    pages: AsyncIterable<Outcome<Page>>,
    signal: AbortSignal,
  ): AsyncGenerator<Outcome<Document<LabelledLine>>> {
    const work = async (page: Outcome<Page>): Promise<Outcome<Document>> => {
      if (!page.ok) return page;
      const size = sizeOf(page.value.content);
      if (size > options.maxBytes) return reject(page.value, "acquire", "too-large", `${size} bytes`);
      // What is only carried along need not travel to a thread and back.
      const { carried, ...bare } = page.value;
      const read = await guard.run(bare, signal);
      return read.ok && carried !== undefined ? accept({ ...read.value, carried }) : read;
    };
    const filter = filters.start();
    try {
      for await (const outcome of mapOrdered(pages, options.workers * AHEAD_PER_WORKER, work, signal)) {
        signal.throwIfAborted();
        const labelled = outcome.ok
          ? keepDocument(await labelling.track(labelDocument(outcome.value, choice, comments)), options)
          : outcome;
        yield labelled.ok ? filter.judge(labelled.value) : labelled;
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
    async *run(pages, signal) {
      if (closing !== undefined) throw new UsageError("it is closed; make another one");
      const stop = followSignal(signal);
      running.add(stop);
      try {
        yield* run(pages, stop.signal);
      } finally {
        stop.release();
        running.delete(stop);
      }
    },
    close: () => (closing ??= closeAll()),
  };
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
