/** Lists the options of cleaning a single page, one row each; `options.ts` has the table of all options. */
import {
  METADATA_OPTIONS,
  STRUCTURE_OPTIONS,
  type MetadataOption,
  type StructureOption,
} from "../extract/extractor.js";
import { EXTRACTOR_NAMES, type ExtractorName } from "../extract/registry.js";
import { COMMENTS_OPTIONS, type CommentsOption } from "../label/comments.js";
import { FOCUSES, type Focus } from "../label/labeller.js";
import { ENGINE_NAMES, type EngineName } from "../label/network/engine.js";
import { LABELLER_NAMES, type LabellerName } from "../label/names.js";
import { CONDITION_OPTIONS, type ConditionOption } from "../label/text/condition.js";
import { BYTES, FOLDER, oneOf, PROBABILITY, SELECTORS, SWITCH, TIMEOUT, type Row } from "./option-rules.js";

/** How a single page is cleaned; plain values, which can be sent to another process. */
export interface PageOptions {
  readonly extractor: ExtractorName;
  /** Labels everything; when absent, `page` labels what came from HTML and `text` plain text. */
  readonly labeller?: LabellerName;
  /** Folder of another model, for the labeller of the model's kind; when absent, the shipped models are used. */
  readonly modelDir?: string;
  readonly focus: Focus;
  /** P(content) from which a line is content; when absent, the focus decides. */
  readonly cut?: number;
  /** The condition of plain text; with `auto`, the labeller detects it for each text. */
  readonly condition: ConditionOption;
  /** How lines that a page marks as readers' comments are treated. */
  readonly comments: CommentsOption;
  /**
   * Whether lines that already have scores are labelled again; so they are if a labeller, model or condition is set.
   */
  readonly rescore: boolean;
  /** Whether a document without a content line is accepted; otherwise it is a reject. */
  readonly keepBoilerplate: boolean;
  /**
   * Whether documents come with their boilerplate lines, or only with the lines of their text, which stays the same.
   */
  readonly wants: Wanted;
  /**
   * Whether lines keep their spans (what parts of them are) and holders (what groups them); plain text needs neither.
   */
  readonly structure: StructureOption;
  /**
   * Whether the metadata of a page is read, read with the origin of each field, in brief (title, language), or skipped.
   */
  readonly metadata: MetadataOption;
  /** Whether the registers (kinds of text) of the main content are identified; also done if a filter needs them. */
  readonly registers?: boolean;
  /** CSS selectors: only the matching parts of a page are read (`keep`), or they are left out (`remove`). */
  readonly keep: readonly string[];
  readonly remove: readonly string[];
  /** Time limit for reading a page, in milliseconds. */
  readonly timeoutMs: number;
  /** What runs networks; when absent, ONNX Runtime if it is installed and loads, else our own code. */
  readonly engine?: EngineName;
}

/** What is made of documents; with "text" they come without the boilerplate lines, which their text does not show. */
export type Wanted = "lines" | "text";

/** Limits of a page; its bytes are counted before it is cleaned, not by the cleaner. */
export interface PageLimits {
  /** Decoded bytes of one page. */
  readonly maxBytes: number;
}

/** The rows of a set of options; an option that cannot be undefined must have a default. */
export type RowsOf<Options> = {
  readonly [Name in keyof Required<Options>]: Row<Options[Name]> &
    (undefined extends Options[Name] ? unknown : { readonly default: Options[Name] });
};

