/** Gives a run of tests a temporary folder of its own, which goes with all that tests and killed processes leave in it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Projects are set up one after another, in one process; those that run at the same time share the first folder. */
let isOurs = false;

export default function setUp(): (() => void) | undefined {
  if (isOurs) return undefined;
  isOurs = true;
  const before = process.env["TMPDIR"];
  const folder = mkdtempSync(join(tmpdir(), "thresher-tests-"));
  process.env["TMPDIR"] = folder;
  return () => {
    isOurs = false;
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
    // Programs that are ending may still write.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}
