/** Runs a real Slurm on one machine as the current user: a controller, and a daemon for each node, on free ports. */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { killAll, waitUntil } from "./job.js";
import { listProcesses, readProcess } from "../processes.js";

const START_MS = 30_000;
/** Slurm treats a node as lost when it does not answer for this many seconds. */
const LOST_SECONDS = 5;
/**
 * A node refuses a task ("already killed") that returns within the second in which its last attempt was ended there.
 */
const BACK_MS = 3_000;
/** Debian installs the daemons in /usr/sbin, which is only on root's PATH. */
export const SLURM_PATH = `${process.env["PATH"] ?? ""}:/usr/sbin:/sbin`;

export interface SlurmCluster {
  readonly env: NodeJS.ProcessEnv;
  /** Runs a Slurm command and returns its stdout. */
  run(command: string, ...args: readonly string[]): string;
  /** Kills the node's daemon and all processes on it at once, as if its network cable were cut. */
  loseNode(name: string): void;
  startNode(name: string): void;
  /**
   * Waits until an array has left the queue. Slurm holds a requeued task for two minutes; this starts it after three
   * seconds.
   */
  finish(array: string, timeoutMs: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the daemons and waits until all nodes are idle. Throws an Error when that takes longer than `START_MS`. */
export async function startSlurm(
  folder: string,
  nodes: readonly string[] = ["n1", "n2"],
): Promise<SlurmCluster> {
  const config = join(folder, "slurm.conf");
  mkdirSync(join(folder, "state"), { recursive: true });
  writeFileSync(config, await describeCluster(folder, nodes));
  const env = { ...process.env, PATH: SLURM_PATH, SLURM_CONF: config };
  const daemons = new Map<string, ChildProcess>();
  const run = (command: string, ...args: readonly string[]): string =>
    execFileSync(command, args, { env, encoding: "utf8", timeout: START_MS });
  const start = (name: string, command: string, args: readonly string[]): void => {
    daemons.set(name, spawn(command, ["-D", "-f", config, ...args], { env, stdio: "ignore" }));
  };
  const startNode = (name: string): void => {
    mkdirSync(join(folder, "spool", name), { recursive: true });
    start(name, "slurmd", ["-N", name]);
  };
  const loseNode = (name: string): void => {
    daemons.get(name)?.kill("SIGKILL");
    killAll(processesOn(name, config));
  };
  start("controller", "slurmctld", []);
  nodes.forEach(startNode);
  await waitForSlurm(
    "idle nodes",
    START_MS,
    () =>
      run("sinfo", "--noheader", "-N", "-o", "%T")
        .split("\n")
        .filter((state) => state === "idle").length === nodes.length,
  );
  return {
    env,
    run,
    loseNode,
    startNode,
    async finish(array, timeoutMs) {
      let looks = 0;
      const heldSince = new Map<string, number>();
      await waitForSlurm(`the end of array ${array}`, timeoutMs, () => {
        const waiting = run("squeue", "--noheader", "-r", "-j", array, "-o", "%i %r").trim();
        for (const line of waiting.split("\n")) {
          const [task = "", reason] = line.split(" ");
          if (reason !== "BeginTime") {
            heldSince.delete(task);
            continue;
          }
          const since = heldSince.get(task) ?? performance.now();
          heldSince.set(task, since);
          if (performance.now() < since + BACK_MS) continue;
          run("scontrol", "update", `JobId=${task}`, "StartTime=now");
          heldSince.delete(task);
        }
        // A task that is being requeued may be missing from the queue for a moment.
        looks = waiting === "" ? looks + 1 : 0;
        return looks === 2;
      });
    },
    async stop() {
      for (const name of nodes) loseNode(name);
      const running = [...daemons.values()].filter(
        ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
      );
      await Promise.all(
        running.map(async (daemon) => {
          const ended = once(daemon, "exit");
          daemon.kill("SIGKILL");
          await ended;
        }),
      );
    },
  };
}

async function describeCluster(folder: string, nodes: readonly string[]): Promise<string> {
  const user = userInfo().username;
  const ports = await findPorts(nodes.length + 1);
  return `ClusterName=thresher
SlurmctldHost=${hostname()}(127.0.0.1)
SlurmctldPort=${ports[0] ?? 0}
SlurmUser=${user}
SlurmdUser=${user}
AuthType=auth/none
CredType=cred/none
StateSaveLocation=${folder}/state
SlurmdSpoolDir=${folder}/spool/%n
SlurmctldPidFile=${folder}/slurmctld.pid
SlurmdPidFile=${folder}/slurmd-%n.pid
SlurmctldLogFile=${folder}/slurmctld.log
SlurmdLogFile=${folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,batch_sched_delay=0
SlurmdParameters=config_overrides
SlurmdTimeout=${LOST_SECONDS}
ReturnToService=2
MpiDefault=none
${nodes.map((name, at) => `NodeName=${name} NodeHostname=${hostname()} NodeAddr=127.0.0.1 Port=${ports[at + 1] ?? 0} CPUs=1 State=UNKNOWN`).join("\n")}
PartitionName=main Nodes=${nodes.join(",")} Default=YES MaxTime=INFINITE State=UP
`;
}

async function findPorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  });
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return ports;
}

/** Returns the processes of the jobs on a node, and the Slurm processes that watch them. */
function processesOn(node: string, config: string): number[] {
  const jobs = listProcesses().filter((pid) => {
    const variables = readProcess(pid, "environ").split("\0");
    return variables.includes(`SLURMD_NODENAME=${node}`) && variables.includes(`SLURM_CONF=${config}`);
  });
  const watchers = jobs
    .map((pid) => Number(/^PPid:\s+(\d+)/m.exec(readProcess(pid, "status"))?.[1] ?? 0))
    .filter((pid) => readProcess(pid, "cmdline").startsWith("slurmstepd"));
  return [...new Set([...watchers, ...jobs])];
}

/**
 * Waits until `isSo` returns true. An error from Slurm counts as false, because its controller may not be running yet.
 */
function waitForSlurm(what: string, timeoutMs: number, isSo: () => boolean): Promise<void> {
  return waitUntil(
    `Slurm: ${what}`,
    timeoutMs,
    () => {
      try {
        return isSo();
      } catch {
        return false;
      }
    },
    200,
  );
}
