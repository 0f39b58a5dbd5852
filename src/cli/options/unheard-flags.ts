/** Finds flags that have no effect on the output format. */
import type { WriterName } from "../../write/registry.js";
import type { CleanFlags } from "./clean-flags.js";

const MARKUP: readonly WriterName[] = ["markdown", "html", "xml", "tei"];
const RECORDS: readonly WriterName[] = ["jsonl", "json", "parquet"];

interface Row {
  readonly name: string;
  readonly isGiven: (flags: CleanFlags) => boolean;
  /** The formats that the flag affects. */
  readonly heeding: readonly WriterName[];
}

const ROWS: readonly Row[] = [
  { name: "--links", isGiven: (flags) => flags.links === true, heeding: MARKUP },
  { name: "--images", isGiven: (flags) => flags.images === true, heeding: MARKUP },
  { name: "--lines", isGiven: (flags) => flags.lines === true, heeding: [...RECORDS, "tei"] },
  { name: "--spans", isGiven: (flags) => flags.spans === true, heeding: RECORDS },
  { name: "--formatted", isGiven: (flags) => flags.formatted !== undefined, heeding: RECORDS },
  { name: "--front-matter", isGiven: (flags) => flags.frontMatter === true, heeding: ["markdown"] },
];

/** Returns a sentence for each flag that changes nothing. If no format is named, the output may be JSON Lines. */
export function findUnheard(flags: CleanFlags): string[] {
  const written = [flags.to ?? "jsonl", flags.formatted].filter((name) => name !== undefined);
  return ROWS.filter(
    ({ isGiven, heeding }) => isGiven(flags) && !written.some((name) => heeding.includes(name)),
  ).map(({ name, heeding }) => `${name} has no effect here: it only affects --to ${heeding.join(", ")}`);
}
