/**
 * Lists all options of cleaning, one row each: rule, default, whether it shapes the text, and its flag. Checking, help,
 * the fingerprint and the processes all read these rows, so a new option is a typed field and a row; a missing or wrong
 * row does not compile.
 */
import { availableParallelism } from "node:os";
import type { InputOptions } from "../acquire/inputs.js";
import { INPUT_KINDS } from "../acquire/kind.js";
import { DEDUP_OPTIONS, LANGUAGE_OPTIONS, needsRegisters, type FilterOptions } from "../filter/options.js";
import { UsageError } from "../outcome.js";
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
  TEXT_ROWS,
  type PageLimits,
  type PageOptions,
  type RowsOf,
} from "./page-options.js";

export interface PipelineOptions extends FilterOptions, PageOptions, PageLimits {
  /**
   * Processes that clean pages besides this one. This process does it with one worker, and until the first one runs.
   */
  readonly workers: number;
}

/**
 * Any subset of the options of the command. The others have the same defaults: extractor `page`, the labeller made for
 * the kind of document, focus `balanced`, condition and comments `auto`, as many workers as cores, 10 s and 10 MB a
 * page, no filters, and a reject if nothing is content. An option that is `undefined` counts as left out.
 */
export type CleanOptions = Partial<PipelineOptions>;

export const OPTIONS = {
  ...TEXT_ROWS,
  preset: {
    rule: oneOf(PRESET_NAMES),
    default: "none",
    shapes: "filters",
    flag: {
      group: "filter",
      name: "--preset <name>",
      says: "a published set of document filters",
    },
  },
  languages: {
    rule: LANGUAGE_CODES,
    default: Object.freeze([]),
    shapes: "filters",
    flag: {
      group: "filter",
      name: "--lang <codes...>",
      says: "accepted languages: as the record states, else as detected in the text",
    },
  },
  language: {
    rule: oneOf(LANGUAGE_OPTIONS),
    default: "stated",
    shapes: "filters",
    flag: {
      group: "filter",
      name: "--identify-lang",
      says: "detect the language of a document from its text, and write it to the record",
      means: "identified",
    },
  },
  filters: {
    rule: limitsFor(FILTER_NAMES, { register: REGISTER_NAMES }),
    default: Object.freeze({}),
    shapes: "filters",
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
    flag: {
      group: "filter",
      name: "--dedup <which>",
      says: "drop documents that are copies of earlier ones",
    },
  },
  dedupLines: {
    rule: COUNT,
    shapes: "filters",
    flag: {
      group: "filter",
      name: "--dedup-lines <n>",
      says: "drop lines that n earlier documents contain",
    },
  },
  dedupMemoryBytes: {
    rule: MEMORY,
    default: 128_000_000,
    shapes: "nothing",
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
    flag: { group: "run", name: "-j, --jobs <n>", says: "workers", shown: "one per core" },
  },
  ...LIMIT_ROWS,
} as const satisfies RowsOf<PipelineOptions>;

export type OptionName = keyof typeof OPTIONS;

/** Every row with its name, in the order of the table. */
export const OPTION_ROWS: readonly (readonly [OptionName, Row<unknown>])[] = Object.entries(
  OPTIONS,
) as unknown as readonly (readonly [OptionName, Row<unknown>])[]; // Object.entries loses the types of the keys

const RULES = Object.fromEntries(OPTION_ROWS.map(([name, { rule }]) => [name, rule]));

export const DEFAULTS: PipelineOptions = Object.freeze(defaultsOf<PipelineOptions>(OPTIONS));

/** Checks options and adds the defaults. Throws UsageError for an option that does not exist or has a wrong value. */
export function resolveCleanOptions(given: CleanOptions = {}): PipelineOptions {
  const options: PipelineOptions = { ...DEFAULTS, ...takeOptions("cleaning", given, OPTIONS) };
  checkValues(options, RULES);
  if (options.filters.reservations !== undefined && ["brief", "skip"].includes(options.metadata))
    throw new UsageError(
      "the filter reservations needs the metadata of pages, so metadata cannot be brief or skip",
    );
  // If nothing needs registers, the fingerprint is the same as without this option.
  const { registers, ...others } = options;
  return asksRegisters({ ...others, registers: registers === true })
    ? { ...others, registers: true }
    : others;
}

/** Whether the registers of documents are identified: by the option itself, or because a filter needs them. */
export function asksRegisters(options: Pick<PipelineOptions, "registers" | "preset" | "filters">): boolean {
  return options.registers === true || needsRegisters(options);
}

const COLUMN: Rule = {
  isRight: (value) => typeof value === "string" && value !== "",
  wanted: "the name of a field",
};

const BYTE_STREAM: Rule = {
  isRight: (value) => typeof value === "object" && value !== null && Symbol.asyncIterator in value,
  wanted: "an async iterable of bytes",
};

const PROXY: Rule = {
  isRight: (value) => (typeof value === "object" && value !== null) || ADDRESS.isRight(value),
  wanted: "the URL of an http or https proxy, or an object of proxies",
};

/** The rules for the options of inputs; a value without a rule may be anything. */
const INPUT_OPTIONS: Readonly<Record<keyof InputOptions, Rule | undefined>> = {
  from: oneOf(INPUT_KINDS),
  column: COLUMN,
  url: ADDRESS,
  maxBytes: BYTES,
  timeoutMs: TIMEOUT,
  version: HEADER,
  proxy: PROXY,
  stdin: BYTE_STREAM,
  after: undefined,
};

/**
 * Returns the given options for reading inputs. Throws UsageError for an option that does not exist or has a wrong
 * value.
 */
export function takeInputOptions(whose: string, given: Partial<InputOptions>): Partial<InputOptions> {
  const taken = takeOptions(whose, given, INPUT_OPTIONS);
  checkValues(taken, INPUT_OPTIONS);
  return taken;
}
