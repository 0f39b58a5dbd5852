/**
 * Lists all options of cleaning, each in one row: its rule, its default, whether it shapes the text, whether it travels to
 * the processes that clean pages, and its flag. What checks options, helps with them, digests them or sends them reads
 * these rows, so a new option is a field with its type and a row; a missing or wrong row does not compile.
 */
import { availableParallelism } from "node:os";
import type { InputOptions } from "./acquire/inputs.js";
import { INPUT_KINDS } from "./acquire/kind.js";
import {
  METADATA_OPTIONS,
  STRUCTURE_OPTIONS,
  type MetadataOption,
  type StructureOption,
} from "./extract/extractor.js";
import { EXTRACTOR_NAMES, type ExtractorName } from "./extract/registry.js";
import { DEDUP_OPTIONS, LANGUAGE_OPTIONS, needsRegisters, type FilterOptions } from "./filter/options.js";
import { REGISTER_NAMES } from "./filter/registers.js";
import { FILTER_NAMES, PRESET_NAMES } from "./filter/registry.js";
import { COMMENTS_OPTIONS, type CommentsOption } from "./label/comments.js";
import { FOCUSES, type Focus } from "./label/labeller.js";
import { LABELLER_NAMES, type LabellerName } from "./label/registry.js";
import { CONDITION_OPTIONS, type ConditionOption } from "./label/text/condition.js";
import {
  ADDRESS,
  BYTES,
  checkValues,
  COUNT,
  FOLDER,
  LANGUAGE_CODES,
  limitsFor,
  MEMORY,
  oneOf,
  PROBABILITY,
  SELECTORS,
  SWITCH,
  takeOptions,
  TIMEOUT,
  WORKERS,
  type Rule,
} from "./option-rules.js";

/** What becomes of a single page; plain values, which another process can be told. */
export interface PageOptions {
  readonly extractor: ExtractorName;
  /** Labels everything; when absent, `page` labels what came from HTML and `text` plain text. */
  readonly labeller?: LabellerName;
  /** Folder of another model, for the labeller that its kind names; the shipped ones when absent. */
  readonly modelDir?: string;
  readonly focus: Focus;
  /** P(content) from which a line is content; the focus decides when absent. */
  readonly cut?: number;
  /** In what condition plain text is; the labeller tells by each text under `auto`. */
  readonly condition: ConditionOption;
  /** What becomes of the lines that a page marks as readers' comments. */
  readonly comments: CommentsOption;
  /** Whether a document without a content line comes out as a document; otherwise it is a reject. */
  readonly keepBoilerplate: boolean;
  /** Whether the boilerplate lines of documents are wanted too, or their text alone, which is the same without. */
  readonly wants: Wanted;
  /** Whether lines say what parts of them are, and what holds them together; text alone has no use for it. */
  readonly structure: StructureOption;
  /** What a page says of itself: read, read with where each field came from, or passed over. */
  readonly metadata: MetadataOption;
  /** Whether it is told what kind of text the main content is; a filter that looks at that asks for it too. */
  readonly registers?: boolean;
  /** CSS selectors of the parts of pages that alone are read, and of those that are not. */
  readonly keep: readonly string[];
  readonly remove: readonly string[];
  /** For reading a page, in milliseconds. */
  readonly timeoutMs: number;
}

/** What is made of documents: with "text" they come without the boilerplate lines, which do not show in it. */
export type Wanted = "lines" | "text";

