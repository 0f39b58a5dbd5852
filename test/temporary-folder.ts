/** Gives a test run its own temporary folder, and removes it at the end with everything that tests and killed processes left in it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const NAME = "thresher-tests-";

/** Runs once for each project of a test run; all projects use the folder that the first one makes. */
export default function setUp(): (() => void) | undefined {
  if (basename(tmpdir()).startsWith(NAME)) return undefined;
  const before = process.env["TMPDIR"];
  const folder = mkdtempSync(join(tmpdir(), NAME));
  process.env["TMPDIR"] = folder;
  return () => {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
    // Programs that are about to end may still write to it.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}
