/** Runs the scripts and modules of `models/train/` with the Python that the variable PYTHON names. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, type TestContext } from "vitest";

export const SCRIPTS = fileURLToPath(new URL("../../models/train/", import.meta.url));
const PYTHON = process.env["PYTHON"] ?? "python3";

interface Ran {
  readonly status: number | null;
  /** Its output, or what it wrote to stderr if it failed. */
  readonly text: string;
}

export function python(args: readonly string[], input = ""): Ran {
  // Each run has one thread, so that runs are repeatable and do not wait for each other.
  const env = { ...process.env, TOKENIZERS_PARALLELISM: "false", OMP_NUM_THREADS: "1" };
  const options = { cwd: SCRIPTS, encoding: "utf8", env, input, maxBuffer: 1e8 } as const;
  const { status, stdout, stderr } = spawnSync(PYTHON, ["-B", ...args], options);
  return { status, text: status === 0 ? stdout : stderr };
}

const can = (code: string): boolean => python(["-c", code]).status === 0;
export const hasPython = can("import sys; assert sys.version_info >= (3, 9)");
export const hasNumpy = hasPython && can("import numpy");
/** Loading PyTorch takes a while, so only tests that need it call this. */
export const hasTorch = (): boolean => hasNumpy && can("import torch, onnx");

export function needs(context: TestContext, isThere: boolean, what: string): void {
  if (!isThere) context.skip(`needs ${what}, which "${PYTHON}" does not have (PYTHON names another)`);
}

/** Returns what Python code prints as JSON for `given`. */
export function evaluate(code: string, given: unknown): unknown {
  const { status, text } = python(
    ["-c", `import json, sys\ngiven = json.load(sys.stdin)\n${code}`],
    JSON.stringify(given),
  );
  expect(status, text).toBe(0);
  return JSON.parse(text);
}

/** Returns what a script writes for JSON lines: its own records, whose fields the tests check. */
export function pipe(script: string, records: readonly unknown[]): unknown[] {
  const { status, text } = python(["-m", script], records.map((one) => `${JSON.stringify(one)}\n`).join(""));
  expect(status, text).toBe(0);
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line): unknown => JSON.parse(line));
}
