/** Runs systems on a corpus and scores them, several at a time, each in a process that ends with the corpus. */
import { scoreCorpus, type ScoreOptions } from "./score/score-corpus.js";
import { formatNumberOf } from "../report/format.js";
import type { CorpusScores } from "../report/results.js";
import type { Judged, JudgeOptions } from "./score/judge.js";
import type { Corpus } from "../corpora/gold.js";
import type { RunDocuments } from "./documents.js";
import type { Progress } from "./progress.js";
import { isStored, type Roster } from "./roster.js";
import { runSystem } from "./run-system.js";
import { whySeen } from "./seen.js";

export interface CorpusRunOptions extends ScoreOptions, JudgeOptions {
  readonly jobs: number;
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** Called for each system that is not measured because its model trained on documents of the corpus. */
  readonly onSeen: (name: string, why: string) => void;
}

export async function runCorpus(
  corpus: Corpus,
  { documents, roster }: { readonly documents: RunDocuments; readonly roster: Roster },
  options: CorpusRunOptions,
): Promise<CorpusScores> {
  const names = roster.namesFor(corpus.unit);
  const outputs = new Map<string, readonly Judged[]>();
  const next = names.values();
  const work = async (): Promise<void> => {
    for (const name of next) {
      options.signal.throwIfAborted();
      const judged = await runOne(name, { corpus, documents, roster }, options);
      if (judged !== undefined) outputs.set(name, judged);
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, work));
  options.progress.count(`${corpus.name}: scores …`);
  const inOrder = new Map(
    names.flatMap((name) => {
      const judged = outputs.get(name);
      return judged === undefined ? [] : [[name, judged] as const];
    }),
  );
  return scoreCorpus({ corpus, documents, outputs: inOrder }, options);
}

async function runOne(
  name: string,
  { corpus, documents, roster }: { corpus: Corpus; documents: RunDocuments; roster: Roster },
  { progress, signal, hasRouge, onSeen }: CorpusRunOptions,
): Promise<Judged[] | undefined> {
  const seen = corpus.onlyUnseen === true ? await whySeen(name, documents.gold.values()) : undefined;
  if (seen !== undefined) {
    onSeen(name, `${corpus.name}: ${seen}`);
    return undefined;
  }
  const system = await roster.open(name);
  if (system === undefined) return undefined;
  try {
    if (isStored(system) && ![...documents.gold.keys()].some((id) => system.has(id))) {
      progress.say(`${corpus.name}  ${name}: has no output for any document`);
      return undefined;
    }
    const startedAt = performance.now();
    const judged = await runSystem(system, documents.read(), {
      ...{ signal, hasRouge },
      onDocument: (done) => {
        progress.count(`${corpus.name}  ${name}: ${done} of ${documents.gold.size}`);
      },
    });
    const failures = judged.filter(({ failure }) => failure !== undefined).length;
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    progress.say(
      `${corpus.name}  ${name}: ${formatNumberOf(judged.length, "document")}, ${seconds} s${failures > 0 ? `, ${formatNumberOf(failures, "failure")}` : ""}`,
    );
    return judged;
  } finally {
    await roster.release(system);
  }
}
