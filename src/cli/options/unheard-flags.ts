/** Finds flags that have no effect on the output format. */
import { RECORD_FORMATS, WRITER_NAMES, type WriterName } from "../../write/registry.js";
import type { CleanFlags } from "./clean-flags.js";

const MARKUP: readonly WriterName[] = ["markdown", "html", "xml", "tei"];
const RECORDS: readonly WriterName[] = ["jsonl", "json", "parquet"];
const WITH_REGISTERS: readonly WriterName[] = [...RECORDS, "tei", "xml", "csv", "wet"];

/** What `--column` does if no input has fields. */
export const NO_FIELDS = "--column has no effect here: it only affects JSON Lines, JSON and Parquet inputs";

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
  const written = [flags.to ?? "jsonl", flags.formatted].filter((name) => name !== undefined);
  const offered: readonly WriterName[] = namedBy === "--to" ? WRITER_NAMES : RECORD_FORMATS;
  return ROWS.filter(
    ({ isGiven, heeding }) => isGiven(flags) && !written.some((name) => heeding.includes(name)),
  ).map(({ name, heeding, lacks = "has no effect here: it only affects" }) => {
    const formats = heeding.filter((format) => offered.includes(format));
    return `${name} ${lacks} ${namedBy} ${formats.join(", ")}`;
  });
}
