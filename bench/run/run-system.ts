/** Runs a system on the documents of a corpus, and judges each output while the system works on the next. */
import { judge, type Judged, type JudgeOptions } from "./score/judge.js";
import type { GoldDocument } from "../corpora/gold.js";
import type { System, SystemOutput } from "../systems/system.js";

export interface SystemRunOptions {
  readonly signal?: AbortSignal;
  readonly onDocument?: (done: number) => void;
}

/** Every document once, in order, judged by the lines that come out. */
export function runSystem(
  system: System,
  documents: AsyncIterable<GoldDocument>,
  { hasRouge, ...options }: SystemRunOptions & JudgeOptions = {},
): Promise<Judged[]> {
  return runAndJudge(system, documents, {
    ...options,
    judge: (document, output) => judge(document, output, { hasRouge }),
  });
}

/** As `runSystem`, judged in any way. A system that throws out of `run` has a bug in its wrapper: that is not caught. */
export async function runAndJudge<T>(
  system: System,
  documents: AsyncIterable<GoldDocument>,
  {
    judge: judgeOutput,
    signal,
    onDocument,
  }: SystemRunOptions & { readonly judge: (document: GoldDocument, output: SystemOutput) => T },
): Promise<T[]> {
  const judged: T[] = [];
  const finish = async (turn: Turn): Promise<void> => {
    judged.push(judgeOutput(turn.document, await turn.output));
    onDocument?.(judged.length);
  };
  let last: Turn | undefined;
  for await (const document of documents) {
    signal?.throwIfAborted();
    const next: Turn = { document, output: system.run(document) };
    // A system that fails while we judge the one before is heard when its turn comes.
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
