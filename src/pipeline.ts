/** Joins the rooms into one stream: pages in, labelled documents and rejects out, in order and in bounded memory. */
import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import type { Document, LabelledLine, Page, PageContent } from "./document.js";
import { EXTRACTOR_NAMES, type ExtractorName } from "./extract/extractor.js";
import { FOCUSES, type Focus, type Labeller } from "./label/labeller.js";
import { labellers, type LabellerName } from "./label/registry.js";
import { mapOrdered } from "./ordered.js";
import { accept, reject, UsageError, type Outcome } from "./outcome.js";
import { createGuard } from "./shard/guard.js";
import { followSignal, type Stop } from "./stop.js";
import { VERSION } from "./version.js";

export interface PipelineOptions {
  readonly extractor: ExtractorName;
  readonly labeller: LabellerName;
  /** Folder of another model for the labeller; the shipped one when absent. */
  readonly modelDir?: string;
  readonly focus: Focus;
  /** P(content) from which a line is content; the focus decides when absent. */
  readonly threshold?: number;
  /** Worker threads. */
  readonly workers: number;
  /** Per page. */
  readonly timeoutMs: number;
  /** Decoded bytes, per page. */
  readonly maxBytes: number;
  /** Whether a document without a content line comes out as a document; otherwise it is a reject. */
  readonly keepBoilerplate: boolean;
}

export const DEFAULTS: PipelineOptions = Object.freeze({
  extractor: "readability",
  labeller: "text",
  focus: "balanced",
  workers: availableParallelism(),
  timeoutMs: 10_000,
  maxBytes: 10_000_000,
  keepBoilerplate: false,
});

export interface Pipeline {
  /** Digest of code version, options that shape the text, and model: the same fingerprint means the same text. */
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

/** Loads the model and starts the workers. Throws UsageError when the model does not fit. */
export async function createPipeline(options: PipelineOptions): Promise<Pipeline> {
  checkName("extractor", options.extractor, EXTRACTOR_NAMES);
  checkName("labeller", options.labeller, Object.keys(labellers));
  checkName("focus", options.focus, FOCUSES);
  checkNumbers(options);
  const { focus, threshold, modelDir } = options;
  const labeller = await labellers[options.labeller]({
    focus,
    ...(threshold === undefined ? {} : { threshold }),
    ...(modelDir === undefined ? {} : { modelDir }),
  });
  const guard = createGuard({ ...options, leftOut: options.keepBoilerplate ? "mark" : "drop" });

  const labelling = createTracker();

  async function* run(
    pages: AsyncIterable<Outcome<Page>>,
    signal: AbortSignal,
  ): AsyncGenerator<Outcome<Document<LabelledLine>>> {
    const work = async (page: Outcome<Page>): Promise<Outcome<Document>> => {
      if (!page.ok) return page;
      const size = sizeOf(page.value.content);
      if (size > options.maxBytes) return reject(page.value, "acquire", "too-large", `${size} bytes`);
      return guard.run(page.value, signal);
    };
    for await (const outcome of mapOrdered(pages, options.workers * AHEAD_PER_WORKER, work, signal)) {
      signal.throwIfAborted();
      yield outcome.ok ? await labelling.track(labelDocument(outcome.value, labeller, options)) : outcome;
    }
  }

  const running = new Set<Stop>();
  let closing: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    for (const stop of running) stop.abort(new UsageError("closed while it was at work"));
    await guard.close();
    await labelling.settled();
    await labeller.close();
  };
  return {
    fingerprint: fingerprint(options, labeller),
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

async function labelDocument(
  document: Document,
  labeller: Labeller,
  options: PipelineOptions,
): Promise<Outcome<Document<LabelledLine>>> {
  const labelled = await labelTaken(document, labeller);
  const isKept = options.keepBoilerplate || labelled.lines.some((line) => line.label === "content");
  if (isKept) return accept(labelled);
  return reject(document, "label", "no-content", `${document.lines.length} lines, all boilerplate`);
}

/**
 * Labels what the extractor took, as if the rest were not there, so that the text is the same with and without the
 * rest. A line that it left out is boilerplate by its word, with the score that it has among all lines.
 */
async function labelTaken(document: Document, labeller: Labeller): Promise<Document<LabelledLine>> {
  const taken = document.lines.filter((line) => line.leftOutBy === undefined);
  if (taken.length === document.lines.length) return labelOne(document, labeller);
  const labelled = await labelOne({ ...document, lines: taken }, labeller);
  const all = await labelOne(document, labeller);
  let next = 0;
  const lines = all.lines.map((line): LabelledLine => {
    if (line.leftOutBy !== undefined) return { ...line, label: "boilerplate", why: line.leftOutBy };
    next += 1;
    return labelled.lines[next - 1] ?? line;
  });
  return { ...document, lines };
}

async function labelOne(document: Document, labeller: Labeller): Promise<Document<LabelledLine>> {
  const [labelled] = await labeller.label([document]);
  if (labelled === undefined)
    throw new Error(`labeller ${labeller.name} gave no document back for ${document.id}`);
  return labelled;
}

function fingerprint(options: PipelineOptions, labeller: Labeller): string {
  const { extractor, focus, threshold, timeoutMs, maxBytes } = options;
  const parts = {
    version: VERSION,
    labeller: labeller.name,
    extractor,
    focus,
    threshold,
    timeoutMs,
    maxBytes,
  };
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}
