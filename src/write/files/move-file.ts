/** Renames a file, with retries on Windows, where a virus scanner may briefly hold a new file open. */
import { rename } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "../../thrown.js";

/** Error codes of Windows for a file that another program has open. */
const HELD: ReadonlySet<string> = new Set(["EPERM", "EACCES", "EBUSY"]);
/** How long to wait for the other program; a file held for longer is in use, or we may not write it. */
const PATIENCE_MS = 3000;
const PAUSE_MS = 50;

/** Renames `from` to `to` and replaces an existing file. Throws the system's error. */
export function moveFile(from: string, to: string): Promise<void> {
  return untilFree(() => rename(from, to));
}

/** Retries the work while Windows reports that a file is held. */
export async function untilFree<T>(
  work: () => Promise<T>,
  platform: NodeJS.Platform = process.platform,
): Promise<T> {
  for (const until = Date.now() + PATIENCE_MS; ;) {
    try {
      return await work();
    } catch (error) {
      const mayEnd = platform === "win32" && HELD.has(codeOf(error) ?? "");
      if (!mayEnd || Date.now() > until) throw error;
    }
    await sleep(PAUSE_MS);
  }
}
