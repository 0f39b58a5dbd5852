/** Measures what the command costs over many pages, start-up included: CPU and wall time, and memory, of all its processes. */
import { spawn } from "node:child_process";
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { once } from "node:events";
import { ROOT } from "../../systems/root.js";

export interface CommandCost {
  readonly pages: number;
  /** Milliseconds a page. */
  readonly cpu: number;
  readonly wall: number;
  /** Bytes of the process that the user started. */
  readonly peak: number;
}

/** One page of almost nothing: loading, and the model. CPU milliseconds. */
export interface StartCost {
  readonly cpu: number;
  readonly wall: number;
}

const PAGE = "<title>A start</title><p>One short paragraph, so that there is something to label here.</p>";

export interface CommandProbe {
  /** Cleans the pages, over and over up to `count` of them, from JSON Lines to text. */
  run(workers: number): Promise<CommandCost>;
  start(): Promise<StartCost>;
  close(): void;
}

export async function openProbe(pages: readonly string[], count: number): Promise<CommandProbe> {
  const folder = mkdtempSync(join(tmpdir(), "thresher-profile-"));
  const input = join(folder, "pages.jsonl");
  await writePages(input, pages, count);
  return {
    async run(workers) {
      const spent = await spend(folder, ["-j", String(workers), input, "-o", join(folder, "out.txt")]);
      return { pages: count, cpu: spent.cpu / count, wall: spent.wall / count, peak: spent.peak };
    },
    async start() {
      const { cpu, wall } = await spend(folder, ["-j", "1", "-"], PAGE);
      return { cpu, wall };
    },
    close: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function writePages(path: string, pages: readonly string[], count: number): Promise<void> {
  const file = createWriteStream(path);
  for (let at = 0; at < count; at += 1) {
    const html = pages[at % pages.length];
    if (!file.write(`${JSON.stringify({ id: String(at), html })}\n`)) await once(file, "drain");
  }
  file.end();
  await finished(file);
}

/**
 * The command says what it used when it ends: its own time, and, where the system tells (Linux, `proc_pid_stat(5)`, fields
 * 16 and 17 in hundredths of a second), that of the processes that cleaned for it.
 */
const REPORTER = `import { readFileSync, writeFileSync } from "node:fs";
process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  let [others, peak] = [0, maxRSS];
  try {
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" ");
    others = (Number(fields[13]) + Number(fields[14])) * 10;
    // maxRSS begins with the memory of the process that started this one.
    peak = Number(/VmHWM:\\s*(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]);
  } catch {}
  const cpu = (userCPUTime + systemCPUTime) / 1000 + others;
  writeFileSync(process.env.THRESHER_PROFILE, JSON.stringify({ cpu, peak: peak * 1024 }));
});`;

interface Used {
  readonly cpu: number;
  readonly peak: number;
}

async function spend(
  folder: string,
  args: readonly string[],
  stdin = "",
): Promise<{ readonly cpu: number; readonly wall: number; readonly peak: number }> {
  const report = join(folder, "used.json");
  rmSync(report, { force: true });
  const begun = performance.now();
  const child = spawn(
    process.execPath,
    [
      "--import",
      `data:text/javascript,${encodeURIComponent(REPORTER)}`,
      join(ROOT, "bin", "thresher.js"),
      "clean",
      "--quiet",
      "--fresh",
      ...args,
    ],
    {
      stdio: ["pipe", "ignore", "inherit"],
      // Node.js 20 reads all certificates of this variable at each start: 80 ms for those of Debian.
      env: { ...process.env, NODE_EXTRA_CA_CERTS: undefined, THRESHER_PROFILE: report },
    },
  );
  child.stdin.end(stdin);
  const [code] = (await once(child, "exit")) as [number | null];
  const wall = performance.now() - begun;
  if (code !== 0) throw new Error(`the command ended with ${code ?? "a signal"}`);
  const used = JSON.parse(readFileSync(report, "utf8")) as Used; // written by REPORTER
  return { ...used, wall };
}
