/** Lists the runs to compare: which options, over which input, with how many workers. */

/** The folder of the inputs, relative to the folder in which each run starts. */
const AT = "../..";

export const INPUTS = {
  /** Every tenth page and every tenth text. */
  some: [`${AT}/some-pages.jsonl`, `${AT}/some-texts.jsonl`],
  all: [`${AT}/pages.jsonl`, `${AT}/texts.jsonl`],
  /** For labellers that are made for pages or are slow. */
  mostlyPages: [`${AT}/pages.jsonl`, `${AT}/some-texts.jsonl`],
  whole: [`${AT}/whole-pages.jsonl`],
  /** A Parquet table that the other checkout wrote from `some`. */
  table: [`${AT}/some.parquet`],
  folder: [`${AT}/fixtures/pages`, `${AT}/fixtures/poison`, `${AT}/fixtures/text`],
  standard: ["-"],
} as const;

export interface OptionSet {
  readonly name: string;
  readonly inputs: readonly (keyof typeof INPUTS)[];
  /** Whether every fixture is read before the inputs. */
  readonly hasFixtures: boolean;
  readonly options: readonly string[];
  /** Numbers of workers; the output bytes must be the same for each. */
  readonly jobs: readonly number[];
  /** An optional package that the run needs; the set is skipped when it is not installed. */
  readonly needs?: string;
}

const EVERY_LINE = ["--to", "jsonl", "--keep-boilerplate", "-o", "out.jsonl"];
const TO_RECORDS = ["--to", "jsonl", "--lines", "-o", "out.jsonl"];
const TRANSFORMERS = "@huggingface/transformers";
const MODELS = {
  sequence: ["--labeller", "transformer", "--model", `${AT}/fixtures/transformer/sequence`],
  bag: ["--labeller", "transformer", "--model", `${AT}/fixtures/transformer/bag`],
  vectors: ["--labeller", "boilernet", "--model", `${AT}/fixtures/boilernet`],
};
const LABELLERS = ["text", "rules", "texrex", "fasttext", "justext", "none"];
const PAGE_LABELLERS = ["page", "boilernet"];

const main = (name: string, options: readonly string[]): OptionSet => ({
  ...{ name, inputs: ["all"], hasFixtures: true, options: [...options, ...EVERY_LINE], jobs: [1, 2] },
});

const mainPages = (name: string, options: readonly string[]): OptionSet => ({
  ...main(name, options),
  inputs: ["mostlyPages"],
});

const some = (options: readonly string[], to: readonly string[] = TO_RECORDS): OptionSet => ({
  name: [...options, ...(to === TO_RECORDS ? [] : to)].join(" "),
  ...{ inputs: ["some"], hasFixtures: true, options: [...options, ...to], jobs: [2] },
});

const FORMATS: readonly (readonly string[])[] = [
  ["--to", "text"],
  ["--to", "text", "-o", "texts/"],
  ["--to", "markdown", "--links", "-o", "out.md"],
  ["--to", "markdown", "--keep-boilerplate", "-o", "out.md"],
  ["--to", "jsonl", "-o", "packed.jsonl.gz"],
  ["--to", "tei", "-o", "out.xml"],
  ["--to", "tei", "--keep-boilerplate", "-o", "tei/"],
  ["--to", "wet", "-o", "out.warc.wet.gz"],
  ["--to", "parquet", "-o", "out.parquet"],
  ["--to", "parquet", "--keep-boilerplate", "-o", "out.parquet"],
];

const OPTIONS: readonly (readonly string[])[] = [
  ["--extractor", "readability"],
  ["--extractor", "body"],
  ["--extractor", "body", "--labeller", "text"],
  ...["precision", "recall"].map((focus) => ["--focus", focus]),
  ["--focus", "precision", "--labeller", "rules"],
  ["--threshold", "0.3"],
  ...["keep", "drop", "only"].map((comments) => ["--comments", comments]),
  ["--comments", "drop", "--labeller", "justext"],
  ...["raw", "extracted", "crawl"].map((condition) => ["--labeller", "text", "--condition", condition]),
  ...["register-oscar", "gopher", "c4", "fineweb"].map((preset) => ["--preset", preset]),
  ["--lang", "en", "de", "--min-words", "100"],
  ["--identify-lang", "--filter", "digits", "short-lines=0.5"],
  ["--max-bytes", "50000"],
];

/** A document's outcome depends on the documents before it, and several workers must not change that. */
const DUPLICATES: readonly (readonly string[])[] = [
  ["--dedup", "exact"],
  ["--dedup", "near"],
  ["--dedup-lines", "2", "--dedup-memory", "1M"],
];

export const OPTION_SETS: readonly OptionSet[] = [
  { ...main("default, and whole pages", []), inputs: ["all", "whole"] },
  ...LABELLERS.map((name) => main(`--labeller ${name}`, ["--labeller", name])),
  ...PAGE_LABELLERS.map((name) => mainPages(`--labeller ${name}`, ["--labeller", name])),
  { ...mainPages("--labeller transformer (sequence)", MODELS.sequence), needs: TRANSFORMERS },
  { ...some(MODELS.bag, EVERY_LINE), name: "--labeller transformer (bag)", needs: TRANSFORMERS },
  { ...some(MODELS.vectors, EVERY_LINE), name: "--labeller boilernet (vectors)", needs: TRANSFORMERS },
  ...FORMATS.map((format) => some([], format)),
  ...OPTIONS.map((options) => some(options)),
  ...DUPLICATES.map((options) => ({ ...some(options), jobs: [1, 2] })),
  { ...some([]), name: "a folder", inputs: ["folder"], hasFixtures: false },
  { ...some([]), name: "standard input", inputs: ["standard"], hasFixtures: false },
  { ...some([]), name: "a Parquet table", inputs: ["table"], hasFixtures: false },
];
