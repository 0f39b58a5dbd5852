/** What a run knows of itself into a small file that is whole or not there, and back. */
import { createHash } from "node:crypto";
import { open, readFile, rename } from "node:fs/promises";
import { OutputError } from "../outcome.js";

/** `value` must survive JSON. `name` is what the message calls the output. Throws OutputError. */
export async function writeState(path: string, value: unknown, name: string): Promise<void> {
  const json = JSON.stringify(value);
  try {
    const draft = `${path}.new`;
    const file = await open(draft, "w");
    try {
      await file.writeFile(`${digest(json)}\n${json}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new OutputError(`cannot write beside ${name} how far it is: ${message}`, { cause });
  }
}

/** What `writeState` wrote; undefined where there is no such file, or another than it wrote. */
export async function readState<T>(path: string): Promise<T | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch {
    return undefined; // the usual case: nothing was interrupted
  }
  const [stated, json = ""] = text.split("\n");
  // What has this digest is what we wrote.
  return stated === digest(json) ? (JSON.parse(json) as T) : undefined;
}

function digest(json: string): string {
  return createHash("sha256").update(json).digest("hex");
}
