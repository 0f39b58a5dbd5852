/**
 * Writes the figures of a run as the JSON of `--stats`, and formats them as a table. The values under "run" depend on
 * the machine; all others depend only on the input.
 */
import { formatCount, tellCount } from "../../count.js";
import { openFile } from "../../write/files/sink.js";
import { REGISTERS, SUBREGISTER_NAMES } from "../../document.js";
import { findTime } from "../../time/time-scale.js";
import { measureOwnPeakMb } from "../../usage.js";
import type { EndOfRun } from "../run/resume.js";
import { sumRows, type CorpusRow, type Figures, type RegisterCounts } from "./run-figures.js";
import { compareTexts, sortKeys } from "../../text-order.js";

interface RunFacts extends EndOfRun {
  readonly version: string;
  readonly fingerprint: string;
  /** The engine that ran the networks, if a labeller has one. */
  readonly engine: string | undefined;
  readonly workers: number;
  /** Seconds that all runs took, if this run continued earlier ones. */
  readonly seconds: number;
  /** Whether this run continued an earlier one. */
  readonly isResumed: boolean;
  /** The statistics of a crawl. */
  readonly crawl?: Readonly<Record<string, unknown>>;
}

/** Throws OutputError if the file cannot be written; `signal` ends the wait for the reader of a named pipe. */
export async function writeStats(
  { path, signal }: { readonly path: string; readonly signal: AbortSignal },
  figures: Figures,
  facts: RunFacts,
): Promise<void> {
  const sink = await openFile(path, { signal });
  await sink.write(`${JSON.stringify(toStats(figures, facts), undefined, 2)}\n`);
  await sink.close();
}

function toStats(figures: Figures, facts: RunFacts): Readonly<Record<string, unknown>> {
  const { version, fingerprint, passedOver, otherFiles, engine, workers, seconds, bytesRead, isResumed } =
    facts;
  const { documents, rejects, reasons, notes, languages, slowest } = figures;
  const rate = (count: number): number => (seconds > 0 ? round(count / seconds) : 0);
  return {
    version,
    fingerprint,
    documents,
    rejects,
    // Keys are sorted, because a resumed run may find them in another order.
    reasons: sortKeys(reasons),
    notes: sortKeys(notes),
    recordsWithoutPage: sortKeys(passedOver),
    ...(otherFiles === undefined ? {} : { otherFiles }),
    ...(facts.hiddenFiles === undefined ? {} : { hiddenFiles: facts.hiddenFiles }),
    ...(facts.crawl === undefined ? {} : { crawl: facts.crawl }),
    corpus: toRow(sumRows(Object.values(languages))),
    languages: Object.fromEntries(
      Object.entries(sortKeys(languages)).map(([name, row]) => [name, toRow(row)]),
    ),
    run: {
      ...(engine === undefined ? {} : { engine }),
      workers,
      isResumed,
      seconds: round(seconds),
      documentsPerSecond: rate(documents + rejects),
      megabytesPerSecond: rate(bytesRead / 1e6),
      peakMemoryMegabytes: measureOwnPeakMb(),
      msPerDocument: Object.fromEntries(
        [0.5, 0.9, 0.99].map((share) => [`p${share * 100}`, findTime(figures.times, share)]),
      ),
      slowest,
    },
  };
}

/** Returns a row of the corpus table, with the share of its lines that are main content. */
function toRow({ registers, ...row }: CorpusRow): Readonly<Record<string, unknown>> {
  const lines = row.contentLines + row.boilerplateLines;
  return {
    ...row,
    contentShare: lines === 0 ? 0 : round(row.contentLines / lines),
    ...(registers && { registers: toRegisters(registers) }),
  };
}

const REGISTER_ORDER: readonly string[] = [...REGISTERS, ...SUBREGISTER_NAMES];

function toRegisters({ told, unsure, found, machine }: RegisterCounts): Readonly<Record<string, unknown>> {
  const names = Object.entries(found).sort(
    ([one], [other]) => REGISTER_ORDER.indexOf(one) - REGISTER_ORDER.indexOf(other),
  );
  return { told, unsure, found: Object.fromEntries(names), expectedMachineText: round(machine) };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

const HEAD = ["language", "texts", "kept", "content lines", "boilerplate lines", "words"];
/** Number of rows that fit on a screen; the other languages share one. */
const MOST_ROWS = 20;

/** Formats a row for each language, as in Register Oscar, with most texts first. Returns "" if nothing was labelled. */
export function formatCorpusTable({ languages }: Pick<Figures, "languages">): string {
  const sorted = Object.entries(languages).sort(
    ([a, one], [b, other]) => other.texts - one.texts || compareTexts(a, b),
  );
  if (sorted.length === 0) return "";
  const shown = sorted.length > MOST_ROWS ? sorted.slice(0, MOST_ROWS - 1) : sorted;
  const others = sorted.slice(shown.length).map(([, row]) => row);
  const rows = [
    HEAD,
    ...shown.map(([name, row]) => toCells(name, row)),
    ...(others.length === 0 ? [] : [toCells(tellCount(others.length, "other"), sumRows(others))]),
    ...(sorted.length === 1 ? [] : [toCells("all", sumRows(Object.values(languages)))]),
  ];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  return rows
    .map((cells) => `  ${cells.map((cell, at) => pad(cell, widths[at] ?? 0, at)).join("  ")}\n`)
    .join("");
}

function toCells(name: string, row: CorpusRow): string[] {
  const { texts, keptTexts, contentLines, boilerplateLines, words } = row;
  return [name, ...[texts, keptTexts, contentLines, boilerplateLines, words].map(formatCount)];
}

function pad(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}
