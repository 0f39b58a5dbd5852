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
    // The fingerprint has the digests of the models that are used.
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
  rescore: {
    rule: SWITCH,
    default: false,
    // Lines that are cut again have a fingerprint that says so.
    shapes: "nothing",
    travels: true,
    flag: {
      group: "text",
      name: "--rescore",
      says: "label records anew that bring scored lines, which are only cut again otherwise",
    },
  },
  keepBoilerplate: {
    rule: SWITCH,
    default: false,
    // It only lists lines that are otherwise dropped; the text of a document is the same.
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
    // A filter may look at metadata, and the fingerprint has the settings of the filters.
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
    // The text is the same, but the record has more fields.
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
} as const satisfies RowsOf<Omit<PageOptions, "timeoutMs" | "engine">>;

/** The rows of the limits of a page, and of the engine. */
export const LIMIT_ROWS = {
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
  engine: {
    rule: oneOf(ENGINE_NAMES),
    // Both give the same labels; their scores differ by less than the written precision.
    shapes: "nothing",
    travels: true,
    flag: {
      group: "run",
      name: "--engine <name>",
      says: "what runs networks; native (onnxruntime-node) where it is installed, else portable, when left out",
    },
  },
} as const satisfies RowsOf<PageLimits & Pick<PageOptions, "timeoutMs" | "engine">>;

const ROWS: readonly (readonly [string, Row<unknown>])[] = Object.entries({ ...TEXT_ROWS, ...LIMIT_ROWS });

/** Returns the defaults of the options that have one, in the order of the table. */
export function defaultsOf<Options>(rows: RowsOf<Options>): Options {
  const all: readonly (readonly [string, Row<unknown>])[] = Object.entries(rows);
  // The type of the rows ensures that each option that cannot be undefined has a default.
  return Object.fromEntries(
    all.flatMap(([name, row]) => ("default" in row ? [[name, row.default]] : [])),
  ) as Options;
}

/** Returns the options that change the text of a page, for the fingerprint; the rows in this file have all of them. */
export function pickShaping(options: PageOptions & PageLimits): Readonly<Record<string, unknown>> {
  return pickOptions(ROWS, options, ({ shapes }) => shapes === "page");
}

/** Returns the options with a value whose rows are wanted. */
export function pickOptions(
  rows: readonly (readonly [string, Row<unknown>])[],
  options: object,
  isWanted: (row: Row<unknown>) => boolean,
): Readonly<Record<string, unknown>> {
  const values = options as Readonly<Record<string, unknown>>; // read by name
  return Object.fromEntries(
    rows.flatMap(([name, row]) =>
      isWanted(row) && values[name] !== undefined ? [[name, values[name]]] : [],
    ),
  );
}
