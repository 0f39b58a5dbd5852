/** Measures what a run and the processes that it started have used, as far as the system tells. */
import { readdirSync, readFileSync } from "node:fs";

/** Ticks of the clock in a second, as Linux counts them for programs (`getconf CLK_TCK`). */
const TICKS = 100;

/** The most memory that this process and each one below it had, in MB. */
export function measurePeakMb(): number {
  const below = findChildren().map((pid) => readPeak(pid) ?? 0);
  return Math.round(below.reduce((sum, one) => sum + one, readOwnPeak()) / 1024);
}

/** The most memory that this process itself had, in MB. */
export function measureOwnPeakMb(): number {
  return Math.round(readOwnPeak() / 1024);
}

function readOwnPeak(): number {
  // What Node.js tells begins on Linux with the memory of the process that started this one.
  return readPeak("self") ?? process.resourceUsage().maxRSS;
}

/** In kilobytes; undefined where the system does not tell. */
function readPeak(pid: string): number | undefined {
  const found = /^VmHWM:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`));
  return found === null ? undefined : Number(found[1]);
}

/** CPU time of this process and of all that it started; null where the system does not tell. */
export function measureCpuSeconds(): number | null {
  const facts = read("/proc/self/stat");
  if (facts === "") return null;
  const children = findChildren().map((pid) => read(`/proc/${pid}/stat`));
  return [facts, ...children].reduce((sum, of) => sum + countTicks(of), 0) / TICKS;
}

/** Of a process and of those that it has waited for. */
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
    return []; // another system than Linux
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // it has ended, or the system has no such files
  }
}
