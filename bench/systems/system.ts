/** Says what a system of the benchmark is: what it takes, what it gives back, and what that cost. */
import type { GoldDocument } from "../corpora/gold.js";
import type { FieldValues } from "../metrics/metadata/fields.js";
import type { Subject } from "./subject.js";

/** A line as a system of ours gives it back. */
export interface OutputLine {
  readonly text: string;
  readonly label: 0 | 1;
  /** P(content), where the system has one. */
  readonly score?: number;
}

/** What a system gives where structure is measured, in its own form. */
export interface Markup {
  readonly form: "html" | "markdown";
  readonly source: string;
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
      /** Of systems that give HTML, and of all where structure is measured. */
      readonly markup?: Markup;
      /** Where metadata is measured. */
      readonly fields?: FieldValues;
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
  /** The lines behind the text are not looked at: for timing, where to hand them over would cost what no rival pays. */
  readonly textOnly?: boolean;
  /** What is asked of it; its lines when absent. */
  readonly subject?: Subject;
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
