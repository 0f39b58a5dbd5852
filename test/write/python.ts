/** Finds and runs a Python that has a package, for tests in which other programs read our output. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const CANDIDATES = [
  process.env["THRESHER_TEST_PYTHON"],
  fileURLToPath(new URL("../../.venv/bin/python", import.meta.url)),
  "python3",
];

/** Returns the path of a Python that can import the modules, or undefined. */
export function findPython(...modules: string[]): string | undefined {
  return CANDIDATES.find(
    (path) => path !== undefined && spawnSync(path, ["-c", `import ${modules.join(", ")}`]).status === 0,
  );
}

/** Parses the JSON that a script prints; throws its error output if it fails. */
export function runPython(python: string, script: string, args: readonly string[]): unknown {
  const { status, stdout, stderr } = spawnSync(python, ["-c", script, ...args], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
