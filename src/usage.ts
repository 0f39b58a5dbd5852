/** Measures the memory and CPU time of a run and its child processes, as far as the system reports them. */
import { readdirSync, readFileSync } from "node:fs";

/** Clock ticks per second in /proc on Linux (`getconf CLK_TCK`). */
const TICKS = 100;

/** The sum of the peak memory of this process and of each child process, in MB. */
export function measurePeakMb(): number {
  const below = findChildren().map((pid) => readPeak(pid) ?? 0);
  return Math.round(below.reduce((sum, one) => sum + one, readOwnPeak()) / 1024);
}

/** The peak memory of this process alone, in MB. */
export function measureOwnPeakMb(): number {
  return Math.round(readOwnPeak() / 1024);
}

function readOwnPeak(): number {
  // On Linux, `maxRSS` starts at the memory of the process that started this one.
  return readPeak("self") ?? process.resourceUsage().maxRSS;
}

/** Peak memory in kilobytes; undefined when the system does not report it. */
function readPeak(pid: string): number | undefined {
  const found = /^VmHWM:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`));
  return found === null ? undefined : Number(found[1]);
}

/** CPU seconds of this process and of its child processes; null when the system does not report them. */
export function measureCpuSeconds(): number | null {
  const facts = read("/proc/self/stat");
  if (facts === "") return null;
  const children = findChildren().map((pid) => read(`/proc/${pid}/stat`));
  return [facts, ...children].reduce((sum, of) => sum + countTicks(of), 0) / TICKS;
}

/** CPU ticks of a process and of the ended children that it has waited for. */
function countTicks(facts: string): number {
  // The name, in parentheses, may hold spaces; utime, stime, cutime and cstime are fields 14 to 17 (proc(5)).
  const fields = facts.slice(facts.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
}

function findChildren(): string[] {
  try {
    return readdirSync("/proc/self/task").flatMap((thread) =>
      read(`/proc/self/task/${thread}/children`)
        .split(" ")
        .filter((pid) => pid !== ""),
    );
  } catch {
    return []; // not Linux
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // the process has ended, or the system has no /proc
  }
}
