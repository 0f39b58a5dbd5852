/** Saves the progress of a crawl's documents, and finds the point where the next run continues, or why it cannot. */
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { CleanReject } from "../../crawl/types.js";
import { OutputError, UsageError } from "../../outcome.js";
import { takeLock } from "../../write/files/lock.js";
import { isFolderName } from "../../write/files/place.js";
import type { WriterName } from "../../write/registry.js";
import type { Figures } from "../report/run-figures.js";
import { readState, sizeOf, writeState } from "../run/resume.js";
import { nameDocuments, type DocumentsMark } from "./crawl-documents.js";

/** A point between two events; everything before it is on disk. */
export interface SavedCrawl {
  /** Digest of everything that shapes the documents. */
  readonly job: string;
  readonly format: WriterName;
  /** Number of the last event. */
  readonly number: number;
  /** Rejects before this point that the crawl may not know yet. */
  readonly untold: readonly CleanReject[];
  readonly documents: DocumentsMark;
  readonly rejects: number;
  readonly kept: number;
  readonly figures: Figures;
  /** Seconds that all runs took so far. */
  readonly seconds: number;
}

export interface CrawlPlaces {
  readonly dir: string;
  readonly format: WriterName;
  readonly rejectsAt: string;
}

/** Returns the paths where a run stores the progress of its documents, beside the state of the crawl itself. */
export function findCrawlHome(dir: string): Readonly<Record<"saved" | "kept" | "draft" | "lock", string>> {
  const inState = (name: string): string => join(dir, "state", name);
  return {
    saved: inState("documents"),
    kept: inState("documents.kept"),
    draft: inState("documents.partial"),
    lock: inState("documents.lock"),
  };
}

/** Throws OutputError if the state cannot be written. */
export async function saveCrawl(dir: string, saved: SavedCrawl): Promise<void> {
  await writeState(findCrawlHome(dir).saved, saved, dir);
}

/** Throws UsageError if the earlier run had other options, and OutputError if a part of its work is missing. */
export async function loadCrawl(places: CrawlPlaces, job: string): Promise<SavedCrawl | undefined> {
  const { dir, format } = places;
  const saved = await readState<SavedCrawl>(findCrawlHome(dir).saved);
  const documents = join(dir, nameDocuments(format));
  if (saved === undefined) {
    if (!isFolderName(documents) && (await sizeOf(documents)) > 0 && !(await isCrawl(dir)))
      throw new OutputError(
        `${documents} exists, but belongs to no crawl: move it away, or crawl into another folder`,
      );
    return undefined;
  }
  const again = `thresher clean ${join(dir, "warc", "*.warc.gz")}`;
  if (saved.job !== job)
    throw new UsageError(
      `${dir} holds a crawl whose text was made with other options, or by another version: use those, or another folder; "${again}" cleans its pages again with any options, and --fresh deletes everything`,
    );
  const isWhole =
    (isFolderName(documents) || (await sizeOf(documents)) >= saved.documents.bytes) &&
    (await sizeOf(places.rejectsAt)) >= saved.rejects &&
    (await sizeOf(findCrawlHome(dir).kept)) >= saved.kept;
  if (isWhole) return saved;
  throw new OutputError(
    `${dir} has lost a part of the documents or rejects that an earlier run wrote: "${again}" cleans the pages again to another place, and --fresh starts the crawl over`,
  );
}

/** Removes what an earlier crawl made; leaves the folder alone if it holds no crawl. */
export async function clearCrawl({ dir, rejectsAt, format }: CrawlPlaces): Promise<void> {
  if (!(await isCrawl(dir))) return;
  // Takes the crawl's own lock, because a program that uses the library may be working there.
  const lock = await takeLock(join(dir, "state", "lock"), dir);
  try {
    await removeCrawl({ dir, rejectsAt, format });
  } finally {
    await lock.release();
  }
}

async function removeCrawl({ dir, rejectsAt, format }: CrawlPlaces): Promise<void> {
  const home = findCrawlHome(dir);
  const saved = await readState<SavedCrawl>(home.saved);
  const formats = new Set(saved === undefined ? [format] : [format, saved.format]);
  for (const name of [...[...formats].map(nameDocuments), "warc"])
    await rm(join(dir, name), { recursive: true, force: true });
  for (const path of [rejectsAt, home.saved, home.kept, home.draft]) await rm(path, { force: true });
  for (const end of DATABASE_ENDS) await rm(join(dir, "state", `crawl.sqlite${end}`), { force: true });
}

/** Suffixes of the state files: the ones that SQLite adds, then the database itself, which is removed last. */
const DATABASE_ENDS = ["-wal", "-shm", "-journal", ""];

/** Checks whether a folder holds the state of a crawl. */
export async function isCrawl(dir: string): Promise<boolean> {
  return (await stat(join(dir, "state", "crawl.sqlite")).catch(() => undefined)) !== undefined;
}
