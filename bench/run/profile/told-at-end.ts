/** Makes a Node.js process report, when it exits, how much CPU time and memory it used. */

/** What a process reported, including the child processes that it waited for, except their memory. */
export interface Told {
  /** Of all processes and threads, user and system time. */
  readonly cpuMs: number;
  /** Of the main thread, which reads and writes; 0 if the operating system does not report it. */
  readonly mainMs: number;
  readonly peakBytes: number;
}

/** Clock ticks per second in /proc, on any current Linux. */
const TICKS = 100;

/**
 * A module for `node --import`, which runs before the program. When the process exits, it writes what the process used
 * to descriptor 3, which carries no other output.
 */
export const TELL = `data:text/javascript,${encodeURIComponent(`
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

/** Parses what `TELL` wrote. */
export function readTold(text: string): Told {
  // written by TELL
  const told = JSON.parse(text) as Record<"cpuMs" | "peakBytes" | "ticks" | "others", number>;
  const toMs = (ticks: number): number => (ticks * 1000) / TICKS;
  return { cpuMs: told.cpuMs + toMs(told.others), mainMs: toMs(told.ticks), peakBytes: told.peakBytes };
}
