/** A file in the clone into the promise that one process at a time installs and builds there. */
import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";

const PAUSE_MS = 100;
/** For how long a file without words may be one that is just being written. */
const WORDLESS_MS = 10_000;
/** An installation on a slow line may take so long, no more. */
const PATIENCE_MS = 15 * 60_000;

/** Runs `work` alone; waits while another process that lives does the same. Throws when that takes too long. */
export function runAlone(lock, work) {
  take(lock);
  const release = () => rmSync(lock, { force: true });
  // What fails within ends the process.
  process.once("exit", release);
  try {
    work();
  } finally {
    process.off("exit", release);
    release();
  }
}

function take(lock) {
  const since = Date.now();
  for (let waits = 0; ; waits += 1) {
    try {
      const file = openSync(lock, "wx");
      writeSync(file, String(process.pid));
      closeSync(file);
      return;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    if (isLeftOver(lock)) {
      rmSync(lock, { force: true });
      continue;
    }
    if (waits === 0)
      process.stderr.write("thresher: waiting for another process that installs or builds …\n");
    if (Date.now() - since > PATIENCE_MS)
      throw new Error(`another process installs or builds for too long; if there is none, delete ${lock}`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
}

/** Whether the process that wrote it is gone. */
function isLeftOver(lock) {
  try {
    const owner = Number(readFileSync(lock, "utf8"));
    if (!(owner > 0)) return Date.now() - statSync(lock).mtimeMs > WORDLESS_MS;
    process.kill(owner, 0);
    return false;
  } catch (error) {
    // It is gone already, or it belongs to somebody else, who lives.
    return error.code === "ESRCH";
  }
}
