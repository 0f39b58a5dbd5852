/** Uses a lock file in the clone so that only one process at a time installs and builds there. */
import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";

const PAUSE_MS = 100;
/** How long an empty lock file may be one that another process is still writing. */
const WORDLESS_MS = 10_000;
/** The longest wait for another process: an installation over a slow connection may take this long. */
const PATIENCE_MS = 15 * 60_000;

/** Runs `work` with the lock; waits while another live process has it. Throws an Error when the wait takes too long. */
export function runAlone(lock, work) {
  take(lock);
  const release = () => rmSync(lock, { force: true });
  // A failure in `work` may end the process, so the lock is also released at exit.
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

/** Checks whether the process that wrote the lock has ended. */
function isLeftOver(lock) {
  try {
    const owner = Number(readFileSync(lock, "utf8"));
    if (!(owner > 0)) return Date.now() - statSync(lock).mtimeMs > WORDLESS_MS;
    process.kill(owner, 0);
    return false;
  } catch (error) {
    // With other codes, the lock file is gone already, or its process is alive and belongs to another user.
    return error.code === "ESRCH";
  }
}
