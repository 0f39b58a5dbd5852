/**
 * Runs the rivals written in Python, each in its own process of the virtual environment that `npm run bench:rivals`
 * makes.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createChildSystem } from "./child.js";
import { SystemUnavailable } from "./errors.js";
import { ROOT } from "./root.js";
import type { Subject } from "./subject.js";
import type { System } from "./system.js";

/**
 * The systems in the order of the report. Their versions are pinned in python/requirements.txt, their options are in
 * python/serve.py.
 */
export const PYTHON_SYSTEMS = [
  "trafilatura",
  "trafilatura-fast",
  "trafilatura-precision",
  "trafilatura-recall",
  "trafilatura-evaluation",
  "justext",
  "justext-independent",
  "resiliparse",
  "resiliparse-no-comments",
  "resiliparse-all",
  "readability-lxml",
  "boilerpy3",
  "inscriptis",
  "rs-trafilatura",
] as const;

/** The subjects of the systems that can be measured on more than lines, or only on other subjects. */
export const PYTHON_SUBJECTS: Readonly<Record<string, readonly Subject[]>> = {
  trafilatura: ["lines", "structure", "metadata"],
  "readability-lxml": ["lines", "structure"],
  "rs-trafilatura": ["lines", "structure", "metadata"],
  newspaper4k: ["structure", "metadata"],
  htmldate: ["metadata"],
};

export interface PythonOptions {
  readonly timeoutMs?: number;
  /** The subject to measure; `lines` when absent. */
  readonly subject?: Subject;
  /** The virtual environment; `.venv` in the package when absent. */
  readonly venv?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const ADVICE = "npm run bench:rivals installs the Python rivals (in a clone; it needs Python 3.10 or later)";

/**
 * Starts a Python rival. Throws SystemUnavailable if there is no Python environment, or if it does not have this rival.
 */
export function createPythonSystem(name: string, options: PythonOptions = {}): Promise<System> {
  const python = findPython(options.venv ?? join(ROOT, ".venv"));
  if (python === undefined) {
    return Promise.reject(new SystemUnavailable(`${name}: there is no Python environment; ${ADVICE}`));
  }
  const { timeoutMs, env, subject = "lines" } = options;
  return createChildSystem({
    name,
    takes: "pages",
    command: python,
    args: ["-X", "utf8", join(ROOT, "bench", "systems", "python", "serve.py"), name, subject],
    advice: ADVICE,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(env === undefined ? {} : { env }),
  });
}

/** Returns the path of the interpreter of a virtual environment; undefined if there is none. */
export function findPython(venv: string): string | undefined {
  return [join(venv, "bin", "python"), join(venv, "Scripts", "python.exe")].find((file) => existsSync(file));
}
