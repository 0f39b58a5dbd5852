/** Sums the judged counts over the documents of a corpus, with intervals, by page type, and with examples. */
import { bootstrap, FEWEST_RESAMPLED, type Interval } from "../../metrics/bootstrap.js";
import { meanScore, type Score } from "../../metrics/fractions.js";
import { scoreCounts, sumCounts, type ItemCounts } from "../../metrics/items/items.js";
import type { ItemExample, ItemScore, ItemScores, SystemItems } from "../../report/items/item-results.js";
import type { ItemKind } from "../../metrics/items/kinds.js";
import type { Measured } from "../../report/results.js";
import { summariseFailures } from "../failures.js";
import type { JudgedItems } from "./judge-items.js";

export interface ItemScoreOptions {
  readonly kinds: readonly ItemKind[];
  /** The number of resamplings; 0 for no intervals. */
  readonly samples?: number;
}

/** A kind with fewer wanted items than this is in no mean, because its score says too little. */
const MIN_WANTED = 10;
const MAX_EXAMPLES = 25;

export function scoreItems(
  system: string,
  judged: readonly JudgedItems[],
  options: ItemScoreOptions,
): SystemItems {
  const { scores, mean } = scoreGroup(judged, options);
  const cpuMs = meanScore(judged.map((one) => one.cpuMs ?? null));
  return {
    system,
    documents: judged.length,
    ...summariseFailures(judged),
    overall: scores,
    mean,
    pageTypes: scorePageTypes(judged, options),
    examples: Object.fromEntries(options.kinds.map(({ name }) => [name, findExamples(judged, name)])),
    ...(cpuMs === null ? {} : { cpuMs }),
  };
}

function scorePageTypes(
  judged: readonly JudgedItems[],
  { kinds }: ItemScoreOptions,
): SystemItems["pageTypes"] {
  const types = [...new Set(judged.flatMap(({ pageType }) => pageType ?? []))].sort();
  return Object.fromEntries(
    types.map((type) => {
      const members = judged.filter(({ pageType }) => pageType === type);
      const { scores, mean } = scoreGroup(members, { kinds, samples: 0 });
      return [type, { documents: members.length, mean: mean.value, scores }];
    }),
  );
}

/** Scores a group of pages. Leaves out kinds without wanted or found items. */
function scoreGroup(
  judged: readonly JudgedItems[],
  { kinds, samples }: ItemScoreOptions,
): { readonly scores: ItemScores; readonly mean: Measured } {
  const totals = new Map(
    kinds
      .map(({ name }): [string, ItemCounts] => [name, sumAll(judged, name)])
      .filter(([, { wanted, found }]) => wanted + found > 0),
  );
  const counted = kinds
    .filter(({ name, isSecond }) => isSecond !== true && (totals.get(name)?.wanted ?? 0) >= MIN_WANTED)
    .map(({ name }) => name);
  const scoreSample = (sample: readonly JudgedItems[]): Record<string, Score> => {
    const values: Record<string, Score> = {};
    for (const name of totals.keys()) {
      const { precision, recall, f1 } = scoreCounts(sumAll(sample, name));
      Object.assign(values, {
        [`${name} precision`]: precision,
        [`${name} recall`]: recall,
        [`${name} f1`]: f1,
      });
    }
    return { ...values, mean: meanScore(counted.map((name) => values[`${name} f1`] ?? null)) };
  };
  const rounds = judged.length < FEWEST_RESAMPLED ? 0 : samples;
  const intervals = bootstrap(judged, scoreSample, rounds === undefined ? {} : { samples: rounds });
  const read = (name: string): Measured => toMeasured(intervals[name]);
  const scores = [...totals].map(([name, counts]): [string, ItemScore] => [
    name,
    {
      ...counts,
      precision: read(`${name} precision`),
      recall: read(`${name} recall`),
      f1: read(`${name} f1`),
    },
  ]);
  return { scores: Object.fromEntries(scores), mean: read("mean") };
}

function sumAll(judged: readonly JudgedItems[], name: string): ItemCounts {
  return sumCounts(
    judged.map(({ counts }) => counts),
    name,
  );
}

function toMeasured(interval: Interval | undefined): Measured {
  if (interval === undefined) return { value: null };
  const { value, low, high } = interval;
  return { value, ...(low === null ? {} : { low }), ...(high === null ? {} : { high }) };
}

function findExamples(judged: readonly JudgedItems[], name: string): ItemExample[] {
  return judged
    .flatMap(({ id, differences }) => {
      const difference = differences[name];
      return difference === undefined ? [] : [{ id, ...difference }];
    })
    .slice(0, MAX_EXAMPLES);
}
