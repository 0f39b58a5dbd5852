import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

// Runs the tests of the package in `python/` with `python3 -m unittest`, and with what `.ci/run` installs for them.

const FOLDER = "python";
const VENV = join(FOLDER, ".venv", "bin", "python");
const hasVenv = existsSync(VENV);
// A child process resolves the path of its program from its own folder.
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
  it.runIf(process.env["CI"])("has everything that its tests need in CI", () => {
    expect(hasVenv, `${VENV}, which .ci/run makes`).toBe(true);
  });

  const modules = readdirSync(join(FOLDER, "tests")).filter((name) => /^test_.*\.py$/.test(name));

  it("has tests", () => {
    expect(modules.length).toBeGreaterThan(5);
  });

  it.skipIf(!hasPython).each(modules)("passes its own %s", (name) => {
    const { status, text } = python("-m", "unittest", `tests.${name.slice(0, -".py".length)}`);
    expect(status, text).toBe(0);
    expect(text).toMatch(/^Ran [1-9]\d* tests? in/m);
  });

  // The build tools of the package come from Python's registry.
  it.runIf(process.env["CI"])("installs into an empty environment, and finds the command there", () => {
    const folder = mkdtempSync(join(tmpdir(), "thresher-pip-"));
    try {
      const run = (program: string, ...args: string[]): string =>
        execFileSync(program, args, {
          cwd: folder,
          encoding: "utf8",
          env: { ...process.env, THRESHER: join(process.cwd(), "bin", "thresher.js") },
        });
      const [venv, source] = [join(folder, "venv"), join(folder, "source")];
      cpSync(FOLDER, source, { recursive: true, filter: (path) => !path.includes(".venv") });
      run(process.env["PYTHON"] ?? "python3", "-m", "venv", "--without-pip", venv);
      const own = join(venv, "bin", "python");
      const pip = ["-m", "pip", "--python", own, "install", "--quiet", "--disable-pip-version-check"];
      run(PYTHON, ...pip, source);
      const page =
        "'<nav><a href=/>Home</a></nav><p>She wrote the letter on a cold morning, and nobody answered.'";
      const script = `import thresher; print(thresher.__file__); print(thresher.clean(${page}).text)`;
      const [place = "", text] = run(own, "-c", script).split("\n");
      expect(place).toContain(join("site-packages", "thresher"));
      expect(text).toBe("She wrote the letter on a cold morning, and nobody answered.");
      expect(existsSync(join(dirname(place), "py.typed"))).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.skipIf(!hasVenv)("passes type checks and style checks with its settings", () => {
    for (const args of [["mypy"], ["ruff", "check", "."], ["ruff", "format", "--check", "."]]) {
      const { status, text } = python("-m", ...args);
      expect(status, text).toBe(0);
    }
  });
});
