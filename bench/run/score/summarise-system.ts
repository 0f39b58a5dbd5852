/** Summarises a system's outputs on all documents of a corpus: its row of the results. */
import { bootstrap, comparePaired, FEWEST_RESAMPLED } from "../../metrics/bootstrap.js";
import type { Score } from "../../metrics/fractions.js";
import { groupDocuments, GROUPINGS } from "../../metrics/groups.js";
import { HEADLINES, MEASURES, type MeasureName } from "../../metrics/measures.js";
import type { Measured, ScoreTable, SystemScores, TypeConfusion } from "../../report/results.js";
import type { GoldDocument } from "../../corpora/gold.js";
import { summariseFailures } from "../failures.js";
import { summariseTimes } from "../measure-speed.js";
import { countNothing, measure, round, sumColumns, unplacedShare, type Columns } from "./score-sums.js";
import type { Judged } from "./judge.js";
import { reportScores } from "./scored-report.js";
import { showWorst, type LineF1s } from "./worst.js";

export interface ScoringOptions {
  /** The gold documents by id, without their pages. */
  readonly documents: ReadonlyMap<string, GoldDocument>;
  readonly scores: LineF1s;
  /** The number of resamplings for intervals and tests; 0 leaves them out. */
  readonly samples: number;
  readonly reference?: { readonly system: string; readonly judged: readonly Judged[] };
}

export function summarise(system: string, judged: readonly Judged[], options: ScoringOptions): SystemScores {
  const { documents, reference } = options;
  const samples = judged.length < FEWEST_RESAMPLED ? 0 : options.samples;
  const scored = reportScores(judged, documents);
  const versus = reference === undefined ? undefined : compare(judged, reference, samples);
  const cost = summariseCost(judged);
  const pageTypes = confuseTypes(judged);
  const columns = judged.map((one) => one.columns);
  return {
    system,
    documents: judged.length,
    ...summariseFailures(judged),
    unplaced: round(unplacedShare(sumColumns(columns))),
    overall: tabulate(columns, samples),
    nothing: countNothing(sumColumns(columns)),
    ...(pageTypes === undefined ? {} : { pageTypes }),
    groups: groupScores(judged, documents, samples),
    ...(scored === undefined ? {} : { scored }),
    ...(versus === undefined ? {} : { versus }),
    worst: showWorst(system, judged, options),
    ...(cost === undefined ? {} : { cost }),
  };
}

/** Counts the pages by their gold type and the system's type; undefined if no page has both. */
function confuseTypes(judged: readonly Judged[]): TypeConfusion | undefined {
  const confusion: Record<string, Record<string, number>> = {};
  for (const { pageType } of judged) {
    if (pageType === undefined) continue;
    const row = (confusion[pageType.gold] ??= {});
    row[pageType.said] = (row[pageType.said] ?? 0) + 1;
  }
  return Object.keys(confusion).length === 0 ? undefined : confusion;
}

/** Returns all measures of a group, except those for which its documents have no gold. */
function tabulate(columns: readonly Columns[], samples: number): ScoreTable {
  const intervals = bootstrap(columns, (sample) => measure(sumColumns(sample)), { samples });
  const table: Record<string, Measured> = {};
  for (const { name } of MEASURES) {
    const { value, low, high } = intervals[name];
    if (value === null) continue;
    table[name] = {
      value: round(value),
      ...(low === null || high === null ? {} : { low: round(low) ?? 0, high: round(high) ?? 0 }),
    };
  }
  return table;
}

function groupScores(
  judged: readonly Judged[],
  documents: ReadonlyMap<string, GoldDocument>,
  samples: number,
): SystemScores["groups"] {
  const known = judged.flatMap((one) => {
    const document = documents.get(one.id);
    return document === undefined ? [] : [{ one, document }];
  });
  return Object.fromEntries(
    GROUPINGS.flatMap((grouping) => {
      const groups = groupDocuments(known, ({ document }) => document, grouping);
      if (groups.size === 0) return [];
      const rows = [...groups].map(([group, members]) => {
        const columns = members.map(({ one }) => one.columns);
        const scores = tabulate(columns, members.length < FEWEST_RESAMPLED ? 0 : samples);
        return [group, { documents: members.length, scores }] as const;
      });
      return [[grouping, Object.fromEntries(rows)] as const];
    }),
  );
}

/**
 * Compares a system with the reference on the documents that both answered, so that failing on hard pages is no
 * advantage.
 */
function compare(
  judged: readonly Judged[],
  reference: NonNullable<ScoringOptions["reference"]>,
  samples: number,
): SystemScores["versus"] {
  const theirs = new Map(reference.judged.map((one) => [one.id, one]));
  const pairs = judged.flatMap((one) => {
    const other = theirs.get(one.id);
    if (other === undefined || one.failure !== undefined || other.failure !== undefined) return [];
    return [{ a: one.columns, b: other.columns }];
  });
  const headline = findHeadline(pairs.map(({ b }) => b));
  if (headline === undefined || samples === 0 || pairs.length < FEWEST_RESAMPLED) return undefined;
  const score = (sample: readonly Columns[]): Score => measure(sumColumns(sample))[headline];
  const { difference, p } = comparePaired(pairs, score, { samples });
  const { value, low, high } = difference;
  if (value === null || low === null || high === null || p === null) return undefined;
  return {
    system: reference.system,
    measure: headline,
    documents: pairs.length,
    difference: round(value) ?? 0,
    low: round(low) ?? 0,
    high: round(high) ?? 0,
    p,
  };
}

function findHeadline(columns: readonly Columns[]): MeasureName | undefined {
  const values = measure(sumColumns(columns));
  return HEADLINES.find((name) => values[name] !== null);
}

function summariseCost(judged: readonly Judged[]): SystemScores["cost"] {
  const costs = judged.flatMap(({ cost }) => (cost === undefined ? [] : [cost]));
  const times = costs.flatMap(({ cpuMs }) => (cpuMs === undefined ? [] : [cpuMs]));
  if (times.length === 0) return undefined;
  const ms = (value: number): number => Math.round(value * 1000) / 1000;
  const { mean, p50, p99, max } = summariseTimes(times);
  const peakBytes = costs.reduce((most, { peakBytes: peak = 0 }) => Math.max(most, peak), 0);
  return {
    pages: times.length,
    cpuMs: { mean: ms(mean), p50: ms(p50), p99: ms(p99), max: ms(max) },
    ...(peakBytes === 0 ? {} : { peakBytes }),
  };
}
