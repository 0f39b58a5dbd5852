/** Declares what a run of the benchmark may be asked for, and writes the command that asks for it again. */
import type { Writable } from "node:stream";
import type { Subject } from "../systems/subject.js";

export interface BenchOptions {
  /** Names of corpora; the project's own fixtures when empty and `corpus` names none. */
  readonly corpora: readonly string[];
  /** Files of one's own gold, each of which is a corpus. */
  readonly corpus?: readonly string[];
  /** Names as `findSystems` reads them; all when empty. */
  readonly systems: readonly string[];
  /** The folder that holds `lines/` and `pages/`. */
  readonly gold?: string;
  /** What is measured: the text by its lines, when absent. */
  readonly measure?: Subject;
  /** Only that many documents of each corpus, always the same ones. */
  readonly sample?: number;
  /** Where the results go. */
  readonly output?: string;
  /** Also measure speed and memory, systems in turn. */
  readonly speed?: boolean;
  /** Nothing but what each stage of the page path and the command cost, beside rivals. */
  readonly profile?: boolean;
  /** The model of which the profile is taken; the shipped one when absent. */
  readonly model?: string;
  readonly timeoutMs?: number;
  /** The system that others are compared with. */
  readonly reference?: string;
  /** Systems at work at the same time. */
  readonly jobs?: number;
  /** Also score ROUGE, which costs more than all other scores together; true when absent. */
  readonly hasRouge?: boolean;
  /** Resamplings for each interval and test. */
  readonly resamples?: number;
}

export interface BenchIo {
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly signal: AbortSignal;
}

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
