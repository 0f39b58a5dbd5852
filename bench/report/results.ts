/** Declares the results of a benchmark run: plain JSON in one file, from which every report is written. */
import type { CorpusProblem } from "../corpora/gold.js";
import type { Cost } from "../systems/system.js";

/** A measure over the documents of a group. `value` is null if no document has the gold for it. */
export interface Measured {
  readonly value: number | null;
  /** The 95 % interval, by bootstrap over documents. */
  readonly low?: number;
  readonly high?: number;
}

/** Values by the names in `MEASURES` (bench/metrics/measures.ts). */
export type ScoreTable = Readonly<Record<string, Measured>>;

export interface CurvePoint {
  readonly threshold: number;
  readonly precision: number | null;
  readonly recall: number | null;
}

/**
 * The number of pages without (`empty…`) and with (`full…`) main content, and on how many of each a system gave no
 * text.
 */
export interface NothingCounts {
  readonly emptyPages: number;
  readonly emptySaid: number;
  readonly fullPages: number;
  readonly fullSaid: number;
}

/** The number of pages, by the corpus's page type and then by the system's. */
export type TypeConfusion = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The report on a system that scores every line. */
export interface ScoredReport {
  readonly curve: readonly CurvePoint[];
  readonly averagePrecision: number | null;
  /** The point where precision and recall are closest. */
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

/** A document that is shown line by line. */
export interface ShownDocument {
  readonly id: string;
  readonly url: string;
  readonly lang: string;
  readonly pageType?: string;
  readonly lineF1: number | null;
  /** The line F1 of the best other system on this document. */
  readonly bestOther?: { readonly system: string; readonly lineF1: number };
  /** The lines shown of the document; `left` is the number of further lines. */
  readonly lines: readonly {
    readonly text: string;
    /** null if the label is not known. */
    readonly gold: 0 | 1 | null;
    readonly label: 0 | 1;
    readonly score?: number;
  }[];
  readonly left: number;
}

export interface SystemScores {
  readonly system: string;
  /** The number of documents given to it, including failures. */
  readonly documents: number;
  readonly failures: Readonly<Record<"crash" | "timeout" | "missing" | "reject", number>>;
  /** Some of the failures, as examples. */
  readonly failed: readonly { readonly id: string; readonly failure: string; readonly detail: string }[];
  /** The share of the words it returned that could not be placed on the page. */
  readonly unplaced: number | null;
  readonly overall: ScoreTable;
  /** Absent in results of older versions. */
  readonly nothing?: NothingCounts;
  /** Only for systems that give page types, on corpora that have them. */
  readonly pageTypes?: TypeConfusion;
  /** Scores by grouping ("lang", "pageType", "register", "length"), then by group. */
  readonly groups: Readonly<
    Record<string, Readonly<Record<string, { readonly documents: number; readonly scores: ScoreTable }>>>
  >;
  readonly scored?: ScoredReport;
  /**
   * The comparison with the reference system on the documents that both answered: the difference of a measure (line F1
   * if there are lines), its 95 % interval, and the probability `p` that chance makes a difference as large.
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
  /** The names of the measures of the corpus's own evaluation; the last one is its headline. */
  readonly ownMeasures?: readonly string[];
  readonly mainContent: string;
  readonly training: string;
  readonly digest: string;
  readonly documents: number;
  /** True if only a fixed sample of the corpus was run. */
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
  /** Pages per second, divided by those of the reference in the same run. */
  readonly ratio: number | null;
  readonly failures: number;
}

/** How many outputs have each problem, and the first of them (ids, or `file:line`). */
export interface StoredProblems {
  readonly counts: Readonly<Record<"missing" | "unknown" | "repeated" | "malformed", number>>;
  readonly first: Readonly<Record<"missing" | "unknown" | "repeated" | "malformed", readonly string[]>>;
}

export interface Results {
  readonly format: "thresher-bench-1";
  readonly date: string;
  /** The command that repeats the run. */
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
    /** For stored outputs, what does not match the documents that were run. Lists are shortened, counts are not. */
    readonly audit?: StoredProblems;
  }[];
  /** Requested systems that were not available, with the reason. */
  readonly unavailable: readonly { readonly name: string; readonly why: string }[];
  readonly corpora: readonly CorpusScores[];
  readonly speed?: {
    readonly pages: string;
    readonly reference: string;
    readonly kind: "cpu" | "wall";
    readonly rows: readonly SpeedRow[];
  };
}
