/** Declares the options of a benchmark run, and formats the command that repeats the run. */
import type { Writable } from "node:stream";
import type { Subject } from "../systems/subject.js";

export interface BenchOptions {
  /** Names of corpora; if these and `corpus` are empty, the project's own fixtures. */
  readonly corpora: readonly string[];
  /** Files of the user's own gold, each of which is a corpus. */
  readonly corpus?: readonly string[];
  /** Names as `findSystems` reads them; all systems when empty. */
  readonly systems: readonly string[];
  /** The folder that holds `lines/` and `pages/`. */
  readonly gold?: string;
  /** The subject to measure; `lines` when absent. */
  readonly measure?: Subject;
  /** Uses only this many documents of each corpus, the same ones in every run. */
  readonly sample?: number;
  /** The folder for the results. */
  readonly output?: string;
  /** Also measures speed and memory, with the systems in turn. */
  readonly speed?: boolean;
  /** Measures only the cost of each stage of the page path and of the command, beside rivals. */
  readonly profile?: boolean;
  /** The folder of the model to profile; the shipped model when absent. */
  readonly model?: string;
  readonly timeoutMs?: number;
  /** The system that the others are compared with. */
  readonly reference?: string;
  /** How many systems run at the same time. */
  readonly jobs?: number;
  /** Also computes ROUGE, which costs more than all other scores together; true when absent. */
  readonly hasRouge?: boolean;
  /** The number of resamplings for each interval and test. */
  readonly resamples?: number;
}

export interface BenchIo {
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly signal: AbortSignal;
}

/** Returns the command for a shell, with the options that decide what is measured; `--output` is left out. */
export function formatCommand(options: BenchOptions): string {
  const {
    corpora,
    corpus = [],
    measure,
    systems,
    gold,
    sample,
    speed,
    timeoutMs,
    reference,
    resamples,
  } = options;
  const words = [
    ...["thresher", "bench", ...corpora],
    ...(measure === undefined || measure === "lines" ? [] : ["--measure", measure]),
    ...(corpus.length === 0 ? [] : ["--corpus", ...corpus]),
    ...(systems.length === 0 ? [] : ["--systems", ...systems]),
    ...(gold === undefined ? [] : ["--gold", gold]),
    ...(sample === undefined ? [] : ["--sample", String(sample)]),
    ...(speed === true ? ["--speed"] : []),
    ...(timeoutMs === undefined ? [] : ["--timeout", `${timeoutMs}ms`]),
    ...(reference === undefined ? [] : ["--reference", reference]),
    ...(resamples === undefined ? [] : ["--resamples", String(resamples)]),
  ];
  return words
    .map((word) => (/^[\w./:@=,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(" ");
}
