/** Reads, compares and writes `bench/floors.json`: the lowest scores that our systems may have, on pinned documents. */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import type { MeasureName } from "../../metrics/measures.js";
import type { CorpusScores } from "../../report/results.js";
import { isMissing } from "../../missing.js";

/** The measures that have floors, where a corpus has the gold for them. In all of them higher is better. */
const FLOOR_MEASURES = ["lineF1", "macroF1", "wordF1", "segmentF1"] as const satisfies readonly MeasureName[];
/**
 * In score points (0 to 1). Other versions of Node and other processors change the last digits, but never this much.
 */
const EPSILON = 0.002;

export type FloorScores = Readonly<Partial<Record<(typeof FLOOR_MEASURES)[number], number>>>;

export interface SystemFloor {
  /** The number of pages on which the system may fail. */
  readonly failures: number;
  readonly scores: FloorScores;
}

export interface CorpusFloors {
  readonly corpus: string;
  /** The number of documents of a fixed sample; absent when the whole corpus is measured. */
  readonly sample?: number;
  readonly documents: number;
  readonly digest: string;
  readonly systems: Readonly<Record<string, SystemFloor>>;
}

export interface Floors {
  readonly format: "thresher-floors-1";
  readonly corpora: readonly CorpusFloors[];
}

/** A reason why the gate fails. */
export interface GateProblem {
  readonly reason:
    | "below"
    | "failures"
    | "digest"
    | "no-floor"
    | "not-measured"
    | "edited"
    | "lowered"
    | "no-changelog"
    | "trained-on-test"
    | "no-manifest"
    | "no-test-documents";
  readonly detail: string;
}

/** Converts measured scores into the form of floors. */
export function toFloors(scores: CorpusScores, sample: number | undefined): CorpusFloors {
  return {
    corpus: scores.corpus,
    ...(sample === undefined ? {} : { sample }),
    documents: scores.documents,
    digest: scores.digest,
    systems: Object.fromEntries(
      scores.systems.map(({ system, failures, overall }) => [
        system,
        {
          failures: Object.values(failures).reduce((sum, count) => sum + count, 0),
          scores: Object.fromEntries(
            FLOOR_MEASURES.flatMap((name) => {
              const value = overall[name]?.value ?? null;
              return value === null ? [] : [[name, Math.floor(value * 1e4) / 1e4]];
            }),
          ),
        },
      ]),
    ),
  };
}

/**
 * Returns a problem for each floor that is not reached, each system without a floor or without a measurement, and for
 * documents or a sample other than those of the floors.
 */
export function compareFloors(floor: CorpusFloors, measured: CorpusFloors): GateProblem[] {
  if (floor.digest !== measured.digest || floor.sample !== measured.sample) {
    const detail = `${floor.corpus}: its documents are not those of the floors (digest ${measured.digest.slice(0, 12)} instead of ${floor.digest.slice(0, 12)}); --refresh takes the new ones`;
    return [{ reason: "digest", detail }];
  }
  const known = Object.entries(floor.systems).flatMap(([system, { failures, scores }]): GateProblem[] => {
    const now = measured.systems[system];
    const name = `${floor.corpus}, ${system}`;
    if (now === undefined)
      return [{ reason: "not-measured", detail: `${name}: has a floor, but did not run` }];
    const below = findBelow(scores, now.scores).map(({ measure, was, is }): GateProblem => ({
      reason: "below",
      detail: `${name}: ${measure} is ${is ?? "not measured"}, its floor is ${was}`,
    }));
    return now.failures <= failures
      ? below
      : [
          ...below,
          { reason: "failures", detail: `${name}: failed on ${now.failures} pages, not ${failures}` },
        ];
  });
  const without = Object.keys(measured.systems).filter((system) => floor.systems[system] === undefined);
  return [
    ...known,
    ...without.map((system): GateProblem => ({
      reason: "no-floor",
      detail: `${floor.corpus}, ${system}: has no floor; --refresh writes it`,
    })),
  ];
}

interface Drop {
  readonly measure: string;
  readonly was: number;
  readonly is: number | undefined;
}

/** Returns the measures that are more than `EPSILON` below their floor, or that are not measured any more. */
function findBelow(floor: FloorScores, now: FloorScores): Drop[] {
  return FLOOR_MEASURES.flatMap((measure) => {
    const [was, is] = [floor[measure], now[measure]];
    return was === undefined || (is !== undefined && is >= was - EPSILON) ? [] : [{ measure, was, is }];
  });
}

/**
 * Takes the measured scores as floors, but keeps an old floor when the new score is lower by at most `EPSILON`, so that
 * noise never lowers a floor.
 */
export function raiseFloors(old: CorpusFloors | undefined, measured: CorpusFloors): CorpusFloors {
  const systems = Object.entries(measured.systems).map(([system, now]) => {
    const was = old?.systems[system]?.scores ?? {};
    const scores = Object.fromEntries(
      Object.entries(now.scores).map(([name, value]) => {
        const before = was[name as keyof FloorScores]; // the keys of FloorScores
        return [name, before !== undefined && before - value <= EPSILON ? Math.max(before, value) : value];
      }),
    );
    return [system, { failures: now.failures, scores }] as const;
  });
  return { ...measured, systems: Object.fromEntries(systems) };
}

/** Describes each floor of `old` that `next` would lower or drop, and each system with more failures. */
export function findLowered(old: CorpusFloors, next: CorpusFloors): string[] {
  return Object.entries(old.systems).flatMap(([system, { failures, scores }]) => {
    const now = next.systems[system];
    if (now === undefined) return [`${old.corpus}, ${system}: its floor would be removed`];
    const below = findBelow(scores, now.scores).map(
      ({ measure, was, is }) => `${old.corpus}, ${system}: ${measure} from ${was} to ${is ?? "nothing"}`,
    );
    return now.failures <= failures
      ? below
      : [...below, `${old.corpus}, ${system}: ${now.failures} failures instead of ${failures}`];
  });
}

/** The file carries a digest of its floors, so that a change by hand does not lower a floor unnoticed. */
function seal(floors: Floors): string {
  return createHash("sha256").update(JSON.stringify(floors)).digest("hex");
}

/** Returns undefined when the file does not exist. `isSealed` is false when the file was changed by hand. */
export async function readFloors(
  file: string,
): Promise<{ readonly floors: Floors; readonly isSealed: boolean } | undefined> {
  let json: string;
  try {
    json = await readFile(file, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  const { seal: written, ...floors } = JSON.parse(json) as Floors & { readonly seal?: string }; // compared below
  return { floors, isSealed: written === seal(floors) };
}

export async function writeFloors(file: string, floors: Floors): Promise<void> {
  await writeFile(file, `${JSON.stringify({ ...floors, seal: seal(floors) }, null, 2)}\n`);
}
