/** Defines the columns of the tables of a corpus, for every form of the report. */
import { MEASURES, type Measure, type MeasureName } from "../../metrics/measures.js";
import type { CorpusScores, NothingCounts, SystemScores } from "../results.js";
import { findHeadline } from "../conditions.js";
import { formatCount, formatInterval, formatMs, formatPercent, formatScore, NONE } from "../format.js";

/** The main measures in the order of the tables: cleanliness and loss, then the scores. */
const MAIN: readonly MeasureName[] = [
  "lineCleanliness",
  "wordCleanliness",
  "lineLoss",
  "wordLoss",
  "lineF1",
  "macroF1",
  "wordF1",
  "rougeF1",
  "segmentF1",
];

const SHARES: readonly string[] = [
  ...["lineCleanliness", "wordCleanliness", "lineLoss", "wordLoss", "wordLossWithFailures", "moved"],
  ...["nothingHere", "falseAlarms"],
];

export interface Column {
  readonly title: string;
  readonly explanation: string;
  /** The number behind a cell, for finding the best one. */
  value(system: SystemScores): number | null;
  text(system: SystemScores): string;
  /** The interval of the number, if the column shows it. */
  interval?(system: SystemScores): string;
  /** Absent if no value is better than another. */
  readonly better?: "higher" | "lower";
}

/** Returns the measure with this name. Throws RangeError if this version does not have it. */
export function findMeasure(name: string): Measure {
  const found = MEASURES.find((measure) => measure.name === name);
  if (found === undefined) throw new RangeError(`no measure is called ${name}`);
  return found;
}

export function formatMeasure(name: string, value: number | null | undefined): string {
  return SHARES.includes(name) ? formatPercent(value) : formatScore(value);
}

/** Returns the column of a measure, with its interval if `withInterval` is set. */
function measureColumn(name: MeasureName, withInterval = false): Column {
  const { title, explanation, better } = findMeasure(name);
  return {
    title,
    explanation,
    better,
    value: ({ overall }) => overall[name]?.value ?? null,
    text: ({ overall }) => formatMeasure(name, overall[name]?.value),
    ...(withInterval ? { interval: ({ overall }: SystemScores) => formatInterval(overall[name] ?? {}) } : {}),
  };
}

export function countFailures({ failures }: Pick<SystemScores, "failures">): number {
  return failures.crash + failures.timeout + failures.missing + failures.reject;
}

/** Returns for example "2 crash, 1 timeout"; empty without failures. */
export function describeFailures({ failures }: SystemScores): string {
  return Object.entries(failures)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(", ");
}

const FAILURES: Column = {
  title: "failed",
  explanation: "Documents on which the system crashed, ran out of time, rejected the page or gave no output.",
  value: countFailures,
  text: (system) => String(countFailures(system)),
};

const COST: Column = {
  title: "ms/page",
  explanation: "Mean CPU time of a page in the system's own process, reading and start-up not counted.",
  better: "lower",
  value: ({ cost }) => cost?.cpuMs.mean ?? null,
  text: ({ cost }) => formatMs(cost?.cpuMs.mean),
};

/** Returns the main measures for which at least one system of the corpus has a value, then failures and cost. */
export function mainColumns(corpus: CorpusScores): Column[] {
  const headline = findHeadline(corpus);
  const measured = MAIN.map((name) => measureColumn(name, name === headline));
  return [...measured.filter((column) => isFilled(column, corpus.systems)), FAILURES, COST];
}

/** Returns the measure by which the corpus's own evaluation ranks; undefined if it has no measure of its own. */
export function findOwnHeadline({ ownMeasures = [] }: CorpusScores): MeasureName | undefined {
  const last = ownMeasures.at(-1);
  return MEASURES.find(({ name }) => name === last)?.name;
}

/**
 * Returns the measures by which groups of documents are compared: the headline, and that of the corpus's own
 * evaluation.
 */
export function groupMeasures(corpus: CorpusScores): MeasureName[] {
  const own = findOwnHeadline(corpus);
  const headline = findHeadline(corpus);
  return own === undefined || own === headline ? [headline] : [headline, own];
}

/**
 * Returns the columns that the main figures leave out: the measures of the corpus's own evaluation, the results on
 * pages without main content, and the accuracy of page types. Empty if the corpus has no values for these.
 */
export function furtherColumns(corpus: CorpusScores): Column[] {
  const { ownMeasures = [], systems } = corpus;
  const own = findOwnHeadline(corpus);
  const measures = MEASURES.filter(({ name }) => ownMeasures.includes(name));
  const columns = measures.map(({ name }) => measureColumn(name, name === own));
  if (systems.some(({ nothing }) => (nothing?.emptyPages ?? 0) > 0)) columns.push(...NOTHING);
  columns.push(measureColumn("pageType"));
  return columns.filter((column) => isFilled(column, systems));
}

const NOTHING: readonly Column[] = [
  countedColumn("nothingHere", ({ emptySaid, emptyPages }) => [emptySaid, emptyPages]),
  countedColumn("falseAlarms", ({ fullSaid, fullPages }) => [fullSaid, fullPages]),
];

function countedColumn(
  name: MeasureName,
  counts: (nothing: NothingCounts) => readonly [number, number],
): Column {
  const column = measureColumn(name);
  return {
    ...column,
    text(system) {
      if (system.nothing === undefined) return column.text(system);
      const [said, pages] = counts(system.nothing);
      return pages === 0 ? NONE : `${column.text(system)} (${formatCount(said)}/${formatCount(pages)})`;
    },
  };
}

/** Returns every measure for which at least one system of the corpus has a value. */
export function allColumns(corpus: CorpusScores): Column[] {
  return MEASURES.map(({ name }) => measureColumn(name)).filter((column) => isFilled(column, corpus.systems));
}

function isFilled(column: Column, systems: readonly SystemScores[]): boolean {
  return systems.some((system) => column.value(system) !== null);
}

/**
 * Returns the best value of a column as it is printed, so that equal prints are equally best; undefined if the printed
 * values do not differ. `isRunner` leaves out raw, which loses nothing because it removes nothing.
 */
export function bestText(
  column: Column,
  systems: readonly SystemScores[],
  isRunner: (system: SystemScores) => boolean,
): string | undefined {
  if (column.better === undefined) return undefined;
  const sign = column.better === "higher" ? 1 : -1;
  const ranked = systems
    .filter((system) => isRunner(system) && column.value(system) !== null)
    .sort((a, b) => sign * ((column.value(b) ?? 0) - (column.value(a) ?? 0)));
  const [first, last] = [ranked[0], ranked.at(-1)];
  if (first === undefined || last === undefined || column.text(first) === column.text(last)) return undefined;
  return column.text(first);
}
