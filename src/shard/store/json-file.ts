/** Reads and writes the small JSON files of a job. */
import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parsePlainJson } from "../../json.js";
import { BadShard } from "../attempt/failures.js";
import type { Store } from "./store.js";
import { messageOf } from "../../thrown.js";
import { explained } from "../../write-error.js";

/** Commits text as a file, atomically. Throws OutputError. */
export async function commitText(
  store: Store,
  name: string,
  text: string,
  how: "first" | "replace",
): Promise<"done" | "exists"> {
  const draft = join(store.scratch, `${randomBytes(6).toString("hex")}.draft`);
  await explained(name, () => writeFile(draft, text));
  const committed = await store.commit(name, draft, how);
  if (committed === "exists") await rm(draft, { force: true });
  return committed;
}

/** Reads a file as UTF-8; undefined when it does not exist. */
export async function readText(store: Store, name: string): Promise<string | undefined> {
  const bytes = await store.read(name);
  return bytes === undefined ? undefined : Buffer.from(bytes).toString("utf8");
}

/**
 * Reads a JSON file; undefined when it is missing. Throws BadShard when it is not JSON: these files are written whole,
 * so it is damaged. `remedy` is appended to the message.
 */
export async function readJson(store: Store, name: string, remedy = ""): Promise<unknown> {
  const text = await readText(store, name);
  if (text === undefined) return undefined;
  try {
    return parsePlainJson(text);
  } catch (cause) {
    throw new BadShard(`${name} in ${store.name} is damaged: ${messageOf(cause)}${remedy}`, { cause });
  }
}
