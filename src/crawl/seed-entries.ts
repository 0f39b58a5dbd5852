/** Adds seeds to the frontier of a crawl as entries, and records seeds that are out of scope as rejects. */
import { UsageError, type Reason } from "../outcome.js";
import type { Scope } from "./reach/scope.js";
import { canonicalUrl } from "./reach/url.js";
import type { NewEntry } from "./state/url-table.js";
import type { Seed, SeedFigures } from "./types.js";

interface SeedTools {
  readonly scope: Scope;
  readonly add: (entry: NewEntry) => boolean;
  /** Records a seed that the crawl may not fetch. */
  readonly refuse: (entry: NewEntry, why: Refusal) => Promise<void>;
  readonly commit: () => Promise<void>;
}

/** Why a URL is not fetched. */
export interface Refusal {
  readonly reason: Reason;
  readonly detail: string;
}

export type Seeds = AsyncIterable<string | Seed> | Iterable<string | Seed>;

/** Checks seeds, because programs in JavaScript may pass any value. */
async function* toSeeds(seeds: Seeds): AsyncGenerator<Seed> {
  const isMany = typeof seeds === "object" && (seeds as unknown) !== null;
  if (!isMany || !(Symbol.asyncIterator in seeds || Symbol.iterator in seeds))
    throw new UsageError("seeds must be an array or another iterable");
  for await (const seed of seeds) {
    if (typeof seed === "string") yield { url: seed };
    else if (typeof (seed as Partial<Seed> | null)?.url === "string") yield seed;
    else throw new UsageError("a seed must be a URL or an object with a url");
  }
}

/** Seeds between two commits. */
const BATCH = 1000;

/** Adds all seeds and counts them. They are durable when it resolves. */
export async function addSeeds(
  seeds: Seeds,
  { scope, add, refuse, commit }: SeedTools,
): Promise<SeedFigures> {
  const figures = { added: 0, known: 0, refused: 0 };
  let sinceCommit = 0;
  for await (const { url: text, kind = "page" } of toSeeds(seeds)) {
    const url = canonicalUrl(text);
    if (url === undefined) {
      figures.refused += 1;
      continue;
    }
    const entry: NewEntry = { url, kind, seed: url, depth: 0, hops: 0 };
    // A list itself is always read; only the URLs that it names may be out of scope.
    const verdict = kind === "list" ? { admitted: true as const } : scope.admits(url, 0, url);
    if (verdict.admitted) figures[add(entry) ? "added" : "known"] += 1;
    else {
      figures.refused += 1;
      await refuse(entry, verdict);
    }
    sinceCommit += 1;
    if (sinceCommit < BATCH) continue;
    sinceCommit = 0;
    await commit();
  }
  await commit();
  return figures;
}
