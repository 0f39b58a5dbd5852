/** Measures systems on one corpus for structure, metadata or torn units, as `run-corpus.ts` does for lines. */
import type { CorpusItems, SystemItems } from "../../report/items/item-results.js";
import { leaningsOf } from "../../corpora/item-descriptors.js";
import type { Corpus, GoldDocument } from "../../corpora/gold.js";
import { ITEM_KINDS } from "../../metrics/items/kinds.js";
import { loadMarkdownReader } from "../../metrics/structure/read-markdown.js";
import type { Subject } from "../../systems/subject.js";
import type { RunDocuments } from "../documents.js";
import type { Progress } from "../progress.js";
import type { Roster } from "../roster.js";
import { runAndTell, runEach } from "../run-system.js";
import {
  createStructureJudge,
  createUnitJudge,
  judgeMetadata,
  readPageGolds,
  readUnitGolds,
  type ItemJudge,
} from "./judge-items.js";
import { scoreItems } from "./score-items.js";

export type ItemSubject = Exclude<Subject, "lines">;

export interface ItemRunOptions {
  readonly subject: ItemSubject;
  readonly jobs: number;
  readonly samples?: number;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

export async function runItems(
  corpus: Corpus,
  { documents, roster }: { readonly documents: RunDocuments; readonly roster: Roster },
  options: ItemRunOptions,
): Promise<CorpusItems> {
  const { subject, progress } = options;
  const { judge, ids } = await openJudge(subject, documents);
  const usable = ids.size;
  const scores = await runEach(roster.namesFor("pages"), options, (name) =>
    runOne(name, { corpus, documents, roster, judge, ids }, options),
  );
  progress.clear();
  const { name, origin, licence, mainContent, training } = corpus;
  return {
    ...{ corpus: name, origin, licence, mainContent, training },
    digest: documents.digest,
    documents: usable,
    isSample: documents.isSample,
    unusable: documents.gold.size - usable,
    problems: documents.problems,
    leanings: subject === "metadata" ? leaningsOf(name) : {},
    systems: [...scores.values()],
  };
}

interface Work {
  readonly corpus: Corpus;
  readonly documents: RunDocuments;
  readonly roster: Roster;
  readonly judge: ItemJudge;
  /** The ids of the documents that have gold for this subject. */
  readonly ids: ReadonlySet<string>;
}

/**
 * Reads the gold and returns the judge. Structure and units need labelled lines that are in the page's DOM tree;
 * metadata needs at least one field in the gold.
 */
async function openJudge(
  subject: ItemSubject,
  documents: RunDocuments,
): Promise<Pick<Work, "judge" | "ids">> {
  if (subject === "metadata") {
    const stated = [...documents.gold.values()].filter(({ meta }) => meta !== undefined);
    return { judge: judgeMetadata, ids: new Set(stated.map(({ id }) => id)) };
  }
  if (subject === "units") {
    const golds = await readUnitGolds(documents.read());
    return { judge: createUnitJudge(golds), ids: new Set(golds.keys()) };
  }
  const readMarkdown = await loadMarkdownReader();
  const golds = await readPageGolds(documents.read());
  return { judge: createStructureJudge(readMarkdown, golds), ids: new Set(golds.keys()) };
}

async function runOne(
  name: string,
  { corpus, documents, roster, judge, ids }: Work,
  { subject, progress, signal, samples }: ItemRunOptions,
): Promise<SystemItems | undefined> {
  const system = await roster.open(name);
  if (system === undefined) return undefined;
  try {
    const judged = await runAndTell(system, onlyUsable(documents.read(), ids), {
      ...{ corpus: corpus.name, total: ids.size, judge, progress, signal },
    });
    return scoreItems(name, judged, {
      kinds: ITEM_KINDS[subject],
      ...(samples === undefined ? {} : { samples }),
    });
  } finally {
    await roster.release(system);
  }
}

async function* onlyUsable(
  documents: AsyncIterable<GoldDocument>,
  ids: ReadonlySet<string>,
): AsyncGenerator<GoldDocument> {
  for await (const document of documents) if (ids.has(document.id)) yield document;
}
