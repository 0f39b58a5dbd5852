/**
 * Writes the events of a crawl to the files of its folder, and saves the progress regularly so that the next run can
 * continue.
 */
import { join } from "node:path";
import { isCleanReject, type CleanEvent } from "../../crawl/clean-events.js";
import type { CleanReject } from "../../crawl/types.js";
import { OutputError } from "../../outcome.js";
import { createFigures, type Figures } from "../report/run-figures.js";
import { takeLock } from "../../write/files/lock.js";
import { findPlace, makeFolder } from "../../write/files/place.js";
import {
  FILE_EACH,
  NO_DOCUMENTS,
  openDocuments,
  type Documents,
  type DocumentsOptions,
} from "./crawl-documents.js";
import {
  clearCrawl,
  findCrawlHome,
  loadCrawl,
  saveCrawl,
  type CrawlPlaces,
  type SavedCrawl,
} from "./crawl-saved.js";
import type { Io } from "../io.js";
import { openKeptList, type KeptList } from "../run/drafts.js";
import { openRejects, type RejectLog } from "../run/rejects.js";
import { messageOf } from "../../thrown.js";

interface FolderOptions extends CrawlPlaces {
  /** Digest of everything that shapes the documents. */
  readonly job: string;
  readonly isFresh: boolean;
  readonly saveEveryMs: number;
  readonly io: Io;
}

export interface CrawlFolder {
  /** The point that an earlier run saved. */
  readonly saved: SavedCrawl | undefined;
  /** Figures of all runs so far. */
  readonly figures: Figures;
  /** Throws OutputError if a file cannot be written. */
  open(options: DemandedDocuments, confirm: Confirm): Promise<OpenFolder>;
  /** Releases the lock, so that another process can use the folder. */
  close(): Promise<void>;
}

type DemandedDocuments = Omit<DocumentsOptions, "format" | "mark" | "draftAt">;

/** Tells the crawl that all events through this number are on disk, with their rejects. */
type Confirm = (through: number, rejects: readonly CleanReject[]) => Promise<void>;

export interface OpenFolder {
  /** Yields the deduplication entries of documents that earlier runs kept. */
  recall(): AsyncIterable<string>;
  write(event: CleanEvent): Promise<void>;
  /** Must be called after each event, once it is counted; `seconds` is the time of all runs so far. */
  reach(number: number, seconds: number): Promise<void>;
  /** Completes the files and saves. */
  finish(seconds: number): Promise<void>;
  /** Closes the files and leaves them for another run. */
  leave(): Promise<void>;
}

/** Throws OutputError if another process uses the folder, and UsageError if an earlier run had other options. */
export async function openCrawlFolder(options: FolderOptions): Promise<CrawlFolder> {
  const { dir, job, isFresh } = options;
  try {
    await makeFolder(join(dir, "state"));
  } catch (cause) {
    throw new OutputError(`cannot make the folder ${dir}: ${messageOf(cause)}`, { cause });
  }
  const lock = await takeLock(findCrawlHome(dir).lock, dir);
  try {
    if (isFresh) await clearCrawl(options);
    const saved = await loadCrawl(options, job);
    const figures = saved?.figures ?? createFigures();
    return {
      saved,
      figures,
      open: async (demanded, confirm) =>
        startWriting({ ...options, saved, figures, confirm }, await openFiles(options, demanded, saved)),
      close: () => lock.release(),
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

interface Files {
  readonly documents: Documents;
  readonly rejects: RejectLog;
  readonly kept: KeptList;
}

async function openFiles(
  { dir, format, rejectsAt, io }: FolderOptions,
  demanded: DemandedDocuments,
  saved: SavedCrawl | undefined,
): Promise<Files> {
  const home = findCrawlHome(dir);
  const place = { ...(await findPlace(rejectsAt)), isGrowing: true };
  const rejects = await openRejects(place, saved?.rejects ?? 0, io);
  try {
    const mark = saved?.documents ?? NO_DOCUMENTS;
    const documents = await openDocuments(dir, { ...demanded, format, mark, draftAt: home.draft }, io);
    return { documents, rejects, kept: openKeptList(home.kept, saved?.kept ?? 0) };
  } catch (error) {
    await rejects.leave();
    throw error;
  }
}

interface Writing extends FolderOptions {
  readonly saved: SavedCrawl | undefined;
  readonly figures: Figures;
  readonly confirm: Confirm;
}

function startWriting(
  { dir, format, job, saveEveryMs, saved, figures, confirm }: Writing,
  { documents, rejects, kept }: Files,
): OpenFolder {
  let number = saved?.number ?? 0;
  let untold: CleanReject[] = [];
  let savedAt = Date.now();
  const save = async (mark: SavedCrawl["documents"] | undefined, seconds: number): Promise<void> => {
    savedAt = Date.now();
    if (mark === undefined) return;
    const lengths = { rejects: await rejects.sync(), kept: await kept.sync() };
    // If the process dies between saving and confirming, the next run confirms the same rejects again.
    await saveCrawl(dir, { job, format, number, untold, documents: mark, ...lengths, figures, seconds });
    await confirm(number, untold);
    untold = [];
  };
  return {
    async *recall() {
      for await (const { id, entry } of kept.read()) {
        documents.recall(id);
        if (entry !== undefined) yield entry;
      }
    },
    async write(event) {
      const { outcome, account } = event;
      if (outcome.ok) {
        await documents.write(outcome.value);
        if (FILE_EACH.includes(format) || account.entry !== undefined)
          await kept.add({
            id: outcome.value.id,
            ...(account.entry === undefined ? {} : { entry: account.entry }),
          });
        return;
      }
      await rejects.write(outcome);
      if (!isCleanReject(event)) return;
      const { reason, detail } = outcome;
      untold.push({ number: event.number, reason, ...(detail === undefined ? {} : { detail }) });
    },
    async reach(reached, seconds) {
      number = reached;
      if (Date.now() - savedAt >= saveEveryMs) await save(await documents.pause(), seconds);
    },
    async finish(seconds) {
      await save(await documents.finish(), seconds);
      await rejects.finish();
      await kept.close();
    },
    async leave() {
      await documents.leave();
      await rejects.leave();
      await kept.close();
    },
  };
}
