/** Keeps the files of a job in a local folder, which may be shared by many machines. */
import { createReadStream } from "node:fs";
import { copyFile, link, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OutputError } from "../../outcome.js";
import { takeLock, type Lock } from "../../write/files/lock.js";
import { moveFile } from "../../write/files/move-file.js";
import { makeFolder } from "../../write/files/place.js";
import { TryAgain } from "../attempt/failures.js";
import type { Store } from "./store.js";
import { codeOf, messageOf } from "../../thrown.js";
import { compareTexts } from "../../text-order.js";

const SCRATCH = "_tmp";
/** To put the files of a shard in place takes milliseconds. */
const HOLD_MS = 60_000;
const ASK_AGAIN_MS = 50;

/** Makes nothing; `makeStore` does. */
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

/** Makes the folder for unfinished files. Throws OutputError. */
export async function makeScratch({ scratch }: Store): Promise<void> {
  await explained(scratch, () => makeFolder(scratch));
}

async function put(file: string, target: string, how: "first" | "replace"): Promise<"done" | "exists"> {
  await makeFolder(dirname(target));
  await syncAt(file, "r+");
  try {
    return await place(file, target, how);
  } catch (error) {
    if (codeOf(error) !== "EXDEV") throw error;
    // A name within one folder can be given at once, on whatever disk the file was.
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

/** What systems say where a disk has no second names; Windows says EISDIR of exFAT. */
const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EISDIR"]);

/** Gives the file a second name, which fails where the name is taken; then it loses its first one. */
async function linkFirst(file: string, target: string): Promise<"done" | "exists"> {
  try {
    await link(file, target);
  } catch (error) {
    const code = codeOf(error);
    if (code === "EEXIST") return "exists";
    if (code === undefined || !NO_LINKS.has(code)) throw error;
    // A disk without second names: whoever holds the shard is alone here.
    if ((await orNothing(stat(target))) !== undefined) return "exists";
    await moveFile(file, target);
    return "done";
  }
  await rm(file, { force: true });
  return "done";
}

/** Puts a file ("r+", since Windows does it only for what may be written), or the names in a folder ("r"), on disk. */
async function syncAt(path: string, flags: "r" | "r+"): Promise<void> {
  const file = await open(path, flags);
  try {
    await file.sync();
  } catch (error) {
    // Some disks cannot do it for folders.
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

async function explained<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new OutputError(`cannot write ${name}: ${messageOf(cause)}`, { cause });
  }
}
