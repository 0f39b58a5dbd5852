/** Lists the options of cleaning a single page, each in one row; `options.ts` has the table of all. */
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
  /** Whether lines that bring scores are labelled anew; so they are where a labeller, a model or a condition is named. */
  readonly rescore: boolean;
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
  /** What runs networks; ONNX Runtime where it is installed and loads, our own code elsewhere, when absent. */
  readonly engine?: EngineName;
}

/** What is made of documents: with "text" they come without the boilerplate lines, which do not show in it. */
export type Wanted = "lines" | "text";

/** What a page may have: its bytes are counted before it is cleaned, and not by what cleans it. */
export interface PageLimits {
  /** Decoded bytes, per page. */
  readonly maxBytes: number;
}

/** An option that cannot be absent has a default. */
export type RowsOf<Options> = {
  readonly [Name in keyof Required<Options>]: Row<Options[Name]> &
    (undefined extends Options[Name] ? unknown : { readonly default: Options[Name] });
};

/** What shapes text, in the order of the table of all options. */
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
  rescore: {
    rule: SWITCH,
    default: false,
    // The fingerprint of lines that are cut again says so itself.
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
} as const satisfies RowsOf<Omit<PageOptions, "timeoutMs" | "engine">>;

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
    // Both give the same labels; their scores differ less than what is written of them.
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

/** The values of options that are left out, in the order of the table. */
export function defaultsOf<Options>(rows: RowsOf<Options>): Options {
  const all: readonly (readonly [string, Row<unknown>])[] = Object.entries(rows);
  // The type of the rows has seen that each option which cannot be absent has a default.
  return Object.fromEntries(
    all.flatMap(([name, row]) => ("default" in row ? [[name, row.default]] : [])),
  ) as Options;
}

/** The options that change the text of a page, for the fingerprint; all of them are in the rows of this file. */
export function pickShaping(options: PageOptions & PageLimits): Readonly<Record<string, unknown>> {
  return pickOptions(ROWS, options, ({ shapes }) => shapes === "page");
}

/** The options whose rows are wanted, where they have a value. */
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
