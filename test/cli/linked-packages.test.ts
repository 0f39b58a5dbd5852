/** Tests the compiled command with packages that are linked, as pnpm, `npm link` and workspaces install them. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { installWithout } from "../program-without.js";

const FIXTURE = "fixtures/pages/documentation-code-en/source.html";

describe("with linked packages", () => {
  const place = installWithout([]);
  const out = mkdtempSync(join(tmpdir(), "linked-"));
  afterAll(() => {
    for (const folder of [place, out]) rmSync(folder, { recursive: true });
  });
  const clean = (...args: string[]): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(
      process.execPath,
      [join(place, "bin/thresher.js"), FIXTURE, "--extractor", "body", "--labeller", "none", ...args],
      { encoding: "utf8" },
    );

  it("loads them for a pipe as for a file", () => {
    const file = join(out, "page.txt");
    expect(clean("-o", file)).toMatchObject({ status: 0 });
    const { status, stdout, stderr } = clean("--quiet");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toBe(readFileSync(file, "utf8"));
  }, 60_000);
});
