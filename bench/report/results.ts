/** Declares what a run of the benchmark found: the one file that every report is written from. Plain JSON. */
import type { CorpusProblem } from "../corpora/gold.js";
import type { Cost } from "../systems/system.js";

/** A measure over the documents of a group. `value` is null where no document has the gold for it. */
export interface Measured {
  readonly value: number | null;
  /** Document-bootstrap 95 % interval. */
  readonly low?: number;
  readonly high?: number;
}

/** By the names in `MEASURES` (bench/metrics/measures.ts). */
export type ScoreTable = Readonly<Record<string, Measured>>;

export interface CurvePoint {
  readonly threshold: number;
  readonly precision: number | null;
  readonly recall: number | null;
}

/** Pages whose gold has no content and pages whose gold has some, and for how many of each a system gave no text. */
export interface NothingCounts {
  readonly emptyPages: number;
  readonly emptySaid: number;
  readonly fullPages: number;
  readonly fullSaid: number;
}

/** By the corpus's type, then by the system's: how many pages. */
export type TypeConfusion = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** For systems that give every line a score. */
export interface ScoredReport {
  readonly curve: readonly CurvePoint[];
  readonly averagePrecision: number | null;
  /** Where precision = recall. */
  readonly breakEven: CurvePoint | null;
  readonly calibrationError: number | null;
  readonly bins: readonly {
    readonly low: number;
    readonly high: number;
    readonly lines: number;
    readonly score: number | null;
    readonly content: number | null;
  }[];
  readonly byPosition: readonly {
    readonly bucket: string;
    readonly lines: number;
    readonly accuracy: number | null;
  }[];
  readonly byLength: readonly {
    readonly bucket: string;
    readonly lines: number;
    readonly accuracy: number | null;
  }[];
}

/** A document to look at, line by line. */
export interface ShownDocument {
  readonly id: string;
  readonly url: string;
  readonly lang: string;
  readonly pageType?: string;
  readonly lineF1: number | null;
  /** Line F1 of the best other system on it. */
  readonly bestOther?: { readonly system: string; readonly lineF1: number };
  /** Long documents are cut; `left` says how many lines more there are. */
  readonly lines: readonly {
    readonly text: string;
    /** null: nobody knows. */
    readonly gold: 0 | 1 | null;
    readonly label: 0 | 1;
    readonly score?: number;
  }[];
  readonly left: number;
}

export interface SystemScores {
  readonly system: string;
  /** Documents given to it, failures included. */
  readonly documents: number;
  readonly failures: Readonly<Record<"crash" | "timeout" | "missing" | "reject", number>>;
  /** Some of the failures, to look at. */
  readonly failed: readonly { readonly id: string; readonly failure: string; readonly detail: string }[];
  /** Share of the words it returned that could be placed nowhere on the page. */
  readonly unplaced: number | null;
  readonly overall: ScoreTable;
  /** Absent in results of older versions. */
  readonly nothing?: NothingCounts;
  /** For systems that say what a page is, on corpora that do. */
  readonly pageTypes?: TypeConfusion;
  /** By grouping ("lang", "pageType", "register", "length"), then by group. */
  readonly groups: Readonly<
    Record<string, Readonly<Record<string, { readonly documents: number; readonly scores: ScoreTable }>>>
  >;
  readonly scored?: ScoredReport;
  /**
   * Against the reference system, on the documents that both answered: difference of a measure (line F1 where there
   * are lines), its 95 % interval, and how likely chance does as much.
   */
  readonly versus?: {
    readonly system: string;
    readonly measure: string;
    readonly documents: number;
    readonly difference: number;
    readonly low: number;
    readonly high: number;
    readonly p: number;
  };
  readonly worst: readonly ShownDocument[];
  readonly cost?: {
    readonly pages: number;
    readonly cpuMs: {
      readonly mean: number;
      readonly p50: number;
      readonly p99: number;
      readonly max: number;
    };
    readonly peakBytes?: number;
  };
}

export interface CorpusScores {
  readonly corpus: string;
  readonly origin: string;
  readonly licence: string;
  readonly unit: "pages" | "lines";
  /** The measures of the corpus's own evaluation, by name; the last is its headline. */
  readonly ownMeasures?: readonly string[];
  readonly mainContent: string;
  readonly training: string;
  readonly digest: string;
  readonly documents: number;
  /** True where only a fixed sample of the corpus was run. */
  readonly isSample: boolean;
  readonly problems: readonly CorpusProblem[];
  readonly systems: readonly SystemScores[];
}

export interface SpeedRow {
  readonly system: string;
  readonly pages: number;
  readonly pagesPerSecond: number;
  readonly ms: { readonly mean: number; readonly p50: number; readonly p99: number; readonly max: number };
  readonly peakBytesAboveStart?: number;
  readonly start?: Cost;
  /** Core-hours for 2.5 billion such pages. */
  readonly coreHours: number;
  /** Pages a second, divided by those of the reference in the same run. */
  readonly ratio: number | null;
  readonly failures: number;
}

/** How many outputs are wrong in each way, and the first of them (ids, or `file:line`). */
export interface StoredProblems {
  readonly counts: Readonly<Record<"missing" | "unknown" | "repeated" | "malformed", number>>;
  readonly first: Readonly<Record<"missing" | "unknown" | "repeated" | "malformed", readonly string[]>>;
}

export interface Results {
  readonly format: "thresher-bench-1";
  readonly date: string;
  /** What to type to get this again. */
  readonly command: string;
  readonly version: string;
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly node: string;
    readonly platform: string;
  };
  readonly systems: readonly {
    readonly name: string;
    readonly group: "ours" | "rival" | "stored";
    readonly describe: string;
    /** Of stored outputs: what does not fit the documents that were run. Lists are cut, counts are not. */
    readonly audit?: StoredProblems;
  }[];
  /** Systems that were asked for and could not be had, with the reason. */
  readonly unavailable: readonly { readonly name: string; readonly why: string }[];
  readonly corpora: readonly CorpusScores[];
  readonly speed?: {
    readonly pages: string;
    readonly reference: string;
    readonly kind: "cpu" | "wall";
    readonly rows: readonly SpeedRow[];
  };
}
