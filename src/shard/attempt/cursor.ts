/**
 * Writes down which documents an attempt is at, so that the next one knows what the attempt may have died of; and reads
 * what earlier ones left.
 */
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { parsePlainJson, toFields } from "../../json.js";
import { OutputError } from "../../outcome.js";
import { readText } from "../store/json-file.js";
import type { Store } from "../store/store.js";
import { codeOf } from "../../thrown.js";
import { messageOf } from "../../thrown.js";

/** Documents by their numbers in the shard, from 0, in the order in which they are read. */
export interface CursorState {
  /** All before this one are done. */
  readonly done: number;
  /** Those from here on have not been begun. */
  readonly begun: number;
  /** Whether the one that is at work was suspected before, and nothing else is at work. */
  readonly isAlone: boolean;
}

export interface CursorFile extends CursorState {
  readonly shard: string;
  readonly attempt: string;
  readonly host: string;
  readonly pid: number;
  readonly startedAt: string;
  /** When the file was written last. */
  readonly beatAt: string;
}

export interface Cursor {
  /** Must be called before a document is begun, and after one is done. */
  note(state: CursorState): void;
  /** Puts it where others see it, if that is not where it is written. */
  publish(): Promise<void>;
  /** Takes it away: the attempt has ended as it should. */
  remove(): Promise<void>;
}

/** A line of one length can be written over at any time. */
const LINE_CHARS = 512;
/** How often an attempt shows that it is alive, and for how long it is believed to be. */
const BEAT_MS = 15_000;
const BELIEVED_MS = 4 * BEAT_MS;

/** A try at a shard, which has a name of its own. */
export interface Attempt {
  readonly shard: string;
  readonly attempt: string;
}

/** The name of a file of an attempt, in the folder for unfinished files. */
export function nameUnfinished({ shard, attempt }: Attempt, kind: string): string {
  return `${shard}.${attempt}.${kind}`;
}

/** Throws OutputError where the file cannot be written. */
export function openCursor(store: Store, { shard, attempt }: Attempt): Cursor {
  const name = nameUnfinished({ shard, attempt }, "cursor");
  const path = join(store.scratch, name);
  const self = { shard, attempt, host: hostname(), pid: process.pid, startedAt: new Date().toISOString() };
  let state: CursorState = { done: 0, begun: 0, isAlone: false };
  let file: number | undefined = explained(name, () => openSync(path, "w"));
  const write = (): void => {
    if (file === undefined) return;
    const json = JSON.stringify({ ...self, ...state, beatAt: new Date().toISOString() });
    writeSync(file, `${json.padEnd(LINE_CHARS - 1)}\n`, 0);
  };
  const publish = async (): Promise<void> => {
    if (store.showsScratch || file === undefined) return;
    const copy = `${path}.copy`;
    await writeFile(copy, JSON.stringify({ ...self, ...state, beatAt: new Date().toISOString() }));
    await store.commit(`_tmp/${name}`, copy, "replace");
  };
  const close = (): void => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  explained(name, write);
  const beat = setInterval(() => {
    try {
      write();
    } catch {
      return; // the next document tells
    }
    publish().catch(() => undefined); // others then believe that it has ended, which costs some work and no more
  }, BEAT_MS);
  beat.unref();
  return {
    note(next) {
      state = next;
      explained(name, write);
    },
    publish,
    async remove() {
      clearInterval(beat);
      close();
      rmSync(path, { force: true });
      if (!store.showsScratch) await store.remove(`_tmp/${name}`);
    },
  };
}

function explained<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new OutputError(`cannot write ${name}: ${messageOf(cause)}`, { cause });
  }
}

/** The cursors that attempts at a shard have left, or are writing; of all shards when none is named. */
export async function* readCursors(store: Store, shard?: string): AsyncGenerator<CursorFile> {
  for await (const name of store.list(shard === undefined ? "_tmp/" : `_tmp/${shard}.`)) {
    if (!name.endsWith(".cursor")) continue;
    const cursor = parseCursor(await readText(store, name));
    if (cursor !== undefined) yield cursor;
  }
}

function parseCursor(text: string | undefined): CursorFile | undefined {
  try {
    const found = parsePlainJson(text ?? "");
    const { done, begun, host, pid, attempt, beatAt } = toFields(found);
    const isWhole =
      typeof done === "number" &&
      typeof begun === "number" &&
      typeof host === "string" &&
      typeof pid === "number" &&
      typeof attempt === "string" &&
      typeof beatAt === "string";
    return isWhole ? (found as CursorFile) : undefined;
  } catch {
    return undefined; // half-written, as a machine may leave it that lost its power
  }
}

/** Whether an attempt is still at work, as far as that can be told from here. */
export function isAtWork({ host, pid, beatAt }: CursorFile, now = Date.now()): boolean {
  const isFresh = now - Date.parse(beatAt) < BELIEVED_MS;
  if (host !== hostname()) return isFresh;
  // A container begins to count anew: the process that had this number before is gone.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM" && isFresh;
  }
  return isFresh;
}
