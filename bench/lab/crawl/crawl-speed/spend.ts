/** Runs a program and measures what it took, together with the processes that it started: time, and memory. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { ROOT } from "../../../systems/root.js";

export interface Spent {
  readonly wallMs: number;
  /** All processes and threads, user and system. */
  readonly cpuMs: number;
  /** Of the thread that reads and writes; 0 where the system does not tell. */
  readonly mainMs: number;
  /** Of all processes together, as seen some times a second; of the first one, exactly. */
  readonly peakBytes: number;
  /** Of all processes together, each time that it was looked at; zeros where the system does not tell. */
  readonly memory: readonly number[];
  readonly stdout: string;
}

export interface SpendOptions {
  /** For `node --import`. */
  readonly imports?: readonly string[];
  readonly stdin?: string;
  /** Holds it, and all that it starts, to one core, by `taskset` of Linux. */
  readonly isOneCore?: boolean;
}

/** Clock ticks a second in /proc, on any Linux of today. */
const TICKS = 100;

/** Runs in the process before the program: what it took is known at its end, and goes where no output goes. */
const TELL = `data:text/javascript,${encodeURIComponent(`
import { readFileSync, writeSync } from "node:fs";
process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  let [ticks, others, peak] = [0, 0, maxRSS];
  try {
    const read = (path) => readFileSync(path, "utf8").split(") ")[1].split(" ").map(Number);
    const thread = read("/proc/self/task/" + process.pid + "/stat");
    const whole = read("/proc/self/stat");
    ticks = thread[11] + thread[12];
    others = whole[13] + whole[14];
    // maxRSS begins with the memory of the process that started this one.
    peak = Number(/VmHWM:\\s*(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]);
  } catch {
    // another system
  }
  const spent = { cpuMs: (userCPUTime + systemCPUTime) / 1000, peakBytes: peak * 1024, ticks, others };
  writeSync(3, JSON.stringify(spent));
});
`)}`;

/** How often memory is looked at. */
const LOOK_MS = 200;

/** Of a process and those that it started, shared pages counted once; 0 where the system does not tell, or it is gone. */
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

/** What a process told at its end, those that it started counted in, but for their memory. */
function readTold(text: string): Pick<Spent, "cpuMs" | "mainMs" | "peakBytes"> {
  // What the lines above wrote.
  const told = JSON.parse(text) as Record<"cpuMs" | "peakBytes" | "ticks" | "others", number>;
  const toMs = (ticks: number): number => (ticks * 1000) / TICKS;
  return { cpuMs: told.cpuMs + toMs(told.others), mainMs: toMs(told.ticks), peakBytes: told.peakBytes };
}

export const THRESHER = join(ROOT, "bin", "thresher.js");

/** Throws when the program fails. */
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
      // These three are pipes that we read.
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
    // A program that fails early does not read its input; how it ended is told above.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(stdin);
  });
}
