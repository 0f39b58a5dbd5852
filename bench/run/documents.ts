/**
 * Gathers the documents of a run from a corpus (all, or a fixed sample), with their digest and the rows that were left
 * out.
 */
import { createHash } from "node:crypto";
import { CorpusDigest } from "../corpora/digest.js";
import type { Corpus, CorpusProblem, GoldDocument } from "../corpora/gold.js";

/**
 * Up to this total length, in UTF-16 code units, pages stay in memory; the pages of larger corpora are read again for
 * each system.
 */
const MAX_HELD_CHARS = 400_000_000;

export interface RunDocuments {
  /** The digest of the documents that are run. */
  readonly digest: string;
  readonly isSample: boolean;
  readonly problems: readonly CorpusProblem[];
  /** The gold of each document by id, without its page. */
  readonly gold: ReadonlyMap<string, GoldDocument>;
  /** Every id of the corpus, including those outside the sample. */
  readonly ids: ReadonlySet<string>;
  /** Yields the documents with their pages, always in the same order. May be called repeatedly. */
  read(): AsyncIterable<GoldDocument>;
}

/**
 * Gathers the documents of a corpus. `sample` takes that many, by the hash of their ids, so that a smaller sample is
 * part of a larger one. Throws CorpusMissing if the files are missing.
 */
export async function gatherDocuments(corpus: Corpus, sample?: number): Promise<RunDocuments> {
  const gold = new Map<string, GoldDocument>();
  const ids = new Set<string>();
  const chosen = sample === undefined ? undefined : new Sample(sample);
  let held: GoldDocument[] | undefined = [];
  let chars = 0;
  for await (const document of corpus.documents()) {
    ids.add(document.id);
    if (chosen !== undefined) {
      chosen.offer(document);
      continue;
    }
    gold.set(document.id, withoutPage(document));
    chars += document.html?.length ?? 0;
    if (chars > MAX_HELD_CHARS) held = undefined;
    held?.push(document);
  }
  const problems = [...corpus.problems()];
  if (chosen !== undefined) {
    held = chosen.documents();
    for (const document of held) gold.set(document.id, withoutPage(document));
  }
  const read = held === undefined ? () => corpus.documents() : () => fromMemory(held);
  const digest = new CorpusDigest();
  for await (const document of read()) digest.add(document);
  return { digest: digest.hex(), isSample: gold.size < ids.size, problems, gold, ids, read };
}

async function* fromMemory(documents: readonly GoldDocument[]): AsyncGenerator<GoldDocument> {
  yield* documents;
  await Promise.resolve();
}

function withoutPage(document: GoldDocument): GoldDocument {
  const { html, ...gold } = document;
  return html === undefined ? document : gold;
}

/** Collects the documents whose ids have the lowest hashes: the same ones in every run, in any order of reading. */
class Sample {
  private kept: { readonly hash: string; readonly order: number; readonly document: GoldDocument }[] = [];
  private seen = 0;

  constructor(private readonly size: number) {}

  offer(document: GoldDocument): void {
    const hash = createHash("sha256").update(document.id).digest("hex");
    this.kept.push({ hash, order: (this.seen += 1), document });
    // cuts from time to time, so that only about twice the sample is held
    if (this.kept.length >= 2 * this.size + 16) this.cut();
  }

  documents(): GoldDocument[] {
    this.cut();
    return this.kept.sort((a, b) => a.order - b.order).map(({ document }) => document);
  }

  private cut(): void {
    this.kept = this.kept.sort((a, b) => (a.hash < b.hash ? -1 : 1)).slice(0, this.size);
  }
}
