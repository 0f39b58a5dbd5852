/** Lists the processes of this machine and reads what Linux tells about them. */
import { readdirSync, readFileSync } from "node:fs";

/** Returns the ids of all processes. */
export function listProcesses(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Reads a file of proc(5) about a process; "" when the process has ended. */
export function readProcess(pid: number, file: "cmdline" | "environ" | "stat" | "status"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
