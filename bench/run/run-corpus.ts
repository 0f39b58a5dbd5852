/** Runs systems on a corpus and scores them, several at a time, each in a process that ends with the corpus. */
import { scoreCorpus, type ScoreOptions } from "./score/score-corpus.js";
import type { CorpusScores } from "../report/results.js";
import { judge, type Judged, type JudgeOptions } from "./score/judge.js";
import type { Corpus } from "../corpora/gold.js";
import type { RunDocuments } from "./documents.js";
import type { Progress } from "./progress.js";
import { isStored, type Roster } from "./roster.js";
import { runAndTell, runEach } from "./run-system.js";
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
  const outputs = await runEach(roster.namesFor(corpus.unit), options, (name) =>
    runOne(name, { corpus, documents, roster }, options),
  );
  options.progress.count(`${corpus.name}: scores …`);
  return scoreCorpus({ corpus, documents, outputs }, options);
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
    return await runAndTell(system, documents.read(), {
      ...{ corpus: corpus.name, total: documents.gold.size, progress, signal },
      judge: (document, output) => judge(document, output, { hasRouge }),
    });
  } finally {
    await roster.release(system);
  }
}
