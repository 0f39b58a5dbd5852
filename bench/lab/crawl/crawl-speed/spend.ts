/** Runs a program and measures the time and memory that it and its child processes use. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Readable } from "node:stream";
import { readTold, TELL, type Told } from "../../../run/profile/told-at-end.js";

/**
 * `peakBytes` is the larger of two peaks: the exact one of the first process, and the sampled total of all processes.
 */
export interface Spent extends Told {
  readonly wallMs: number;
  /** The total memory of all processes in bytes, sampled every `LOOK_MS`; zeros when the system does not report it. */
  readonly memory: readonly number[];
  readonly stdout: string;
}

export interface SpendOptions {
  /** Modules for `node --import`. */
  readonly imports?: readonly string[];
  readonly stdin?: string;
  /** Whether the program and its children run on one core only, set with Linux's `taskset`. */
  readonly isOneCore?: boolean;
}

/** Milliseconds between two samples of the memory. */
const LOOK_MS = 200;

/**
 * Returns the bytes of a process and its children, with shared pages counted once; 0 when the system does not report
 * them or the process has ended.
 */
function memoryOf(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    const own = Number(/^Pss: +(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1024;
    const started = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
    return started.reduce((sum, child) => sum + (child === "" ? 0 : memoryOf(Number(child))), own);
  } catch {
    return 0;
  }
}

/** Throws an Error when the program fails. */
export function spend(
  program: string,
  args: readonly string[],
  { imports = [], stdin, isOneCore = false }: SpendOptions = {},
): Promise<Spent> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const before = [TELL, ...imports].flatMap((module) => ["--import", module]);
    const held = isOneCore ? ["taskset", "--cpu-list", "0"] : [];
    const [command = "", ...words] = [...held, process.execPath, ...before, program, ...args];
    const child = spawn(command, words, {
      stdio: [stdin === undefined ? "ignore" : "pipe", "pipe", "pipe", "pipe"],
    });
    const gather = (at: 1 | 2 | 3): (() => string) => {
      const texts: string[] = [];
      // These three are pipes that this process reads.
      (child.stdio[at] as Readable).setEncoding("utf8").on("data", (text: string) => texts.push(text));
      return () => texts.join("");
    };
    const [stdout, stderr, told] = [gather(1), gather(2), gather(3)];
    const memory: number[] = [];
    const watch = setInterval(() => memory.push(memoryOf(child.pid ?? 0)), LOOK_MS);
    child.on("error", reject);
    child.on("close", (code) => {
      const wallMs = performance.now() - started;
      clearInterval(watch);
      if (code !== 0) {
        reject(new Error(`${program} ${args.join(" ")} ended with ${code}: ${stderr()}`));
        return;
      }
      const { peakBytes, ...times } = readTold(told());
      resolve({
        wallMs,
        ...times,
        peakBytes: Math.max(peakBytes, ...memory),
        memory,
        stdout: stdout(),
      });
    });
    // A program that fails early does not read its input; the exit code is reported above.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(stdin);
  });
}
