/** The values of the benchmark: gold documents, systems, and what a system gave back. */

import type { MeasureName } from "./measures.js";

export interface GoldLine {
  readonly text: string;
  /** 1 = main content, 0 = boilerplate. */
  readonly label: 0 | 1;
  /** A finer class, where the corpus has one. */
  readonly cls?: string;
}

/** One annotated page or text. Which gold it has depends on its corpus; what is absent is not scored. */
export interface GoldDocument {
  readonly id: string;
  readonly corpus: string;
  readonly lang: string;
  readonly split: string;
  readonly url: string;
  readonly pageType?: string;
  readonly register?: string;
  /** The page, in page corpora. */
  readonly html?: string;
  /** Every line of the raw page or text, in order. */
  readonly lines?: readonly GoldLine[];
  /** The full main text. */
  readonly text?: string;
  /** Snippets that must, and must not, appear in the output. */
  readonly with?: readonly string[];
  readonly without?: readonly string[];
}

export interface Corpus {
  readonly name: string;
  /** Where the data comes from: project and commit or date. */
  readonly origin: string;
  readonly licence: string;
  readonly languages: readonly string[];
  /** Which of its splits it holds; a corpus is one side of every split, so that it is scored as a whole. */
  readonly splits: readonly string[];
  /** Whether systems get HTML pages, or lines of text. */
  readonly unit: "pages" | "lines";
  /** The measures that the corpus's own evaluation publishes; the last of them is its headline. */
  readonly ownMeasures?: readonly MeasureName[];
  /** What this gold means by main content: titles, bylines, comments … */
  readonly mainContent: string;
  /** Whether documents of it (and which split) may have trained our models. */
  readonly training: string;
  /** Every document once, in the order of the files; throws `CorpusMissing` if they are not there. */
  documents(): AsyncIterable<GoldDocument>;
  /** What the last reading left out, and why. Complete once `documents()` has ended. */
  problems(): readonly CorpusProblem[];
}

/** A row of a corpus that was not used: it is damaged, or the same page stands twice. */
export interface CorpusProblem {
  readonly file: string;
  /** 1-based line in the (unpacked) file; 0 where the problem has none. */
  readonly line: number;
  readonly problem: "bad-row" | "duplicate" | "truncated";
  readonly detail: string;
}

/** A line as a system of ours gives it back. */
export interface OutputLine {
  readonly text: string;
  readonly label: 0 | 1;
  /** P(content), where the system has one. */
  readonly score?: number;
}

/** What one page cost the system, measured inside its own process; stored outputs have no cost. */
export interface Cost {
  /** User and system time of the process, all its threads, in milliseconds. Absent when the process died. */
  readonly cpuMs?: number;
  readonly wallMs: number;
  /** Resident memory of the process after the page, and at most since it started, in bytes; absent where not known. */
  readonly rssBytes?: number;
  readonly peakBytes?: number;
}

export type SystemOutput =
  | {
      readonly ok: true;
      readonly text: string;
      /** All lines with their labels: only systems that keep boilerplate have them. */
      readonly lines?: readonly OutputLine[];
      /** What the system takes the page for, where it says so. */
      readonly pageType?: string;
      readonly cost?: Cost;
    }
  | {
      readonly ok: false;
      /** A crash, a time-out and a missing output are failures of their page, never an empty text. */
      readonly failure: "crash" | "timeout" | "missing" | "reject";
      readonly detail: string;
      readonly cost?: Cost;
    };

export interface CreateOptions {
  /** Wall-clock limit for one page, in milliseconds. */
  readonly timeoutMs?: number;
  /** Nobody looks at the lines behind the text: for timing, where to hand them over would cost what no rival pays. */
  readonly textOnly?: boolean;
}

export interface System {
  readonly name: string;
  /** Version and options, as a reader of the report needs them to run it again. */
  readonly describe: string;
  /** Which documents it can take. */
  readonly takes: "pages" | "lines" | "both";
  run(document: GoldDocument): Promise<SystemOutput>;
  /** What loading the system cost, up to the moment it could take a page; absent for stored outputs. */
  readonly start?: Cost;
  close(): Promise<void>;
}
