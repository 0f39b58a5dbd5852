/** Finds flags that have no effect, because of the output format or without another flag. */
import { DEFAULTS } from "../../options/options.js";
import { RECORD_FORMATS, WRITER_NAMES, type WriterName } from "../../write/registry.js";
import type { CleanFlags } from "./clean-flags.js";

const MARKUP: readonly WriterName[] = ["markdown", "html", "xml", "tei"];
const RECORDS: readonly WriterName[] = ["jsonl", "json", "parquet"];
const WITH_REGISTERS: readonly WriterName[] = [...RECORDS, "tei", "xml", "csv", "wet"];

/** What `--column` does if no input has fields. */
export const NO_FIELDS = tellNoEffect("--column", "JSON Lines, JSON and Parquet inputs");

/** What `--condition` does if the labeller `text` labels no document. */
export const NO_TEXTS = tellNoEffect("--condition", "documents that the labeller text labels");

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
  const { dedup, dedupLines, dedupMemory = DEFAULTS.dedupMemoryBytes } = flags;
  const isMemoryUnused = (dedup ?? "none") === "none" && dedupLines === undefined;
  const unheard = findUnwritten(flags, namedBy);
  if (isMemoryUnused && dedupMemory !== DEFAULTS.dedupMemoryBytes)
    unheard.push(tellNoEffect("--dedup-memory", "--dedup and --dedup-lines"));
  return unheard;
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
