/** Finds and runs Python for tests that let other programs read what we wrote: the first that has a package, if any. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const CANDIDATES = [
  process.env["THRESHER_TEST_PYTHON"],
  fileURLToPath(new URL("../../.venv/bin/python", import.meta.url)),
  "python3",
];

/** The path of a Python that can import the modules; undefined where there is none. */
export function findPython(...modules: string[]): string | undefined {
  return CANDIDATES.find(
    (path) => path !== undefined && spawnSync(path, ["-c", `import ${modules.join(", ")}`]).status === 0,
  );
}

/** What a script prints as JSON; throws with its complaint. */
export function runPython(python: string, script: string, args: readonly string[]): unknown {
  const { status, stdout, stderr } = spawnSync(python, ["-c", script, ...args], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
