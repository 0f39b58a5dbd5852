/** Has a process of Node.js tell at its end what it took: CPU time and memory. */

/** What a process told, those that it started and waited for counted in, but for their memory. */
export interface Told {
  /** All processes and threads, user and system. */
  readonly cpuMs: number;
  /** Of the thread that reads and writes; 0 where the system does not tell. */
  readonly mainMs: number;
  readonly peakBytes: number;
}

/** Clock ticks a second in /proc, on any Linux of today. */
const TICKS = 100;

/** For `node --import`, before the program: what it took is known at its end, and goes to descriptor 3, where no output goes. */
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

/** Reads what such a process wrote. */
export function readTold(text: string): Told {
  // What the lines above wrote.
  const told = JSON.parse(text) as Record<"cpuMs" | "peakBytes" | "ticks" | "others", number>;
  const toMs = (ticks: number): number => (ticks * 1000) / TICKS;
  return { cpuMs: told.cpuMs + toMs(told.others), mainMs: toMs(told.ticks), peakBytes: told.peakBytes };
}
