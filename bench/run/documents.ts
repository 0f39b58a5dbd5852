/** Gathers the documents of a run from a corpus: all, or a fixed sample; what was left out, and the digest of what is there. */
import { createHash } from "node:crypto";
import { CorpusDigest } from "../corpora/digest.js";
import type { Corpus, CorpusProblem, GoldDocument } from "../corpora/gold.js";

/** Pages up to here (in UTF-16 units) stay in memory; those of larger corpora are read again for each system. */
const MAX_HELD_CHARS = 400_000_000;

export interface RunDocuments {
  /** Digest of the documents that are run. */
  readonly digest: string;
  readonly isSample: boolean;
  readonly problems: readonly CorpusProblem[];
  /** The gold of each document, without its page. */
  readonly gold: ReadonlyMap<string, GoldDocument>;
  /** Every id of the corpus, those outside the sample too. */
  readonly ids: ReadonlySet<string>;
  /** The documents with their pages, as often as they are asked for, always in the same order. */
  read(): AsyncIterable<GoldDocument>;
}

/** Reads the corpus once. `sample` takes that many, by the hash of their ids: a smaller sample is part of a larger one. */
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

/** The documents whose ids hash lowest: the same ones in every run, whatever their order. */
class Sample {
  private kept: { readonly hash: string; readonly order: number; readonly document: GoldDocument }[] = [];
  private seen = 0;

  constructor(private readonly size: number) {}

  offer(document: GoldDocument): void {
    const hash = createHash("sha256").update(document.id).digest("hex");
    this.kept.push({ hash, order: (this.seen += 1), document });
    // Cut now and then, so that no more than twice the sample is held.
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
