/**
 * Sorts the systems of a corpus by cleaning step: raw, extracted, or extracted and labelled; other programs form their
 * own groups.
 */
import { HEADLINES, type MeasureName } from "../metrics/measures.js";
import { findSettings } from "../systems/ours.js";
import type { CorpusScores, Measured, Results, SystemScores } from "./results.js";

export type Condition = "raw" | "extracted" | "labelled" | "rival" | "stored";

export interface Placed {
  readonly system: SystemScores;
  readonly condition: Condition;
  /** Only on pages, for our own systems that state it. */
  readonly extractor?: string;
}

/** The name of each condition in a legend. */
export const CONDITION_TITLES: Readonly<Record<Condition, string>> = {
  raw: "raw: nothing removed",
  extracted: "Thresher, extractor only",
  labelled: "Thresher, with a labeller",
  rival: "another program",
  stored: "stored outputs",
};

/** Returns the systems of a corpus with their conditions: raw first, then the others, best first by `standingOf`. */
export function placeSystems(results: Results, corpus: CorpusScores): Placed[] {
  const groups = new Map(results.systems.map(({ name, group }) => [name, group]));
  const placed = corpus.systems.map((system): Placed => {
    const group = groups.get(system.system) ?? "stored";
    if (group !== "ours") return { system, condition: group };
    if (system.system === "raw") return { system, condition: "raw" };
    const { extractor, labeller } = findSettings(system.system) ?? {};
    return {
      system,
      condition: labeller === "none" ? "extracted" : "labelled",
      ...(extractor === undefined || corpus.unit === "lines" ? {} : { extractor }),
    };
  });
  const headline = findHeadline(corpus);
  const rank = ({ system, condition }: Placed): number =>
    condition === "raw" ? Infinity : (standingOf(system, headline)?.value ?? -Infinity);
  // compares without subtracting, because Infinity − Infinity is NaN
  return placed.sort((a, b) => (rank(a) === rank(b) ? 0 : rank(a) < rank(b) ? 1 : -1));
}

/** Returns the measure that represents a corpus: the first of `HEADLINES` for which any system has a value. */
export function findHeadline(corpus: CorpusScores): MeasureName {
  const found = HEADLINES.find((name) =>
    corpus.systems.some(({ overall }) => typeof overall[name]?.value === "number"),
  );
  return found ?? HEADLINES[0];
}

/** For each headline that leaves failed pages out, the form in which such a page counts as nothing returned. */
const WITH_FAILURES: Readonly<Partial<Record<MeasureName, MeasureName>>> = {
  lineF1: "lineF1WithFailures",
  wordF1: "wordF1WithFailures",
};

/**
 * Returns the headline value by which systems are compared, in the form where a failed page counts as nothing returned,
 * so that a system cannot gain by failing on hard pages. (`segmentF1` already counts a failed page as an empty text.)
 */
export function standingOf(system: SystemScores, headline: MeasureName): Measured | undefined {
  const withFailures = system.overall[WITH_FAILURES[headline] ?? headline];
  return typeof withFailures?.value === "number" ? withFailures : system.overall[headline];
}

export interface Steps {
  readonly raw?: Placed;
  /** Our best extractor without a labeller. */
  readonly extracted?: Placed;
  /** The extractor of `labelled` without a labeller, if it differs from `extracted`. */
  readonly base?: Placed;
  readonly labelled?: Placed;
  /** The best other program; a stored output only if no other program ran. */
  readonly rival?: Placed;
  /** The best of all systems, including raw. */
  readonly best?: Placed;
}

/** Finds the steps to show: our best extractor alone, our best combination with a labeller, and the best rival. */
export function findSteps(results: Results, corpus: CorpusScores): Steps {
  const placed = placeSystems(results, corpus);
  const headline = findHeadline(corpus);
  const first = (isWanted: (item: Placed) => boolean): Placed | undefined => placed.find(isWanted);
  const raw = first(({ condition }) => condition === "raw");
  const labelled = first(({ condition }) => condition === "labelled");
  const extracted = first(({ condition, extractor }) => condition === "extracted" && extractor !== undefined);
  const base = first(
    ({ condition, extractor }) =>
      condition === "extracted" && extractor !== undefined && extractor === labelled?.extractor,
  );
  const rival =
    first(({ condition }) => condition === "rival") ?? first(({ condition }) => condition === "stored");
  const best = [...placed].sort(
    (a, b) => (standingOf(b.system, headline)?.value ?? -2) - (standingOf(a.system, headline)?.value ?? -2),
  )[0];
  return {
    ...(raw === undefined ? {} : { raw }),
    ...(extracted === undefined ? {} : { extracted }),
    ...(base === undefined || base === extracted ? {} : { base }),
    ...(labelled === undefined ? {} : { labelled }),
    ...(rival === undefined ? {} : { rival }),
    ...(best === undefined ? {} : { best }),
  };
}

/** Returns whether the interval of a system reaches that of the best, so that it is open which one is better. */
export function isLevel(system: Measured | undefined, best: Measured | undefined): boolean {
  if (system?.high === undefined || best?.low === undefined) return false;
  return system.high >= best.low;
}
