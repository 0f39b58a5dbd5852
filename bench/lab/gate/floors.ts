/** Reads, compares and writes `bench/floors.json`: the least that our systems must score, on documents that are pinned by their digest. */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import type { MeasureName } from "../../metrics/measures.js";
import type { CorpusScores } from "../../report/results.js";

/** What is pinned, where a corpus has the gold for it. In all of them higher is better. */
const FLOOR_MEASURES = ["lineF1", "macroF1", "wordF1", "segmentF1"] as const satisfies readonly MeasureName[];
/** Score points: other versions of Node and other processors move the last digits, never this much. */
const EPSILON = 0.002;

export type FloorScores = Readonly<Partial<Record<(typeof FLOOR_MEASURES)[number], number>>>;

export interface SystemFloor {
  /** Pages that it may fail on. */
  readonly failures: number;
  readonly scores: FloorScores;
}

export interface CorpusFloors {
  readonly corpus: string;
  /** How many documents a fixed sample has; the whole corpus when absent. */
  readonly sample?: number;
  readonly documents: number;
  readonly digest: string;
  readonly systems: Readonly<Record<string, SystemFloor>>;
}

export interface Floors {
  readonly format: "thresher-floors-1";
  readonly corpora: readonly CorpusFloors[];
}

/** Something that must not pass. */
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
    | "no-manifest";
  readonly detail: string;
}

/** What was measured, in the form that floors have. */
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

/** What of `floor` the measurement does not reach. */
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

/** Floors that are lower now, or gone. */
function findBelow(floor: FloorScores, now: FloorScores): Drop[] {
  return FLOOR_MEASURES.flatMap((measure) => {
    const [was, is] = [floor[measure], now[measure]];
    return was === undefined || (is !== undefined && is >= was - EPSILON) ? [] : [{ measure, was, is }];
  });
}

/** Floors never fall by themselves: each measure keeps the higher one of what was and what is, if only noise parts them. */
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

/** Whether each floor of `old` is still there in `next`, as high as it was, with no more failures. */
export function findLowered(old: CorpusFloors, next: CorpusFloors): string[] {
  return Object.entries(old.systems).flatMap(([system, { failures, scores }]) => {
    const now = next.systems[system];
    if (now === undefined) return [`${old.corpus}, ${system}: its floor would go`];
    const below = findBelow(scores, now.scores).map(
      ({ measure, was, is }) => `${old.corpus}, ${system}: ${measure} from ${was} to ${is ?? "nothing"}`,
    );
    return now.failures <= failures
      ? below
      : [...below, `${old.corpus}, ${system}: ${now.failures} failures instead of ${failures}`];
  });
}

/** A change by hand would lower a floor unseen: the file carries the digest of what this program wrote. */
function seal(floors: Floors): string {
  return createHash("sha256").update(JSON.stringify(floors)).digest("hex");
}

/** undefined where there is no such file. `isSealed` says whether it is as it was written. */
export async function readFloors(
  file: string,
): Promise<{ readonly floors: Floors; readonly isSealed: boolean } | undefined> {
  let json: string;
  try {
    json = await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  const { seal: written, ...floors } = JSON.parse(json) as Floors & { readonly seal?: string }; // sealed below
  return { floors, isSealed: written === seal(floors) };
}

export async function writeFloors(file: string, floors: Floors): Promise<void> {
  await writeFile(file, `${JSON.stringify({ ...floors, seal: seal(floors) }, null, 2)}\n`);
}
