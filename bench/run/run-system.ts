/** Runs systems on the documents of a corpus, and judges each output while the system works on the next document. */
import type { GoldDocument } from "../corpora/gold.js";
import { formatNumberOf } from "../report/format.js";
import type { System, SystemOutput } from "../systems/system.js";
import type { Progress } from "./progress.js";

export interface SystemRunOptions<T> {
  readonly judge: (document: GoldDocument, output: SystemOutput) => T;
  readonly signal?: AbortSignal;
  readonly onDocument?: (done: number) => void;
}

/**
 * Calls `run` for each name, `jobs` at a time, and returns the results by name in the order of the names; a name whose
 * result is undefined is left out. Once a call has failed, no further one begins.
 */
export async function runEach<T>(
  names: readonly string[],
  { jobs, signal }: { readonly jobs: number; readonly signal: AbortSignal },
  run: (name: string) => Promise<T | undefined>,
): Promise<Map<string, T>> {
  const results = new Map<string, T>();
  const waiting = [...names];
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      signal.throwIfAborted();
      try {
        const result = await run(name);
        if (result !== undefined) results.set(name, result);
      } catch (error) {
        waiting.length = 0;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return new Map(
    names.flatMap((name) => {
      const result = results.get(name);
      return result === undefined ? [] : [[name, result] as const];
    }),
  );
}

/** Like `runAndJudge`, and reports the progress. `corpus` is its name, `total` the number of documents. */
export async function runAndTell<T extends { readonly failure?: object }>(
  system: System,
  documents: AsyncIterable<GoldDocument>,
  { corpus, total, progress, ...options }: TellOptions<T>,
): Promise<T[]> {
  const title = `${corpus}  ${system.name}`;
  const startedAt = performance.now();
  const judged = await runAndJudge(system, documents, {
    ...options,
    onDocument: (done) => {
      progress.count(`${title}: ${done} of ${total}`);
    },
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const failures = judged.filter(({ failure }) => failure !== undefined).length;
  const failed = failures > 0 ? `, ${formatNumberOf(failures, "failure")}` : "";
  progress.say(`${title}: ${formatNumberOf(judged.length, "document")}, ${seconds} s${failed}`);
  return judged;
}

interface TellOptions<T> extends Omit<SystemRunOptions<T>, "onDocument"> {
  readonly corpus: string;
  readonly total: number;
  readonly progress: Progress;
}

/**
 * Runs a system on every document once, in order, and judges the outputs. An error thrown by `run` is a bug in the
 * system's wrapper and is not caught.
 */
export async function runAndJudge<T>(
  system: System,
  documents: AsyncIterable<GoldDocument>,
  { judge, signal, onDocument }: SystemRunOptions<T>,
): Promise<T[]> {
  const judged: T[] = [];
  const finish = async (turn: Turn): Promise<void> => {
    judged.push(judge(turn.document, await turn.output));
    onDocument?.(judged.length);
  };
  let last: Turn | undefined;
  for await (const document of documents) {
    signal?.throwIfAborted();
    const next: Turn = { document, output: system.run(document) };
    // An error while the previous output is judged is handled when this turn comes.
    next.output.catch(() => undefined);
    if (last !== undefined) await finish(last);
    last = next;
  }
  if (last !== undefined) await finish(last);
  return judged;
}

interface Turn {
  readonly document: GoldDocument;
  readonly output: ReturnType<System["run"]>;
}
