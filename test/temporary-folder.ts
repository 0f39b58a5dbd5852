/** Gives a run of tests a temporary folder of its own, which goes with all that tests and killed processes leave in it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const NAME = "thresher-tests-";

/** Is called for each project of a run: the first one's folder is that of all. */
export default function setUp(): (() => void) | undefined {
  if (basename(tmpdir()).startsWith(NAME)) return undefined;
  const before = process.env["TMPDIR"];
  const folder = mkdtempSync(join(tmpdir(), NAME));
  process.env["TMPDIR"] = folder;
  return () => {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
    // Programs that are ending may still write.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}