export interface PipelineOptions extends FilterOptions, PageOptions {
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

/** How the command line offers an option. */
export interface Flag {
  /** The part of `--help` in which it is listed. */
  readonly group: "text" | "filter" | "run";
  /** "-j, --jobs <n>" */
  readonly name: string;
  readonly says: string;
  /** The default as a person reads it, where the value itself is no help. */
  readonly shown?: string;
  /** What a switch means, where that is not `true`. */
  readonly means?: string;
  /** What the flag means with `--no-` before its name, where there is such a one. */
  readonly negated?: string;
}

interface Row<Value> {
  readonly rule: Rule;
  /** Absent where an option that is left out has a meaning of its own. */
  readonly default?: Value;
  /**
   * Whether it can change the text of a document, and so is a part of the fingerprint: as it is ("page"), or by what the
   * filters make of it ("filters").
   */
  readonly shapes: "page" | "filters" | "nothing";
  /** Whether processes that clean pages are told it. */
  readonly travels: boolean;
  /** Absent where no flag says it by itself. */
  readonly flag?: Flag;
}

/** An option that cannot be absent has a default, and those of a single page travel. */
type Rows = {
  readonly [Name in keyof Required<PipelineOptions>]: Row<PipelineOptions[Name]> & {
    readonly travels: Name extends keyof PageOptions ? true : false;
  } & (undefined extends PipelineOptions[Name] ? unknown : { readonly default: PipelineOptions[Name] });
};

export const OPTIONS = {
  extractor: {
    rule: oneOf(EXTRACTOR_NAMES),
    default: "page",
    shapes: "page",
    travels: true,
    flag: { group: "text", name: "--extractor <name>", says: "how a page becomes lines" },
  },
  labeller: {
    rule: oneOf(LABELLER_NAMES),
    shapes: "page",
    travels: true,
    flag: {
      group: "text",
      name: "--labeller <name>",
      says: "who labels the lines; page for pages, text for plain text, when left out",
    },
  },
  modelDir: {
    rule: FOLDER,
    // The fingerprint holds the digests of the models that are used.
    shapes: "nothing",
    travels: true,
    flag: {
      group: "text",
      name: "--model <dir>",
      says: "another model, for the labeller that its kind names; hub:OWNER/NAME fetches it from the Hugging Face hub",
    },
  },
  focus: {
    rule: oneOf(FOCUSES),
    default: "balanced",
    shapes: "page",
    travels: true,
    flag: { group: "text", name: "--focus <focus>", says: "where the cut is" },
  },
  cut: {
    rule: PROBABILITY,
    shapes: "page",
    travels: true,
    flag: {
      group: "text",
      name: "--threshold <p>",
      says: "the cut itself: P(content) from which a line is kept",
    },
  },
  condition: {
    rule: oneOf(CONDITION_OPTIONS),
    default: "auto",
    shapes: "page",
    travels: true,
    flag: {
      group: "text",
      name: "--condition <what>",
      says: "what plain text is: all of a page, what an extractor left of it, an existing crawl; told by each text",
    },
  },
  comments: {
    rule: oneOf(COMMENTS_OPTIONS),
    default: "auto",
    shapes: "page",
    travels: true,
    flag: {
      group: "text",
      name: "--comments <what>",
      says: "readers' comments: as the labeller says, judged by their text, dropped, or alone",
    },
  },
  keepBoilerplate: {
    rule: SWITCH,
    default: false,
    // Lines that are dropped otherwise are listed; the text of a document is the same.
    shapes: "nothing",
    travels: true,
    flag: {
      group: "text",
      name: "--keep-boilerplate",
      says: "keep every line, with label, score, grade and reason",
    },
  },
  structure: {
    rule: oneOf(STRUCTURE_OPTIONS),
    default: "none",
    shapes: "nothing",
    travels: true,
    flag: {
      group: "text",
      name: "--spans",
      says: "keep what parts of lines are (emphasis, code, links, images, formulas) in the lines of jsonl records",
      means: "keep",
    },
  },
  metadata: {
    rule: oneOf(METADATA_OPTIONS),
    default: "read",
    // It may be a filter that looks at it, and says so itself.
    shapes: "nothing",
    travels: true,
    flag: {
      group: "text",
      name: "--metadata <what>",
      says: "what pages say of themselves: read, with origins, brief (title and language) or passed over (--no-metadata)",
      negated: "skip",
    },
  },
  registers: {
    rule: SWITCH,
    // The text is the same, and the record has more.
    shapes: "page",
    travels: true,
    flag: {
      group: "text",
      name: "--registers",
      says: "tell what kind of text each document is (registers of CORE), and whether a machine wrote it",
    },
  },
  keep: {
    rule: SELECTORS,
    default: Object.freeze([]),
    shapes: "page",
    travels: true,
    flag: {
      group: "text",
      name: "--keep <selector>",
      says: "read only what the CSS selector finds, before anything is labelled; may be given many times",
    },
  },
  remove: {
    rule: SELECTORS,
    default: Object.freeze([]),
    shapes: "page",
    travels: true,
    flag: {
      group: "text",
      name: "--remove <selector>",
      says: "leave out what the CSS selector finds, before anything is labelled; may be given many times",
    },
  },
  wants: { rule: oneOf(["lines", "text"]), default: "lines", shapes: "nothing", travels: true },
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
    flag: { group: "run", name: "-j, --jobs <n>", says: "workers" },
  },
  maxBytes: {
    rule: BYTES,
    default: 10_000_000,
    shapes: "page",
    travels: false,
    flag: { group: "run", name: "--max-bytes <size>", says: "decoded bytes a document may have" },
  },
  timeoutMs: {
    rule: TIMEOUT,
    default: 10_000,
    shapes: "page",
    travels: true,
    flag: { group: "run", name: "--timeout <time>", says: "time a document may take", shown: "10s" },
  },
} as const satisfies Rows;

export type OptionName = keyof typeof OPTIONS;

/** Every row with its name, in the order of the table, whatever its value is. */
export const OPTION_ROWS: readonly (readonly [OptionName, Row<unknown>])[] = Object.entries(
  OPTIONS,
) as unknown as readonly (readonly [OptionName, Row<unknown>])[]; // Object.entries forgets the names of the keys

const RULES = Object.fromEntries(OPTION_ROWS.map(([name, { rule }]) => [name, rule]));

/** `Rows` has seen that each option which cannot be absent has a default. */
export const DEFAULTS = Object.freeze(
  Object.fromEntries(
    OPTION_ROWS.flatMap(([name, row]) => ("default" in row ? [[name, row.default]] : [])),
  ) as unknown as PipelineOptions,
);

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
  return pick(options, ({ travels }) => travels) as unknown as PageOptions; // `Rows` has seen which ones travel
}

/** The options that change the text of a page, for the fingerprint. */
export function pickShaping(options: PipelineOptions): Readonly<Record<string, unknown>> {
  return pick(options, ({ shapes }) => shapes === "page");
}

function pick(options: object, isWanted: (row: Row<unknown>) => boolean): Readonly<Record<string, unknown>> {
  const values = options as Readonly<Record<string, unknown>>; // read by name
  return Object.fromEntries(
    OPTION_ROWS.flatMap(([name, row]) =>
      isWanted(row) && values[name] !== undefined ? [[name, values[name]]] : [],
    ),
  );
}

/** What is told of inputs; a value without a rule may be anything. */
const INPUT_OPTIONS: Readonly<Record<keyof InputOptions, Rule | undefined>> = {
  from: oneOf(INPUT_KINDS),
  column: undefined,
  url: ADDRESS,
  maxBytes: BYTES,
  timeoutMs: TIMEOUT,
  version: undefined,
  stdin: undefined,
  after: undefined,
};

/** The options of reading inputs that are given. Throws UsageError for one that does not exist or makes no sense. */
export function takeInputOptions(whose: string, given: Partial<InputOptions>): Partial<InputOptions> {
  const taken = takeOptions(whose, given, INPUT_OPTIONS);
  checkValues(taken, INPUT_OPTIONS);
  return taken;
}
