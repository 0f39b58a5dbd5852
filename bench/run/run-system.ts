/** Runs a system on the documents of a corpus, and judges each output while the system works on the next one. */
import { judge, type Judged, type JudgeOptions } from "./score/judge.js";
import type { GoldDocument } from "../corpora/gold.js";
import type { System, SystemOutput } from "../systems/system.js";

export interface SystemRunOptions {
  readonly signal?: AbortSignal;
  readonly onDocument?: (done: number) => void;
}

/** Runs a system on every document once, in order, and judges the outputs by lines. */
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

/** Like `runSystem`, with any judge. An error thrown by `run` is a bug in the system's wrapper and is not caught. */
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
