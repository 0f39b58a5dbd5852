/** Runs the real command, in a separate process or in a shared one. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { openWarm, type Result, type RunOptions } from "./warm.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const BIN = fileURLToPath(new URL("../../bin/thresher.js", import.meta.url));

export type { Result };

export interface AloneOptions extends RunOptions {
  /** Variables of its environment, besides ours. */
  readonly env?: Readonly<Record<string, string>>;
  /** Called with the process once it runs. */
  readonly onStart?: (child: ReturnType<typeof spawn>) => void;
}

const warm = openWarm();

/** Runs the command in a process that other tests share, one after the other, so that it costs no start. */
export function thresher(args: readonly string[], options: RunOptions = {}): Promise<Result> {
  return warm.run(args, options);
}

/** Runs the command several times, and returns the results in order. */
export function thresherMany(
  runs: readonly { readonly args: readonly string[]; readonly stdin?: string }[],
): Promise<readonly Result[]> {
  return Promise.all(
    runs.map(({ args, stdin }) => thresher(args, stdin === undefined ? {} : { stdin: [stdin] })),
  );
}

/** Runs the command in a separate process. */
export function thresherAlone(args: readonly string[], options: AloneOptions = {}): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd: options.cwd ?? ROOT,
      env: { ...process.env, ...options.env },
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({ code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() });
    });
    child.stdin.on("error", () => undefined); // a command that fails early does not read its input
    options.onStart?.(child);
    if (options.onStart === undefined || options.stdin !== undefined) {
      for (const chunk of options.stdin ?? []) child.stdin.write(chunk);
      child.stdin.end();
    }
  });
}

/** The records of JSON Lines. */
export function parseLines(text: string): Record<string, unknown>[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
