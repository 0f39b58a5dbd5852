/** Declares the systems of the benchmark: what they take, what they return, and what that costs. */
import type { GoldDocument } from "../corpora/gold.js";
import type { FieldValues } from "../metrics/metadata/fields.js";
import type { Subject } from "./subject.js";

/** A line as one of our own systems returns it. */
export interface OutputLine {
  readonly text: string;
  readonly label: 0 | 1;
  /** P(content), if the system has one. */
  readonly score?: number;
}

/** A system's output in its own format, for measuring structure. */
export interface Markup {
  readonly form: "html" | "markdown";
  readonly source: string;
}

/** The cost of one page, measured inside the system's own process; stored outputs have no cost. */
export interface Cost {
  /** User and system time of the process, all threads, in milliseconds; absent if the process died. */
  readonly cpuMs?: number;
  readonly wallMs: number;
  /** Resident memory of the process after the page, and its peak since the start, in bytes; absent if not known. */
  readonly rssBytes?: number;
  readonly peakBytes?: number;
}

export type SystemOutput =
  | {
      readonly ok: true;
      readonly text: string;
      /** All lines with their labels; only from systems that keep boilerplate. */
      readonly lines?: readonly OutputLine[];
      /** The page type that the system gives, if any. */
      readonly pageType?: string;
      /** Set by systems that return HTML, and by all systems when structure is measured. */
      readonly markup?: Markup;
      /** Set when metadata is measured. */
      readonly fields?: FieldValues;
      readonly cost?: Cost;
    }
  | {
      readonly ok: false;
      /** A crash, a timeout and a missing output are failures of their page, never an empty text. */
      readonly failure: "crash" | "timeout" | "missing" | "reject";
      readonly detail: string;
      readonly cost?: Cost;
    };

export interface CreateOptions {
  /** Wall-clock limit for one page, in milliseconds. */
  readonly timeoutMs?: number;
  /** Set if the caller does not need the lines: for timing, because handing them over is a cost that no rival has. */
  readonly textOnly?: boolean;
  /** The subject to measure; `lines` when absent. */
  readonly subject?: Subject;
}

export interface System {
  readonly name: string;
  /** The version and options that a reader of the report needs to run it again. */
  readonly describe: string;
  /** The kinds of documents it takes. */
  readonly takes: "pages" | "lines" | "both";
  run(document: GoldDocument): Promise<SystemOutput>;
  /** The cost of loading the system until it can take a page; absent for stored outputs. */
  readonly start?: Cost;
  close(): Promise<void>;
}
