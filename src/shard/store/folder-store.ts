/** Stores the files of a job in a local folder, which several machines may share. */
import { createReadStream } from "node:fs";
import { copyFile, link, lstat, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { takeLock, type Lock } from "../../write/files/lock.js";
import { moveFile } from "../../write/files/move-file.js";
import { makeFolder } from "../../write/files/place.js";
import { TryAgain } from "../attempt/failures.js";
import type { Store } from "./store.js";
import { OutputError } from "../../outcome.js";
import { codeOf } from "../../thrown.js";
import { compareTexts } from "../../text-order.js";
import { explained } from "../../write-error.js";

/** The folder of unfinished files in that of a job. */
export const SCRATCH = "_tmp";
/** How long to wait for the lock of a shard; committing its files takes milliseconds. */
const HOLD_MS = 60_000;
const ASK_AGAIN_MS = 50;

/** Opens a folder as a store. Creates nothing; `makeScratch` does. */
export function openFolderStore(path: string): Store {
  const folder = resolve(path);
  const at = (name: string): string => join(folder, name);
  return {
    name: path,
    scratch: join(folder, SCRATCH),
    showsScratch: true,
    read: (name) => orNothing(readFile(at(name))),
    async open(name) {
      const found = await orNothing(stat(at(name)));
      return found === undefined ? undefined : createReadStream(at(name));
    },
    commit: (name, file, how) => explained(name, () => put(file, at(name), how)),
    async *list(prefix) {
      const within = prefix.includes("/") ? prefix.slice(0, prefix.lastIndexOf("/") + 1) : "";
      for (const name of (await walk(folder, within)).sort(compareTexts))
        if (name.startsWith(prefix)) yield name;
    },
    remove: (name) => rm(at(name), { force: true }),
    hold: (shard) => hold(join(folder, SCRATCH, `${shard}.lock`), shard),
  };
}

/** Creates the folder for unfinished files. Throws OutputError. */
export async function makeScratch({ scratch, showsScratch }: Store): Promise<void> {
  await explained(scratch, async () => {
    if (!showsScratch) await makeOwnFolder(dirname(scratch));
    await makeFolder(scratch);
  });
}

/** Creates a folder in the temporary folder, where other users could create it first to read or change its files. */
async function makeOwnFolder(path: string): Promise<void> {
  await makeFolder(path, 0o700);
  const found = await lstat(path);
  // Windows has no ids, but a temporary folder for each user.
  if (!found.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid))
    throw new Error(`${path} belongs to another user or is no folder; set TMPDIR to a folder of yours`);
}

async function put(file: string, target: string, how: "first" | "replace"): Promise<"done" | "exists"> {
  await makeFolder(dirname(target));
  await syncAt(file, "r+");
  try {
    return await place(file, target, how);
  } catch (error) {
    if (codeOf(error) !== "EXDEV") throw error;
    // The file is on another disk, and only a rename within one disk is atomic: copy it into the target folder first.
    const near = join(dirname(target), `.${basename(target)}.${randomBytes(4).toString("hex")}`);
    try {
      await copyFile(file, near);
      await syncAt(near, "r+");
      const put = await place(near, target, how);
      if (put === "done") await rm(file, { force: true });
      return put;
    } finally {
      await rm(near, { force: true });
    }
  }
}

async function place(file: string, target: string, how: "first" | "replace"): Promise<"done" | "exists"> {
  if (how === "replace") await moveFile(file, target);
  else if ((await linkFirst(file, target)) === "exists") return "exists";
  await syncAt(dirname(target), "r");
  return "done";
}

/** Error codes when a disk does not support hard links; Windows reports EISDIR for exFAT. */
const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EISDIR"]);

/** Creates a hard link, which fails if the target exists, and then removes the first name. */
async function linkFirst(file: string, target: string): Promise<"done" | "exists"> {
  try {
    await link(file, target);
  } catch (error) {
    const code = codeOf(error);
    if (code === "EEXIST") return "exists";
    if (code === undefined || !NO_LINKS.has(code)) throw error;
    // Without hard links this check is not atomic, but the lock of the shard keeps others out.
    if ((await orNothing(stat(target))) !== undefined) return "exists";
    await moveFile(file, target);
    return "done";
  }
  await rm(file, { force: true });
  return "done";
}

/** Flushes a file to disk ("r+", because Windows requires a writable file), or the entries of a folder ("r"). */
async function syncAt(path: string, flags: "r" | "r+"): Promise<void> {
  const file = await open(path, flags);
  try {
    await file.sync();
  } catch (error) {
    // Some disks cannot flush folders.
    const code = codeOf(error);
    if (code !== "EINVAL" && code !== "EPERM" && code !== "ENOTSUP" && code !== "EISDIR") throw error;
  } finally {
    await file.close();
  }
}

async function hold(path: string, shard: string): Promise<Lock> {
  for (const until = Date.now() + HOLD_MS; ;) {
    try {
      return await takeLock(path, shard);
    } catch (error) {
      if (!(error instanceof OutputError) || error.cause !== undefined) throw error;
      if (Date.now() > until) throw new TryAgain(error.message, { cause: error });
      await sleep(ASK_AGAIN_MS);
    }
  }
}

async function walk(folder: string, within: string): Promise<string[]> {
  const entries = (await orNothing(readdir(join(folder, within), { withFileTypes: true }))) ?? [];
  const names: string[] = [];
  for (const entry of entries) {
    const name = `${within}${entry.name}`;
    if (entry.isDirectory()) names.push(...(await walk(folder, `${name}/`)));
    else names.push(name);
  }
  return names;
}

async function orNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