/** The rows of the options that are about the text, in the order of the table of all options. */
export const TEXT_ROWS = {
  extractor: {
    rule: oneOf(EXTRACTOR_NAMES),
    default: "page",
    shapes: "page",
    flag: { group: "text", name: "--extractor <name>", says: "how a page is split into lines" },
  },
  labeller: {
    rule: oneOf(LABELLER_NAMES),
    shapes: "page",
    flag: {
      group: "text",
      name: "--labeller <name>",
      says: "the labeller; default: page for pages, text for plain text",
    },
  },
  modelDir: {
    rule: FOLDER,
    // The fingerprint has the digests of the models that are used.
    shapes: "nothing",
    flag: {
      group: "text",
      name: "--model <dir>",
      says: "another model for the labeller of its kind; hub:OWNER/NAME fetches it from the Hugging Face hub",
    },
  },
  focus: {
    rule: oneOf(FOCUSES),
    default: "balanced",
    shapes: "page",
    flag: { group: "text", name: "--focus <focus>", says: "whether the cut favours precision or recall" },
  },
  cut: {
    rule: PROBABILITY,
    shapes: "page",
    flag: {
      group: "text",
      name: "--threshold <p>",
      says: "the cut itself: the least P(content) of a line that is kept",
    },
  },
  condition: {
    rule: oneOf(CONDITION_OPTIONS),
    default: "auto",
    shapes: "page",
    flag: {
      group: "text",
      name: "--condition <what>",
      says: "the kind of plain text: a raw page, an extractor's output, or an existing crawl; auto detects it for each text",
    },
  },
  comments: {
    rule: oneOf(COMMENTS_OPTIONS),
    default: "auto",
    shapes: "page",
    flag: {
      group: "text",
      name: "--comments <what>",
      says: "readers' comments: auto leaves them to the labeller, keep judges them by their text, drop removes them, only removes all else",
    },
  },
  rescore: {
    rule: SWITCH,
    default: false,
    // Lines that are cut again have a fingerprint that says so.
    shapes: "nothing",
    flag: {
      group: "text",
      name: "--rescore",
      says: "label records with scored lines again; by default only the cut is applied to their scores",
    },
  },
  keepBoilerplate: {
    rule: SWITCH,
    default: false,
    // It only lists lines that are otherwise dropped; the text of a document is the same.
    shapes: "nothing",
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
    flag: {
      group: "text",
      name: "--spans",
      says: "add inline markup (emphasis, code, links, images, formulas) to the lines of jsonl records",
      means: "keep",
    },
  },
  metadata: {
    rule: oneOf(METADATA_OPTIONS),
    default: "read",
    // A filter may look at metadata, and the fingerprint has the settings of the filters.
    shapes: "nothing",
    flag: {
      group: "text",
      name: "--metadata <what>",
      says: "metadata: read it, read it with the origin of each field, brief (only title and language), or skip it",
      negated: "skip",
    },
  },
  registers: {
    rule: SWITCH,
    // The text is the same, but the record has more fields.
    shapes: "page",
    flag: {
      group: "text",
      name: "--registers",
      says: "classify each document by register (CORE), and whether a machine wrote it",
    },
  },
  keep: {
    rule: SELECTORS,
    default: Object.freeze([]),
    shapes: "page",
    flag: {
      group: "text",
      name: "--keep <selector>",
      says: "keep only elements that match the CSS selector, before labelling; can be repeated",
    },
  },
  remove: {
    rule: SELECTORS,
    default: Object.freeze([]),
    shapes: "page",
    flag: {
      group: "text",
      name: "--remove <selector>",
      says: "remove elements that match the CSS selector, before labelling; can be repeated",
    },
  },
  wants: { rule: oneOf(["lines", "text"]), default: "lines", shapes: "nothing" },
} as const satisfies RowsOf<Omit<PageOptions, "timeoutMs" | "engine">>;

/** The rows of the limits of a page, and of the engine. */
export const LIMIT_ROWS = {
  maxBytes: {
    rule: BYTES,
    default: 10_000_000,
    shapes: "page",
    flag: {
      group: "run",
      name: "--max-bytes <size>",
      says: "the most bytes of a document, decoded",
      shown: "10M",
    },
  },
  timeoutMs: {
    rule: TIMEOUT,
    default: 10_000,
    shapes: "page",
    flag: { group: "run", name: "--timeout <time>", says: "the time limit for a document", shown: "10s" },
  },
  engine: {
    rule: oneOf(ENGINE_NAMES),
    // Both give the same labels; their scores differ by less than the written precision.
    shapes: "nothing",
    flag: {
      group: "run",
      name: "--engine <name>",
      says: "the engine that runs networks; default: native if onnxruntime-node is installed, else portable",
    },
  },
} as const satisfies RowsOf<PageLimits & Pick<PageOptions, "timeoutMs" | "engine">>;

type NamedRows = readonly (readonly [string, Row<unknown>])[];

/** The rows of the options that change the text of a page. */
const SHAPING: NamedRows = Object.entries<Row<unknown>>({ ...TEXT_ROWS, ...LIMIT_ROWS }).filter(
  ([, { shapes }]) => shapes === "page",
);

const { timeoutMs, engine } = LIMIT_ROWS;
/** The rows of the options that are sent to the processes that clean pages: of exactly the options of a page. */
const TRAVELLING: NamedRows = Object.entries({
  ...TEXT_ROWS,
  ...{ timeoutMs, engine },
} satisfies RowsOf<PageOptions>);

/** Returns the defaults of the options that have one, in the order of the table. */
export function defaultsOf<Options>(rows: RowsOf<Options>): Options {
  const all: NamedRows = Object.entries(rows);
  // The type of the rows ensures that each option that cannot be undefined has a default.
  return Object.fromEntries(
    all.flatMap(([name, row]) => ("default" in row ? [[name, row.default]] : [])),
  ) as Options;
}

/** Returns the options that change the text of a page, for the fingerprint. */
export function pickShaping(options: PageOptions & PageLimits): Readonly<Record<string, unknown>> {
  return pickOptions(SHAPING, options);
}

/** Returns the options that are sent to other processes, without any other fields of `options`. */
export function pickTravelling(options: PageOptions): PageOptions {
  return pickOptions(TRAVELLING, options) as unknown as PageOptions; // the rows are those of these options
}

/** Returns the options of these rows that have a value. */
function pickOptions(rows: NamedRows, options: object): Readonly<Record<string, unknown>> {
  const values = options as Readonly<Record<string, unknown>>; // read by name
  return Object.fromEntries(
    rows.flatMap(([name]) => (values[name] === undefined ? [] : [[name, values[name]]])),
  );
}
