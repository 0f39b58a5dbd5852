import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";

// The tests of the package in `python/`, as `python3 -m unittest` runs them there, with what `.ci/run` installs for them.

const FOLDER = "python";
const VENV = join(FOLDER, ".venv", "bin", "python");
const hasVenv = existsSync(VENV);
// A child resolves the path of its program from its own folder.
const PYTHON = hasVenv ? join(process.cwd(), VENV) : (process.env["PYTHON"] ?? "python3");

function python(...args: string[]): { readonly status: number | null; readonly text: string } {
  const env = {
    ...process.env,
    PYTHONPATH: ["src", process.env["PYTHONPATH"]].filter(Boolean).join(delimiter),
  };
  const { status, stdout, stderr } = spawnSync(PYTHON, ["-B", ...args], {
    cwd: FOLDER,
    encoding: "utf8",
    env,
  });
  return { status, text: `${stdout}${stderr}` };
}

const hasPython = python("-c", "import sys; assert sys.version_info >= (3, 9)").status === 0;

describe("the Python package", { timeout: 280_000 }, () => {
  it.runIf(process.env["CI"])("has all that its tests need where all tests have to run", () => {
    expect(hasVenv, `${VENV}, which .ci/run makes`).toBe(true);
  });

  it.skipIf(!hasPython)("passes its own tests", () => {
    const { status, text } = python("-m", "unittest", "discover", "-t", ".", "-s", "tests");
    expect(status, text).toBe(0);
    expect(text).toMatch(/^Ran [4-9]\d tests/m);
  });

  it.skipIf(!hasVenv)("has types and style as its settings ask", () => {
    for (const args of [["mypy"], ["ruff", "check", "."], ["ruff", "format", "--check", "."]]) {
      const { status, text } = python("-m", ...args);
      expect(status, text).toBe(0);
    }
  });
});
