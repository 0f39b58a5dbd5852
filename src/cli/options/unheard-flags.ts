/** Finds flags that have no effect, because of the output format or without another flag. */
import type { Document, LabelledLine, Page } from "../../document.js";
import { dropsCopies } from "../../filter/options.js";
import { DEFAULTS } from "../../options/options.js";
import type { Outcome } from "../../outcome.js";
import { RECORD_FORMATS, WRITER_NAMES, type WriterName } from "../../write/registry.js";
import type { CleanFlags } from "./clean-flags.js";

const MARKUP: readonly WriterName[] = ["markdown", "html", "xml", "tei"];
const RECORDS: readonly WriterName[] = ["jsonl", "json", "parquet"];
const WITH_REGISTERS: readonly WriterName[] = [...RECORDS, "tei", "xml", "csv", "wet"];

/** What `--column` does if no input has fields. */
export const NO_FIELDS = tellNoEffect("--column", "JSON Lines, JSON and Parquet inputs");

/** Returns the sentence that a flag has no effect, and what it affects. */
export function tellNoEffect(flag: string, affected: string): string {
  return `${flag} has no effect here: it only affects ${affected}`;
}

interface Row {
  readonly name: string;
  readonly isGiven: (flags: CleanFlags) => boolean;
  /** The formats that the flag affects. */
  readonly heeding: readonly WriterName[];
  /** What the flag does not do with other formats, if it does something else. */
  readonly lacks?: string;
}

const ROWS: readonly Row[] = [
  {
    name: "--keep-boilerplate",
    isGiven: (flags) => flags.keepBoilerplate === true,
    heeding: ["text", "markdown", ...RECORDS, "tei"],
    lacks: "writes no boilerplate here: it only does so with",
  },
  { name: "--links", isGiven: (flags) => flags.links === true, heeding: MARKUP },
  { name: "--images", isGiven: (flags) => flags.images === true, heeding: MARKUP },
  { name: "--lines", isGiven: (flags) => flags.lines === true, heeding: [...RECORDS, "tei"] },
  { name: "--spans", isGiven: (flags) => flags.spans === true, heeding: RECORDS },
  { name: "--formatted", isGiven: (flags) => flags.formatted !== undefined, heeding: RECORDS },
  { name: "--front-matter", isGiven: (flags) => flags.frontMatter === true, heeding: ["markdown"] },
  {
    name: "--metadata origins",
    isGiven: (flags) => flags.metadata === "origins",
    heeding: RECORDS,
  },
  {
    name: "--registers",
    // The statistics count them.
    isGiven: (flags) => flags.registers === true && flags.stats === undefined,
    heeding: WITH_REGISTERS,
  },
];

/**
 * Returns a sentence for each flag that changes nothing. If no format is named, the output may be JSON Lines. `namedBy`
 * is the option that chooses a format.
 */
export function findUnheard(flags: CleanFlags, namedBy: "--to" | "--formatted" = "--to"): string[] {
  const unheard = findUnwritten(flags, namedBy);
  if (givesDedupMemory(flags) && !dropsCopies(flags))
    unheard.push(tellNoEffect("--dedup-memory", "--dedup and --dedup-lines"));
  if (flags.threshold !== undefined && (flags.focus ?? DEFAULTS.focus) !== DEFAULTS.focus)
    unheard.push(tellNoEffect("--focus", "runs without --threshold"));
  return unheard;
}

export function givesDedupMemory({ dedupMemory = DEFAULTS.dedupMemoryBytes }: CleanFlags): boolean {
  return dedupMemory !== DEFAULTS.dedupMemoryBytes;
}

/** Returns a sentence for each flag that the output format ignores. */
function findUnwritten(flags: CleanFlags, namedBy: "--to" | "--formatted"): string[] {
  const written = [flags.to ?? "jsonl", flags.formatted].filter((name) => name !== undefined);
  const offered: readonly WriterName[] = namedBy === "--to" ? WRITER_NAMES : RECORD_FORMATS;
  return ROWS.filter(
    ({ isGiven, heeding }) => isGiven(flags) && !written.some((name) => heeding.includes(name)),
  ).map(({ name, heeding, lacks }) => {
    const formats = `${namedBy} ${heeding.filter((format) => offered.includes(format)).join(", ")}`;
    return lacks === undefined ? tellNoEffect(name, formats) : `${name} ${lacks} ${formats}`;
  });
}

interface Watched {
  readonly name: string;
  readonly isGiven: (flags: CleanFlags) => boolean;
  /** The documents that the flag affects. */
  readonly affected: string;
  readonly affects: (document: Document<LabelledLine>) => boolean;
}

const OF_PAGES = {
  affected: "HTML pages",
  affects: ({ source }: Document<LabelledLine>) => source === "html",
} as const;

const WATCHED: readonly Watched[] = [
  { name: "--extractor", isGiven: ({ extractor = "page" }) => extractor !== "page", ...OF_PAGES },
  { name: "--keep", isGiven: ({ keep = [] }) => keep.length > 0, ...OF_PAGES },
  { name: "--remove", isGiven: ({ remove = [] }) => remove.length > 0, ...OF_PAGES },
  {
    name: "--condition",
    // The labeller text also judges readers' comments that are kept.
    isGiven: ({ condition = "auto", comments = "auto" }) =>
      condition !== "auto" && (comments === "auto" || comments === "drop"),
    affected: "documents that the labeller text labels",
    affects: ({ condition }) => condition !== undefined,
  },
];

/** Watches a run for pages and documents that the flags affect. */
export interface FlagWatch {
  /** Must be called for each page before it is cleaned. */
  see(page: Outcome<Page>): void;
  look(outcome: Outcome<Document<LabelledLine>>): void;
  /** Returns a sentence for each flag that affected no document; none if there was no document. */
  list(): string[];
}

export function watchFlags(flags: CleanFlags): FlagWatch {
  const unheard = new Set(WATCHED.filter(({ isGiven }) => isGiven(flags)));
  let hasDocuments = false;
  let rescoresNothing = flags.rescore === true;
  return {
    see(page) {
      if (page.ok && page.value.content.kind === "scored") rescoresNothing = false;
    },
    look(outcome) {
      hasDocuments ||= outcome.ok;
      for (const watched of unheard) {
        // A flag may be the reason why a page that could be read became a reject.
        const isHeard = outcome.ok ? watched.affects(outcome.value) : outcome.stage !== "acquire";
        if (isHeard) unheard.delete(watched);
      }
    },
    list() {
      if (!hasDocuments) return [];
      const told = [...unheard].map(({ name, affected }) => tellNoEffect(name, affected));
      return rescoresNothing
        ? [...told, tellNoEffect("--rescore", "records of --keep-boilerplate or --lines")]
        : told;
    },
  };
}
