/** Checks whether an input is still the file that was planned. */
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { isUrl } from "../../acquire/files.js";
import { parseObjectAddress } from "../../acquire/objects/address.js";
import { ObjectError } from "../../acquire/objects/failure.js";
import type { ObjectFacts } from "../../acquire/objects/objects.js";
import { createObjectOpener, type ObjectOpener } from "../../acquire/objects/open.js";
import type { InputPart } from "../../acquire/parts.js";
import { BadShard, TryAgain } from "../attempt/failures.js";
import type { ShardInput } from "../plan/manifest.js";
import { codeOf } from "../../thrown.js";

/**
 * The size of a local file and an etag made of its size and modification time in milliseconds. Throws the system's
 * error, and an error for anything but a regular file.
 */
export async function lookAtFile(path: string): Promise<ObjectFacts> {
  const stats = await stat(path);
  if (!stats.isFile())
    throw new Error("it is a pipe or a device, and a shard must find the same bytes again");
  const { size, mtimeMs } = stats;
  return { bytes: size, etag: `${size}-${Math.floor(mtimeMs)}` };
}

/** Checks each file once, however many parts of it are read. Throws BadShard and TryAgain. */
export async function checkInputs(
  inputs: readonly ShardInput[],
  parts: readonly Pick<InputPart, "path">[],
): Promise<void> {
  const objects = createObjectOpener();
  const seen = new Set<string>();
  try {
    for (const [at, input] of inputs.entries()) {
      const path = parts[at]?.path ?? input.uri;
      // The response to a range request shows by itself whether the object has changed.
      if (seen.has(path) || (isUrl(path) && input.length !== null)) continue;
      seen.add(path);
      if (isUrl(path)) await checkObject(input, path, objects);
      else await checkFile(input, path);
    }
  } finally {
    await objects.close();
  }
}

async function checkObject(input: ShardInput, path: string, objects: ObjectOpener): Promise<void> {
  let facts: ObjectFacts | undefined;
  try {
    facts = await (await objects.storeOf(path)).look(parseObjectAddress(path));
  } catch (cause) {
    if (!(cause instanceof ObjectError)) throw cause;
    throw cause.retryable
      ? new TryAgain(cause.message, { cause })
      : new BadShard(`${input.uri} cannot be read: ${cause.message}`, { cause });
  }
  if (facts === undefined) throw new BadShard(`${input.uri} cannot be read: the object does not exist`);
  if (facts.etag !== input.etag) throw new BadShard(`${input.uri} has changed since the job was planned`);
}

/** Throws BadShard when the file is missing or has changed, and TryAgain when it cannot be reached. */
async function checkFile({ uri, etag, bytes }: ShardInput, path: string): Promise<void> {
  let facts: ObjectFacts;
  try {
    facts = await lookAtFile(path);
  } catch (cause) {
    throw await explainMissing(path, uri, cause);
  }
  if (facts.etag === etag) return;
  const how = facts.bytes === bytes ? "" : `: it had ${bytes} bytes and has ${facts.bytes}`;
  throw new BadShard(`${uri} has changed since the job was planned${how}`);
}

/** A missing file stays missing; but if its folder is missing as well, a disk may not be mounted. */
async function explainMissing(path: string, uri: string, cause: unknown): Promise<Error> {
  const code = codeOf(cause) ?? String(cause);
  const isGone = code === "ENOENT" && (await isThere(dirname(path)));
  return isGone || NEVER.has(code)
    ? new BadShard(`${uri} cannot be read: ${code}`, { cause })
    : new TryAgain(`${uri} cannot be reached: ${code}`, { cause });
}

/** Error codes of the system for which a retry cannot help. */
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
    return false; // any error means that it is not there
  }
}
