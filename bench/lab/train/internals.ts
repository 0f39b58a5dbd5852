/** Loads the internals of `thresher train` that only this measurement uses. */
import { loadFrom, type Places } from "../../systems/internals.js";

export type TrainKind = "page" | "text";

export interface GoldRecord {
  readonly id: string;
  readonly url?: string;
  readonly lang: string;
  readonly source: string;
  readonly title?: string;
  readonly lines: readonly { readonly text: string; readonly label: 0 | 1 | null }[];
}

/** Passed from one function to the next; this code does not read it. */
type Opaque = object;

export interface Evidence {
  readonly example: { readonly document: Opaque; readonly labels: readonly (0 | 1 | null)[] };
  relabel(change: Opaque): Opaque;
}

interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Mirrors the functions in the package's files. */
export interface Internals {
  readonly NO_CHANGE: Opaque;
  toExample(record: GoldRecord, kind: TrainKind): Evidence["example"];
  openBase(kind: TrainKind): Promise<{
    readonly name: string;
    gather(example: Evidence["example"]): Promise<Evidence>;
    close(): Promise<void>;
  }>;
  partIntoFolds(documents: readonly Opaque[], seed: number): { readonly of: readonly number[] };
  trainOn(
    evidence: readonly Evidence[],
    folds: Opaque,
    options: { readonly kind: TrainKind; readonly seed: number; readonly step?: string },
  ): { readonly step: string; readonly change: Opaque; readonly worse?: string };
  countDocument(document: Opaque, labels: readonly (0 | 1 | null)[]): Float64Array;
  compare(
    before: readonly Float64Array[],
    after: readonly Float64Array[],
    options: { readonly seed: number; readonly shares: readonly number[] },
  ): Readonly<Record<"before" | "after" | "difference", Readonly<Record<string, Interval>>>>;
  createRandom(seed: number): () => number;
  shuffle<T>(values: readonly T[], random: () => number): T[];
}

const PLACES: Places<Internals> = {
  "train/change": ["NO_CHANGE"],
  "train/gold-examples": ["toExample"],
  "train/evidence": ["openBase"],
  "train/fit/folds": ["partIntoFolds"],
  "train/train-model": ["trainOn"],
  "train/figures": ["countDocument", "compare"],
  random: ["createRandom", "shuffle"],
};

export function loadInternals(): Promise<Internals> {
  return loadFrom(PLACES);
}
