/** Tells whether an input is still the file that was planned. */
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { InputPart } from "../acquire/parts.js";
import { BadShard, TryAgain } from "./failures.js";
import type { ShardInput } from "./manifest.js";

export interface FileFacts {
  readonly bytes: number;
  readonly etag: string;
}

/** The size of a local file and the time of its last change, in milliseconds. Throws the system's error. */
export async function lookAtFile(path: string): Promise<FileFacts> {
  const { size, mtimeMs } = await stat(path);
  return { bytes: size, etag: `${size}-${Math.floor(mtimeMs)}` };
}

/** Throws BadShard where it is another file, or none any more, and TryAgain where it cannot be reached. */
export async function checkInput(
  { uri, etag, bytes }: ShardInput,
  { path }: Pick<InputPart, "path">,
): Promise<void> {
  let facts: FileFacts;
  try {
    facts = await lookAtFile(path);
  } catch (cause) {
    throw await explainMissing(path, uri, cause);
  }
  if (facts.etag === etag) return;
  const how = facts.bytes === bytes ? "" : `: it had ${bytes} bytes and has ${facts.bytes}`;
  throw new BadShard(`${uri} has changed since the job was planned${how}`);
}

/** A file that is gone stays gone; where its folder is gone as well, a disk may not be mounted. */
async function explainMissing(path: string, uri: string, cause: unknown): Promise<Error> {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
  const isGone = code === "ENOENT" && (await isThere(dirname(path)));
  return isGone || NEVER.has(code)
    ? new BadShard(`${uri} cannot be read: ${code}`, { cause })
    : new TryAgain(`${uri} cannot be reached: ${code}`, { cause });
}

/** Errors of the system that no other try gets past. */
export const NEVER: ReadonlySet<string> = new Set([
  "EACCES",
  "EPERM",
  "EISDIR",
  "ENOTDIR",
  "ENAMETOOLONG",
  "ELOOP",
]);

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false; // which is what was asked
  }
}
