/**
 * Lists all options of cleaning, each in one row: its rule, its default, whether it shapes the text, whether it travels to
 * the processes that clean pages, and its flag. What checks options, helps with them, digests them or sends them reads
 * these rows, so a new option is a field with its type and a row; a missing or wrong row does not compile.
 */
import { availableParallelism } from "node:os";
import type { InputOptions } from "../acquire/inputs.js";
import { INPUT_KINDS } from "../acquire/kind.js";
import { DEDUP_OPTIONS, LANGUAGE_OPTIONS, needsRegisters, type FilterOptions } from "../filter/options.js";
import { REGISTER_NAMES } from "../filter/registers.js";
import { FILTER_NAMES, PRESET_NAMES } from "../filter/registry.js";
import {
  ADDRESS,
  BYTES,
  checkValues,
  COUNT,
  HEADER,
  LANGUAGE_CODES,
  limitsFor,
  MEMORY,
  oneOf,
  takeOptions,
  TIMEOUT,
  WORKERS,
  type Row,
  type Rule,
} from "./option-rules.js";
import {
  defaultsOf,
  LIMIT_ROWS,
  pickOptions,
  TEXT_ROWS,
  type PageLimits,
  type PageOptions,
  type RowsOf,
} from "./page-options.js";

export interface PipelineOptions extends FilterOptions, PageOptions, PageLimits {
  /** Processes that clean pages beside this one; with one worker, and until the first of them runs, this one does it. */
  readonly workers: number;
}

/**
 * Any subset of the options of the command; the rest takes the same defaults: extractor `page`, the labeller that is made
 * for what a document is, focus `balanced`, condition and comments `auto`, as many workers as there are cores, 10 s and
 * 10 MB a page, no filters, and a reject where nothing is content. `undefined` is one that was left out.
 */
export type CleanOptions = Partial<PipelineOptions>;

/** Those of a single page travel. */
type Rows = RowsOf<PipelineOptions> & {
  readonly [Name in keyof Required<PipelineOptions>]: {
    readonly travels: Name extends keyof PageOptions ? true : false;
  };
};

export const OPTIONS = {
  ...TEXT_ROWS,
  preset: {
    rule: oneOf(PRESET_NAMES),
    default: "none",
    shapes: "filters",
    travels: false,
    flag: {
      group: "filter",
      name: "--preset <name>",
      says: "document filters that were published together",
    },
  },
  languages: {
    rule: LANGUAGE_CODES,
    default: Object.freeze([]),
    shapes: "filters",
    travels: false,
    flag: {
      group: "filter",
      name: "--lang <codes...>",
      says: "languages that a document may be in: what its record states, else what its text shows",
    },
  },
  language: {
    rule: oneOf(LANGUAGE_OPTIONS),
    default: "stated",
    shapes: "filters",
    travels: false,
    flag: {
      group: "filter",
      name: "--identify-lang",
      says: "tell the language of a document by its text, in the record too",
      means: "identified",
    },
  },
  filters: {
    rule: limitsFor(FILTER_NAMES, { register: REGISTER_NAMES }),
    default: Object.freeze({}),
    shapes: "filters",
    travels: false,
    flag: {
      group: "filter",
      name: "--filter <names...>",
      says: "more filters: NAME, or NAME=LIMIT (see below)",
    },
  },
  dedup: {
    rule: oneOf(DEDUP_OPTIONS),
    default: "none",
    shapes: "filters",
    travels: false,
    flag: { group: "filter", name: "--dedup <which>", says: "drop copies of documents that came before" },
  },
  dedupLines: {
    rule: COUNT,
    shapes: "filters",
    travels: false,
    flag: {
      group: "filter",
      name: "--dedup-lines <n>",
      says: "drop lines that stand in n documents before",
    },
  },
  dedupMemoryBytes: {
    rule: MEMORY,
    default: 128_000_000,
    shapes: "nothing",
    travels: false,
    flag: {
      group: "filter",
      name: "--dedup-memory <size>",
      says: "memory for the index of duplicates; the rest goes to disk",
      shown: "128M",
    },
  },
  workers: {
    rule: WORKERS,
    default: availableParallelism(),
    shapes: "nothing",
    travels: false,
    flag: { group: "run", name: "-j, --jobs <n>", says: "workers", shown: "one a core" },
  },
  ...LIMIT_ROWS,
} as const satisfies Rows;

export type OptionName = keyof typeof OPTIONS;

/** Every row with its name, in the order of the table, whatever its value is. */
export const OPTION_ROWS: readonly (readonly [OptionName, Row<unknown>])[] = Object.entries(
  OPTIONS,
) as unknown as readonly (readonly [OptionName, Row<unknown>])[]; // Object.entries forgets the names of the keys

const RULES = Object.fromEntries(OPTION_ROWS.map(([name, { rule }]) => [name, rule]));

export const DEFAULTS: PipelineOptions = Object.freeze(defaultsOf<PipelineOptions>(OPTIONS));

/** Throws UsageError for an option that does not exist or makes no sense. */
export function resolveCleanOptions(given: CleanOptions = {}): PipelineOptions {
  const options: PipelineOptions = { ...DEFAULTS, ...takeOptions("cleaning", given, OPTIONS) };
  checkValues(options, RULES);
  // Where nothing asks for it, the fingerprint is as if there were no such option.
  const { registers, ...others } = options;
  return asksRegisters({ ...others, registers: registers === true })
    ? { ...others, registers: true }
    : others;
}

/** Whether it is told what kind of text a document is: by itself, or because a filter looks at it. */
export function asksRegisters(options: Pick<PipelineOptions, "registers" | "preset" | "filters">): boolean {
  return options.registers === true || needsRegisters(options);
}

/** The options that another process is told, without anything else that `options` may hold. */
export function pickTravelling(options: PageOptions): PageOptions {
  return pickOptions(OPTION_ROWS, options, ({ travels }) => travels) as unknown as PageOptions; // `Rows` has seen which ones travel
}

const COLUMN: Rule = {
  isRight: (value) => typeof value === "string" && value !== "",
  wanted: "the name of a field",
};

const BYTE_STREAM: Rule = {
  isRight: (value) => typeof value === "object" && value !== null && Symbol.asyncIterator in value,
  wanted: "an async iterable of bytes",
};

/** What is told of inputs; a value without a rule may be anything. */
const INPUT_OPTIONS: Readonly<Record<keyof InputOptions, Rule | undefined>> = {
  from: oneOf(INPUT_KINDS),
  column: COLUMN,
  url: ADDRESS,
  maxBytes: BYTES,
  timeoutMs: TIMEOUT,
  version: HEADER,
  stdin: BYTE_STREAM,
  after: undefined,
};

/** The options of reading inputs that are given. Throws UsageError for one that does not exist or makes no sense. */
export function takeInputOptions(whose: string, given: Partial<InputOptions>): Partial<InputOptions> {
  const taken = takeOptions(whose, given, INPUT_OPTIONS);
  checkValues(taken, INPUT_OPTIONS);
  return taken;
}
