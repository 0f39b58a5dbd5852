/** Gives a file another name, also on Windows, where a scanner of viruses may hold what was just written for a moment. */
import { rename } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "../../thrown.js";

/** What Windows says of a file that another program has open. */
const HELD: ReadonlySet<string> = new Set(["EPERM", "EACCES", "EBUSY"]);
/** For how long another program is waited for; what it holds for longer is in use, or not ours to write. */
const PATIENCE_MS = 3000;
const PAUSE_MS = 50;

/** Replaces what has the name. Throws the system's error. */
export function moveFile(from: string, to: string): Promise<void> {
  return untilFree(() => rename(from, to));
}

/** Does the work again where Windows says that a file is held. */
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
