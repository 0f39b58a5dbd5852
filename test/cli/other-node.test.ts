/** The command under other releases of Node.js than that of the tests. CI brings them. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BIN } from "./run.js";

const RELEASES = join("out", "nodes", "node_modules");
const NEWER = join(RELEASES, "newer", "bin", "node");
const OLDER = join(RELEASES, "older", "bin", "node");
const isThere = process.env["CI"] !== undefined || existsSync(NEWER);

it("is told from what releases on it works", () => {
  const { engines } = JSON.parse(readFileSync("package.json", "utf8")) as { engines: { node: string } };
  expect(engines.node).toBe("^20.19 || >=22.13");
  // What asks for it names the same.
  for (const path of ["bin/check-node.js", "README.md", "docs/library.md"])
    expect(readFileSync(path, "utf8")).toMatch(/20\.19 or later.+22\.13 or later/s);
});

describe.runIf(process.env["CI"] ?? existsSync(NEWER))(
  "under the newest Node.js",
  { timeout: 120_000 },
  () => {
    const work = mkdtempSync(join(tmpdir(), "thresher-newer-"));
    const run = (
      node: string,
      ...args: string[]
    ): { stdout: string; stderr: string; status: number | null } => {
      const env = { ...process.env, NODE_COMPILE_CACHE: join(work, "compiled") };
      const { stdout, stderr, status } = spawnSync(node, [BIN, ...args], {
        encoding: "utf8",
        env,
        maxBuffer: 1e8,
      });
      return { stdout, stderr, status };
    };
    beforeAll(() => {
      const { stdout } = spawnSync(NEWER, ["--version"], { encoding: "utf8" });
      expect(Number.parseInt(stdout.slice(1), 10)).toBeGreaterThanOrEqual(26);
    });
    afterAll(() => {
      rmSync(work, { recursive: true });
    });

    it("cleans a page without a word beside", () => {
      expect(run(NEWER, "fixtures/pages/qa-en/source.html")).toEqual({
        stdout: readFileSync("fixtures/pages/qa-en/default.txt", "utf8"),
        stderr: "",
        status: 0,
      });
    });

    it.each([
      [
        "pages, in two processes",
        ["fixtures/pages/*/source.html", "-j", "2", "--to", "jsonl", "--keep-boilerplate"],
      ],
      ["text and its registers", ["fixtures/text", "--registers", "--to", "jsonl"]],
      ["archives", ["fixtures/warc", "--to", "tei"]],
    ])("makes of %s what this one does", (_, args) => {
      const [newer, here] = [run(NEWER, ...args), run(process.execPath, ...args)];
      expect(newer.stderr).not.toMatch(/Warning|DEP\d|unrecognized/);
      expect(newer.status, newer.stderr).toBe(here.status);
      expect(newer.stdout).toBe(here.stdout);
      expect(newer.stdout.length).toBeGreaterThan(1000);
    });

    it("writes Parquet and reads it again, and keeps what it compiles", () => {
      const table = join(work, "table.parquet");
      expect(run(NEWER, "fixtures/pages/qa-en", "-o", table, "--quiet")).toEqual({
        ...{ stdout: "", stderr: "", status: 0 },
      });
      expect(run(NEWER, table, "--quiet")).toEqual(run(process.execPath, table, "--quiet"));
      expect(existsSync(join(work, "compiled"))).toBe(true);
    });
  },
);

it.runIf(isThere).each(["bin/thresher.js", "bin/setup.js"])(
  "%s ends with a sentence under Node.js 18",
  (script) => {
    const { stdout, stderr, status } = spawnSync(OLDER, [script, "--version"], { encoding: "utf8" });
    expect({ stdout, status }).toEqual({ stdout: "", status: 2 });
    expect(stderr).toMatch(
      /^error: Thresher needs Node\.js 20\.19 or later.+; this is v18\.\d+\.\d+ \(.+\)\n\(.+\)\n$/,
    );
  },
);
