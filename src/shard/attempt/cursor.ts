/**
 * Records which documents an attempt is working on, so that the next attempt knows which ones may have killed it; also
 * reads the cursors of earlier attempts.
 */
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { parsePlainJson, toFields } from "../../json.js";
import { readText } from "../store/json-file.js";
import type { Store } from "../store/store.js";
import { codeOf } from "../../thrown.js";
import { cannotWrite } from "../../write-error.js";

/** Positions as indexes of documents in the shard, from 0, in reading order. */
export interface CursorState {
  /** All documents before this one are done. */
  readonly done: number;
  /** Documents from this one on have not been started. */
  readonly begun: number;
  /** Whether the current document is a suspect that runs alone. */
  readonly isAlone: boolean;
}

export interface CursorFile extends CursorState {
  readonly shard: string;
  readonly attempt: string;
  readonly host: string;
  readonly pid: number;
  readonly startedAt: string;
  /** When the file was last written. */
  readonly beatAt: string;
}

export interface Cursor {
  /** Must be called before a document is started, and after one is done. */
  note(state: CursorState): void;
  /** Makes the cursor visible to other machines, if its file is not. */
  publish(): Promise<void>;
  /** Removes the cursor: the attempt has ended normally. */
  remove(): Promise<void>;
}

/** The fixed length of the line, so that it can be overwritten at any time. */
const LINE_CHARS = 512;
/** How often an attempt updates its cursor, and how long it counts as alive after an update. */
const BEAT_MS = 15_000;
const BELIEVED_MS = 4 * BEAT_MS;

/** An attempt at a shard, with a unique name. */
export interface Attempt {
  readonly shard: string;
  readonly attempt: string;
}

/** The name of an attempt's file in the folder for unfinished files. */
export function nameUnfinished({ shard, attempt }: Attempt, kind: string): string {
  return `${shard}.${attempt}.${kind}`;
}

/** Creates the cursor of an attempt. Throws OutputError when the file cannot be written. */
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
  const copy = `${path}.copy`;
  const upload = async (): Promise<void> => {
    if (store.showsScratch || file === undefined) return;
    await writeFile(copy, JSON.stringify({ ...self, ...state, beatAt: new Date().toISOString() }));
    await store.commit(`_tmp/${name}`, copy, "replace");
  };
  // One upload at a time: the last one must not be overtaken, nor end after the removal.
  let uploaded = Promise.resolve();
  const publish = (): Promise<void> => {
    const published = uploaded.then(upload);
    uploaded = published.catch(() => undefined); // the caller gets the error
    return published;
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
      return; // `note` throws the error at the next document
    }
    publish().catch(() => undefined); // others may then take the attempt for dead, which only costs some work
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
      await uploaded;
      for (const left of [path, copy]) rmSync(left, { force: true });
      if (!store.showsScratch) await store.remove(`_tmp/${name}`);
    },
  };
}

function explained<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw cannotWrite(name, cause);
  }
}

/**
 * Yields the cursors that attempts at a shard have left or are writing; those of all shards when `shard` is not given.
 */
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
    return undefined; // half-written, as after a power failure
  }
}

/** Whether an attempt is still running, as far as this machine can know. */
export function isAtWork({ host, pid, beatAt }: CursorFile): boolean {
  const isFresh = Date.now() - Date.parse(beatAt) < BELIEVED_MS;
  if (host !== hostname()) return isFresh;
  // Process ids start anew in a container: this cursor's process had our id, so it is gone.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM" && isFresh;
  }
  return isFresh;
}
