/** Runs the command and the server on the same records, and measures the time, CPU time and memory of each. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { THRESHER } from "../../systems/root.js";
import { listProcesses, readProcess } from "../processes.js";

export interface Cost {
  readonly seconds: number;
  /** CPU time of all processes that did the work, without the client's. */
  readonly cpuSeconds: number;
}

/**
 * Runs the whole command on a file of records; its start is included in the cost. Throws an Error when the command
 * fails or writes no document.
 */
export async function runCommand(records: readonly string[], jobs: number, file: string): Promise<Cost> {
  writeFileSync(file, records.join(""));
  const command = [
    process.execPath,
    THRESHER,
    "clean",
    file,
    "-o",
    `${file}.out.jsonl`,
    "--fresh",
    "--quiet",
    "-j",
    String(jobs),
  ];
  const start = performance.now();
  // The second line that `times` prints is the CPU time of the shell's children.
  const child = spawn("bash", ["-c", '"$@" && times', "bash", ...command], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  await once(child, "close");
  const seconds = (performance.now() - start) / 1000;
  const [, children = ""] = said.split("\n");
  const times = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(([, m, s]) => Number(m) * 60 + Number(s));
  if (child.exitCode !== 0 || times.length !== 2)
    throw new Error(`the command ended with ${String(child.exitCode)}`);
  const documents = readFileSync(`${file}.out.jsonl`, "utf8").split("\n").length - 1;
  rmSync(`${file}.out.jsonl`);
  if (documents === 0) throw new Error("the command made no document");
  return { seconds, cpuSeconds: times.reduce((sum, time) => sum + time, 0) };
}

export interface Server {
  readonly url: string;
  /** CPU time of all its processes so far, including those that have ended. */
  readonly cpuSeconds: () => number;
  /** Resident memory of all its processes together, in MiB. */
  readonly memoryMb: () => number;
  stop(): Promise<number | null>;
}

/** Starts `thresher serve` on a free port and waits until it listens. Rejects when it ends before that. */
export async function startServer(args: readonly string[]): Promise<Server> {
  const child = spawn(process.execPath, [THRESHER, "serve", "--port", "0", ...args], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(child, "close").then(() => child.exitCode);
  // If a measurement fails, nothing stops the server.
  process.once("exit", () => child.kill("SIGKILL"));
  const url = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const [, address] = /listening on (\S+)\n/.exec(said) ?? [];
      if (address !== undefined) resolve(address);
    });
    void ended.then((code) => {
      reject(new Error(`the server ended with ${String(code)}`));
    });
  });
  const pids = (): number[] => [child.pid ?? 0, ...childrenOf(child.pid ?? 0)];
  return {
    url,
    cpuSeconds: () => pids().reduce((sum, pid) => sum + cpuOf(pid), 0),
    memoryMb: () => pids().reduce((sum, pid) => sum + memoryOf(pid), 0),
    stop() {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

/** Clock ticks per second, the same on every Linux that Node runs on. */
const TICKS = 100;

/** Returns the fields of /proc/PID/stat after the process name, which may contain any character; "" for a gone process. */
function statOf(pid: number): readonly string[] {
  const stat = readProcess(pid, "stat");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** The fields utime, stime, cutime and cstime of proc(5): the CPU time of the process and of its ended children. */
function cpuOf(pid: number): number {
  return (
    statOf(pid)
      .slice(11, 15)
      .reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS
  );
}

function memoryOf(pid: number): number {
  const [, kb] = /^VmRSS:\s+(\d+) kB$/m.exec(readProcess(pid, "status")) ?? [];
  return Number(kb ?? 0) / 1024;
}

function childrenOf(parent: number): number[] {
  return listProcesses().filter((pid) => statOf(pid)[1] === String(parent));
}
