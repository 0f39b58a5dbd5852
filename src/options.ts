/** What a caller says of cleaning into all options of the pipeline, each of which makes sense. */
import { availableParallelism } from "node:os";
import type { InputOptions } from "./acquire/inputs.js";
import { INPUT_KINDS } from "./acquire/kind.js";
import { EXTRACTOR_NAMES } from "./extract/registry.js";
import { FILTER_DEFAULTS, type FilterOptions } from "./filter/options.js";
import { COMMENTS_OPTIONS } from "./label/comments.js";
import { CONDITION_OPTIONS } from "./label/text/condition.js";
import { FOCUSES } from "./label/labeller.js";
import { LABELLER_NAMES } from "./label/registry.js";
import { UsageError } from "./outcome.js";
import type { CleanerOptions } from "./work/cleaner.js";

export interface PipelineOptions extends FilterOptions, Omit<CleanerOptions, "form"> {
  /** Processes that clean pages beside this one; with one worker, and until the first of them runs, this one does it. */
  readonly workers: number;
  /** Decoded bytes, per page. */
  readonly maxBytes: number;
}

/**
 * Any subset of the options of the command; the rest takes the same defaults: extractor `page`, the labeller that is made
 * for what a document is, focus `balanced`, condition and comments `auto`, as many workers as there are cores, 10 s and
 * 10 MB a page, no filters, and a reject where nothing is content. `undefined` is one that was left out.
 */
export type CleanOptions = Partial<PipelineOptions>;

export const DEFAULTS: PipelineOptions = Object.freeze({
  extractor: "page",
  focus: "balanced",
  condition: "auto",
  comments: "auto",
  workers: availableParallelism(),
  timeoutMs: 10_000,
  maxBytes: 10_000_000,
  keepBoilerplate: false,
  wants: "lines",
  ...FILTER_DEFAULTS,
});

const MAX_WORKERS = 1024;
/** Node's timers cannot hold more milliseconds. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

interface Rule {
  readonly isRight: (value: unknown) => boolean;
  readonly wanted: string;
}

const TIMEOUT: Rule = {
  isRight: (value) => isBetween(value, 1, MAX_TIMEOUT_MS),
  wanted: `a number from 1 to ${MAX_TIMEOUT_MS}`,
};
const BYTES: Rule = {
  isRight: (value) => Number.isInteger(value) && isBetween(value, 1, Infinity),
  wanted: "a whole number from 1 on",
};

const INPUT_RULES: Readonly<Record<string, Rule>> = {
  from: oneOf(INPUT_KINDS),
  maxBytes: BYTES,
  timeoutMs: TIMEOUT,
};

const CLEANER_RULES: Readonly<Record<Exclude<keyof PipelineOptions, keyof FilterOptions>, Rule>> = {
  extractor: oneOf(EXTRACTOR_NAMES),
  labeller: oneOf(LABELLER_NAMES),
  modelDir: { isRight: (value) => typeof value === "string" && value !== "", wanted: "the path of a folder" },
  focus: oneOf(FOCUSES),
  threshold: { isRight: (value) => isBetween(value, 0, 1), wanted: "a number from 0 to 1" },
  condition: oneOf(CONDITION_OPTIONS),
  comments: oneOf(COMMENTS_OPTIONS),
  keepBoilerplate: { isRight: (value) => typeof value === "boolean", wanted: "true or false" },
  wants: oneOf(["lines", "text"]),
  timeoutMs: TIMEOUT,
  workers: {
    isRight: (value) => Number.isInteger(value) && isBetween(value, 1, MAX_WORKERS),
    wanted: `a whole number from 1 to ${MAX_WORKERS}`,
  },
  maxBytes: BYTES,
};

/** `filter/` checks what it is told itself. */
const FILTER_OPTIONS: Readonly<Record<keyof FilterOptions, true>> = {
  preset: true,
  filters: true,
  languages: true,
  language: true,
  dedup: true,
  dedupLines: true,
  dedupMemoryBytes: true,
};

/** Throws UsageError for an option that does not exist or makes no sense. */
export function resolveCleanOptions(given: CleanOptions = {}): PipelineOptions {
  const options: PipelineOptions = {
    ...DEFAULTS,
    ...takeOptions("cleaning", given, { ...CLEANER_RULES, ...FILTER_OPTIONS }),
  };
  checkValues(options, CLEANER_RULES);
  return options;
}

/** Throws UsageError for a value that makes no sense for reading inputs. */
export function checkInputOptions(options: Readonly<Partial<InputOptions>>): void {
  checkValues(options, INPUT_RULES);
}

function checkValues(options: object, rules: Readonly<Record<string, Rule>>): void {
  // Values of JavaScript may be anything.
  const values = options as Readonly<Record<string, unknown>>;
  for (const [name, { isRight, wanted }] of Object.entries(rules)) {
    const value = values[name];
    if (value !== undefined && !isRight(value)) throw new UsageError(`${name} must be ${wanted}`);
  }
}

/**
 * The options that are given, of those that there are: programs written in JavaScript have no compiler that tells them.
 * One that is undefined is one that was left out. Throws UsageError for any other one.
 */
export function takeOptions<T extends object>(
  whose: string,
  given: T | undefined,
  known: Readonly<Record<keyof T, unknown>>,
): Partial<T> {
  if (given === undefined) return {};
  // What the type says, a program may not have been told.
  if (typeof given !== "object" || (given as unknown) === null || Array.isArray(given))
    throw new UsageError(`the options of ${whose} must be an object`);
  const taken = Object.entries<unknown>(given as Readonly<Record<string, unknown>>).filter(
    ([, value]) => value !== undefined,
  );
  for (const [name] of taken) {
    if (!Object.hasOwn(known, name))
      throw new UsageError(
        `there is no option "${name}" of ${whose}; there are ${Object.keys(known).sort().join(", ")}`,
      );
  }
  return Object.fromEntries(taken) as Partial<T>; // the same fields, or fewer
}

function oneOf(names: readonly string[]): Rule {
  return {
    isRight: (value) => typeof value === "string" && names.includes(value),
    wanted: `one of ${names.join(", ")}`,
  };
}

function isBetween(value: unknown, least: number, most: number): boolean {
  return typeof value === "number" && value >= least && value <= most;
}
