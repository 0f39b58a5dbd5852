/**
 * Opens the files that a run writes, new or where an earlier run ended, saves the progress regularly, and makes them
 * final.
 */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { Position } from "../../acquire/position.js";
import { tellCount } from "../../count.js";
import { takeLock, type Lock } from "../../write/files/lock.js";
import { besides, makeFolder, type FilePlace } from "../../write/files/place.js";
import { draftOf, publishDraft } from "../../write/files/sink.js";
import type { Io } from "../io.js";
import { createFigures, hasReadNothing, type Figures } from "../report/run-figures.js";
import { openDrafts, type Drafts, type Marks, type OutputDemands } from "./drafts.js";
import { findDestination, type Destination } from "./destination.js";
import { findRejects } from "./rejects.js";
import {
  findHome,
  forgetRun,
  loadRun,
  saveRun,
  sizeOf,
  type EndOfRun,
  type Home,
  type SavedRun,
} from "./resume.js";
import { explained } from "../../write-error.js";

interface PlacesOptions {
  readonly output: string | undefined;
  readonly rejects: string | undefined;
  readonly job: string;
  readonly inputs: readonly string[];
  /** Whether to discard what an earlier run left. */
  readonly isFresh: boolean;
  readonly saveEveryMs: number;
  /** Reports what happens to an earlier run. */
  readonly say: (sentence: string) => void;
  readonly io: Io;
}

/** The progress of a run after an outcome. */
interface Point {
  readonly position: Position;
  /** Seconds that all runs took so far. */
  readonly seconds: number;
}

export interface Places {
  /** The saved state of an earlier run of the same command. */
  readonly saved: SavedRun | undefined;
  /** Figures of all runs so far. */
  readonly figures: Figures;
  /** Whether all documents are written into one file, and not each into its own. */
  readonly isOneFile: boolean;
  /** Throws OutputError if one of the files cannot be written. */
  open(output: OutputDemands): Promise<Pick<Drafts, "write" | "recall">>;
  /** Must be called after each outcome, once it is counted. */
  reach(point: Point): Promise<void>;
  /** Makes all files final; calls `report` before it removes the state of the run. */
  finish(end: EndOfRun, report: () => Promise<void>): Promise<void>;
  /** Like `finish`, for an earlier run that had only this left to do. */
  settle(report: () => Promise<void>): Promise<void>;
  /** Keeps the files that the same command can continue with, if there are any, and says so. */
  abandon(): Promise<void>;
}

/** Throws OutputError if another process writes to one of the files. */
export async function openPlaces(options: PlacesOptions): Promise<Places> {
  const destination = await findDestination(options.output);
  const rejectsAt = await findRejects(options.rejects);
  const home = findHome(destination, options.job);
  const locks = await takeLocks(home, rejectsAt);
  try {
    const saved = home === undefined ? undefined : await findSaved(home, { destination, rejectsAt }, options);
    return start({ destination, rejectsAt, home, locks, saved }, options);
  } catch (error) {
    await release(locks);
    throw error;
  }
}

async function takeLocks(home: Home | undefined, rejects: FilePlace | undefined): Promise<Lock[]> {
  const wanted = [
    ...(home === undefined ? [] : [{ path: home.lock, name: home.name }]),
    ...(rejects?.isFile === true ? [{ path: besides(rejects.path, "lock"), name: rejects.name }] : []),
  ];
  const locks: Lock[] = [];
  try {
    for (const { path, name } of wanted) {
      await explained(name, () => makeFolder(dirname(path)));
      locks.push(await takeLock(path, name));
    }
  } catch (error) {
    await release(locks);
    throw error;
  }
  return locks;
}

async function release(locks: readonly Lock[]): Promise<void> {
  for (const lock of locks) await lock.release();
}

interface Outputs {
  readonly destination: Destination;
  readonly rejectsAt: FilePlace | undefined;
}

async function findSaved(
  home: Home,
  { destination, rejectsAt }: Outputs,
  { job, inputs, isFresh, say, io }: PlacesOptions,
): Promise<SavedRun | undefined> {
  const loaded = await loadRun(home, { job, inputs, destination, rejects: rejectsAt, signal: io.signal });
  if (loaded.kind === "saved" && !isFresh) {
    const { documents, rejects } = loaded.run.figures;
    say(
      `continuing after ${tellCount(documents, "document")} and ${tellCount(rejects, "reject")} of an earlier run (--fresh starts over)`,
    );
    return loaded.run;
  }
  if (loaded.kind === "useless") say(`an earlier run into ${home.name} ${loaded.why}: starting over`);
  if (loaded.kind !== "none") await forgetRun(home);
  return undefined;
}

interface Opened extends Outputs {
  readonly home: Home | undefined;
  readonly locks: readonly Lock[];
  readonly saved: SavedRun | undefined;
}

function start(
  { destination, rejectsAt, home, locks, saved }: Opened,
  { job, inputs, saveEveryMs, say, io }: PlacesOptions,
): Places {
  const figures = saved?.figures ?? createFigures();
  // Data from stdin cannot be read again, so nothing is saved.
  const savesAt = inputs.includes("-") ? undefined : home;
  let drafts: Drafts | undefined;
  let point: Point | undefined;
  let hasSaved = saved !== undefined;
  let savedAt = Date.now();

  const save = async (marks: Marks | undefined, end?: EndOfRun): Promise<void> => {
    if (savesAt === undefined || marks === undefined || point === undefined) return;
    await saveRun(savesAt, { job, ...point, ...marks, figures, ...(end === undefined ? {} : { end }) });
    hasSaved = true;
  };
  const settle = async (report: () => Promise<void>): Promise<void> => {
    if (rejectsAt?.isFile === true) await publishDraft(rejectsAt);
    if (destination.kind === "file") {
      const { place } = destination;
      // A mistyped or empty input must not cost the text of an earlier run.
      if (!hasReadNothing(figures) || (await sizeOf(place.path)) === 0) await publishDraft(place);
      else if (existsSync(draftOf(place))) say(`no page could be read: ${place.name} stays as it was`);
    }
    await report();
    if (home !== undefined) await forgetRun(home);
    await release(locks);
  };
  return {
    saved,
    figures,
    isOneFile: destination.kind !== "directory",
    async open(output) {
      const own = { keptAt: savesAt?.kept, draftAt: home?.draft };
      drafts = await openDrafts({ destination, rejectsAt, ...own, marks: saved, output, io });
      return drafts;
    },
    async reach(reached) {
      point = reached;
      if (Date.now() - savedAt < saveEveryMs) return;
      await save(await drafts?.pause());
      savedAt = Date.now();
    },
    async finish(end, report) {
      const marks = await drafts?.finish();
      // If the run is killed after this, only files have to be renamed. A run too short to have been saved is just
      // repeated.
      if (hasSaved) await save(marks, end);
      await settle(report);
    },
    settle,
    async abandon() {
      // If this fails, too, the point that was saved before counts.
      if (io.signal.aborted)
        await drafts
          ?.pause()
          .then(save)
          .catch(() => undefined);
      if (hasSaved) say("the state is saved: the same command continues from there");
      await (hasSaved ? drafts?.leave() : drafts?.discard());
      if (!hasSaved && home !== undefined) await forgetRun(home);
      await release(locks);
    },
  };
}
