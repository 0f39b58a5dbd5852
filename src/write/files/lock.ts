/** Locks an output with a lock file beside it, so that no two processes write to it at the same time. */
import { readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { toFields, tryJson } from "../../json.js";
import { OutputError } from "../../outcome.js";
import { codeOf } from "../../thrown.js";
import { moveFile, untilFree } from "./move-file.js";
import { cannotWrite } from "../../write-error.js";

export interface Lock {
  release(): Promise<void>;
}

interface Owner {
  readonly pid: number;
  readonly host: string;
  /** The start time of the process as the system counts it, if known: process ids are reused. */
  readonly born?: string;
}

/**
 * How often the owner touches the lock file, and how long after that an owner counts as alive if it is on another
 * machine or its start time is unknown.
 */
const BEAT_MS = 30_000;
const BELIEVED_MS = 4 * BEAT_MS;
/** How long an empty lock file may still be in the middle of being written. */
const EMPTY_MS = 10_000;
const MOST_TRIES = 5;

/** Takes the lock. `name` is the output's name in messages. Throws OutputError when another process has the lock. */
export async function takeLock(path: string, name: string): Promise<Lock> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    try {
      await untilFree(() => writeFile(path, JSON.stringify(describeSelf()), { flag: "wx" }));
      return hold(path);
    } catch (cause) {
      if (codeOf(cause) !== "EEXIST") throw cannotWrite(name, cause);
    }
    const found = await inspect(path);
    if (found === undefined) continue;
    if (found.isHeld)
      throw new OutputError(`${name} is being written by ${tell(found.owner)}; if it is not, delete ${path}`);
    await clearAway(path, found.text);
  }
  throw new OutputError(`${name} is being written by several processes at once`);
}

function hold(path: string): Lock {
  const beat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined); // another machine may then take the lock
  }, BEAT_MS);
  beat.unref();
  return {
    async release() {
      clearInterval(beat);
      await untilFree(() => rm(path, { force: true }));
    },
  };
}

interface Found {
  readonly text: string;
  readonly owner: Owner | undefined;
  readonly isHeld: boolean;
}

/** Reads who holds the lock; undefined when the file has disappeared meanwhile. */
async function inspect(path: string): Promise<Found | undefined> {
  try {
    const text = await untilFree(() => readFile(path, "utf8"));
    const age = Date.now() - (await stat(path)).mtimeMs;
    const owner = parseOwner(text);
    if (owner === undefined) return { text, owner, isHeld: age < EMPTY_MS };
    const isFresh = age < BELIEVED_MS;
    // Without its start time, a process with this id may be another one, as ids are reused within minutes on Windows.
    const isHere = owner.host === hostname();
    const isHeld = isHere ? isAlive(owner) && (isFresh || owner.born !== undefined) : isFresh;
    return { text, owner, isHeld };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Removes the lock of a dead process, unless a live one has replaced it since it was read. */
async function clearAway(path: string, text: string): Promise<void> {
  const aside = `${path}.${process.pid}`;
  try {
    await moveFile(path, aside);
    if ((await readFile(aside, "utf8")) === text) await rm(aside, { force: true });
    else await moveFile(aside, path);
  } catch (error) {
    // Another process removed it first.
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

function isAlive({ pid, born }: Owner): boolean {
  // Our own id in an old lock: that process had the id before us and is gone.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
  const found = lookAt(pid);
  return found === undefined || (!found.hasEnded && (born ?? found.born) === found.born);
}

function describeSelf(): Owner {
  const born = lookAt(process.pid)?.born;
  return { pid: process.pid, host: hostname(), ...(born === undefined ? {} : { born }) };
}

interface Facts {
  readonly born: string;
  /**
   * The process has ended but its parent has not waited for it (a zombie); in a container, the first process may never
   * do so.
   */
  readonly hasEnded: boolean;
}

/**
 * Reads the state and start time of a process, the 3rd and 22nd fields of /proc/PID/stat (proc(5)). Fields are counted
 * from after the name, which may contain spaces. Undefined when the file does not exist.
 */
function lookAt(pid: number): Facts | undefined {
  try {
    const facts = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = facts.slice(facts.lastIndexOf(")") + 2).split(" ");
    const [state, born] = [fields[0], fields[19]];
    return born === undefined ? undefined : { born, hasEnded: state === "Z" || state === "X" };
  } catch {
    return undefined; // not Linux
  }
}

function parseOwner(text: string): Owner | undefined {
  // A half-written lock is not JSON.
  const { pid, host, born } = toFields(tryJson(text));
  if (typeof pid !== "number" || typeof host !== "string") return undefined;
  return { pid, host, ...(typeof born === "string" ? { born } : {}) };
}

function tell(owner: Owner | undefined): string {
  return owner === undefined ? "another process" : `process ${owner.pid} on ${owner.host}`;
}
