/** A program with its arguments into what its process took: time by the clock and of the processor, and memory. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { ROOT } from "../systems/root.js";

export interface Spent {
  readonly wallMs: number;
  /** All threads, user and system. */
  readonly cpuMs: number;
  /** Of the thread that reads, labels and writes; 0 where the system does not tell. */
  readonly mainMs: number;
  readonly peakBytes: number;
  readonly stdout: string;
}

/** Clock ticks a second in /proc, on any Linux of today. */
const TICKS = 100;

/** Runs in the process before the program: what it took is known at its end, and goes where no output goes. */
const TELL = `data:text/javascript,${encodeURIComponent(`
import { readFileSync, writeSync } from "node:fs";
process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  let ticks = 0;
  try {
    const fields = readFileSync("/proc/self/task/" + process.pid + "/stat", "utf8").split(") ")[1].split(" ");
    ticks = Number(fields[11]) + Number(fields[12]);
  } catch {
    // another system
  }
  const spent = { cpuMs: (userCPUTime + systemCPUTime) / 1000, peakBytes: maxRSS * 1024, ticks };
  writeSync(3, JSON.stringify(spent));
});
`)}`;

export const THRESHER = join(ROOT, "bin", "thresher.js");

/** Throws when the program fails. */
export function spend(program: string, args: readonly string[]): Promise<Spent> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(process.execPath, ["--import", TELL, program, ...args], {
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
    const gather = (at: 1 | 2 | 3): (() => string) => {
      const texts: string[] = [];
      // These three are pipes that we read.
      (child.stdio[at] as Readable).setEncoding("utf8").on("data", (text: string) => texts.push(text));
      return () => texts.join("");
    };
    const [stdout, stderr, spent] = [gather(1), gather(2), gather(3)];
    child.on("error", reject);
    child.on("close", (code) => {
      const wallMs = performance.now() - started;
      if (code !== 0) {
        reject(new Error(`${program} ${args.join(" ")} ended with ${code}: ${stderr()}`));
        return;
      }
      // What the lines above wrote.
      const told = JSON.parse(spent()) as { cpuMs: number; peakBytes: number; ticks: number };
      const { cpuMs, peakBytes, ticks } = told;
      resolve({ wallMs, cpuMs, peakBytes, mainMs: (ticks * 1000) / TICKS, stdout: stdout() });
    });
  });
}
