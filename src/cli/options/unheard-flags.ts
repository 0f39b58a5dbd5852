/** Finds flags that shape some formats only, where another one is written. */
import type { WriterName } from "../../write/registry.js";
import type { CleanFlags } from "./clean-flags.js";

const MARKUP: readonly WriterName[] = ["markdown", "html", "xml", "tei"];

interface Row {
  readonly name: string;
  readonly isGiven: (flags: CleanFlags) => boolean;
  /** The formats that heed it. */
  readonly heeding: readonly WriterName[];
}

const ROWS: readonly Row[] = [
  { name: "--links", isGiven: (flags) => flags.links === true, heeding: MARKUP },
  { name: "--images", isGiven: (flags) => flags.images === true, heeding: MARKUP },
  { name: "--front-matter", isGiven: (flags) => flags.frontMatter === true, heeding: ["markdown"] },
];

/** A sentence for each flag that changes nothing. Where no format is named, text or JSON Lines are written. */
export function findUnheard(flags: CleanFlags): string[] {
  const written = [flags.to, flags.formatted].filter((name) => name !== undefined);
  return ROWS.filter(
    ({ isGiven, heeding }) => isGiven(flags) && !written.some((name) => heeding.includes(name)),
  ).map(({ name, heeding }) => `${name} changes nothing here: it shapes --to ${heeding.join(", ")}`);
}
