import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { BIN } from "../../cli/run.js";

const work = mkdtempSync(join(tmpdir(), "thresher-telemetry-"));
afterAll(() => {
  rmSync(work, { recursive: true });
});

// The runtime sends nothing in CI, so the process is not told that it runs in CI.
it.skipIf(process.platform === "win32")(
  "writes no user id of the runtime, and no other file that it could send",
  () => {
    const [home, temporary] = [join(work, "home"), join(work, "tmp")];
    for (const folder of [home, temporary]) mkdirSync(folder);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [BIN, "fixtures/pages/qa-en/source.html", "--engine", "native"],
      {
        encoding: "utf8",
        env: { PATH: process.env["PATH"], HOME: home, TMPDIR: temporary, THRESHER_IS_SET_UP: "yes" },
      },
    );
    expect(status, stderr).toBe(0);
    expect(stdout).toContain("tabletop");
    for (const folder of [home, temporary]) expect(readdirSync(folder)).toEqual([]);
  },
);
