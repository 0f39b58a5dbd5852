/** Tests the command under other releases of Node.js than that of the tests. CI installs them. */
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

const home = mkdtempSync(join(tmpdir(), "thresher-home-"));
const compiled = join(home, ".cache", "thresher", "compiled");
afterAll(() => {
  rmSync(home, { recursive: true });
});

interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
}

function run(node: string, args: readonly string[], HOME = home): Ended {
  const env = { ...process.env, HOME };
  const { stdout, stderr, status } = spawnSync(node, args, { encoding: "utf8", env, maxBuffer: 1e8 });
  return { stdout, stderr, status };
}

it("names the same supported Node.js releases everywhere", () => {
  const { engines } = JSON.parse(readFileSync("package.json", "utf8")) as { engines: { node: string } };
  expect(engines.node).toBe("^20.19 || >=22.13");
  // The program and its documentation state the same.
  for (const path of ["bin/check-node.js", "README.md", "docs/library.md"])
    expect(readFileSync(path, "utf8")).toMatch(/20\.19 or later.+22\.13 or later/s);
});

it.runIf(isThere).each(["bin/thresher.js", "bin/setup.js"])(
  "%s prints one sentence and exits under Node.js 18",
  (script) => {
    const { stdout, stderr, status } = run(OLDER, [script, "--version"]);
    expect({ stdout, status }).toEqual({ stdout: "", status: 2 });
    expect(stderr).toMatch(
      /^error: Thresher needs Node\.js 20\.19 or later.+; this is v18\.\d+\.\d+ \(.+\)\n\(.+\)\n$/,
    );
  },
);

describe.runIf(isThere)("under the newest Node.js", { timeout: 120_000 }, () => {
  beforeAll(() => {
    const { stdout } = run(NEWER, ["--version"]);
    expect(Number(/\d+/.exec(stdout)?.[0])).toBeGreaterThanOrEqual(26);
  });

  it.each([
    ["and keeps what it compiles", home],
    ["even if it can keep nothing", "/dev/null"],
  ])("cleans a page without warnings, %s", (_, place) => {
    expect(run(NEWER, [BIN, "fixtures/pages/qa-en/source.html"], place)).toEqual({
      stdout: readFileSync("fixtures/pages/qa-en/default.txt", "utf8"),
      stderr: "",
      status: 0,
    });
    if (place === home) expect(existsSync(compiled)).toBe(true);
  });

  it.each([
    [
      "pages, in two processes",
      ["fixtures/pages/*/source.html", "-j", "2", "--to", "jsonl", "--keep-boilerplate"],
    ],
    ["text and its registers", ["fixtures/text", "--registers", "--to", "jsonl"]],
    ["archives", ["fixtures/warc", "--to", "tei"]],
  ])("gives the same output as this version for %s", (_, args) => {
    const [newer, here] = [run(NEWER, [BIN, ...args]), run(process.execPath, [BIN, ...args])];
    expect(newer.stderr).not.toMatch(/Warning|DEP\d|unrecognized/);
    expect(newer.status, newer.stderr).toBe(here.status);
    expect(newer.stdout).toBe(here.stdout);
    expect(newer.stdout.length).toBeGreaterThan(1000);
  });

  it("writes Parquet and reads it again", () => {
    const table = join(home, "table.parquet");
    const silent = { stdout: "", stderr: "", status: 0 };
    expect(run(NEWER, [BIN, "fixtures/pages/qa-en", "-o", table, "--quiet"])).toEqual(silent);
    const [newer, here] = [NEWER, process.execPath].map((node) => run(node, [BIN, table, "--quiet"]));
    expect(newer).toEqual(here);
    expect(newer?.stdout).toContain('"text":');
  });
});
