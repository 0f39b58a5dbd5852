/**
 * Measures the cost of the command over many pages, including start-up: CPU and wall time, and memory, of all its
 * processes.
 */
import { spawn } from "node:child_process";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { once } from "node:events";
import { THRESHER } from "../../systems/root.js";
import { readTold, TELL } from "./told-at-end.js";

export interface CommandCost {
  readonly pages: number;
  /** Milliseconds per page. */
  readonly cpu: number;
  readonly wall: number;
  /** Peak memory of the process that the user starts, in bytes. */
  readonly peak: number;
}

/** The cost of a nearly empty page, in milliseconds: loading the code and the model. */
export interface StartCost {
  readonly cpu: number;
  readonly wall: number;
}

const PAGE = "<title>A start</title><p>One short paragraph, so that there is something to label here.</p>";

export interface CommandProbe {
  /** Cleans `count` pages, repeating the given ones, from JSON Lines to text. */
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
      const spent = await spend(["-j", String(workers), input, "-o", join(folder, "out.txt")]);
      return { pages: count, cpu: spent.cpu / count, wall: spent.wall / count, peak: spent.peak };
    },
    async start() {
      const { cpu, wall } = await spend(["-j", "1", "-"], PAGE);
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

async function spend(
  args: readonly string[],
  stdin = "",
): Promise<{ readonly cpu: number; readonly wall: number; readonly peak: number }> {
  const begun = performance.now();
  const child = spawn(
    process.execPath,
    ["--import", TELL, THRESHER, "clean", "--quiet", "--fresh", ...args],
    {
      stdio: ["pipe", "ignore", "inherit", "pipe"],
      env: {
        ...process.env,
        // Node.js 20 reads all certificates of this variable at each start, which takes 80 ms for those of Debian.
        NODE_EXTRA_CA_CERTS: undefined,
        // In a clone, the command would look for newer sources at each start, which an installed one does not.
        THRESHER_IS_SET_UP: "yes",
      },
    },
  );
  child.stdin?.end(stdin);
  let told = "";
  // The fourth descriptor is a pipe to read from.
  (child.stdio[3] as Readable).setEncoding("utf8").on("data", (text: string) => (told += text));
  const [code] = (await once(child, "close")) as [number | null];
  const wall = performance.now() - begun;
  if (code !== 0) throw new Error(`the command ended with ${code ?? "a signal"}`);
  const { cpuMs, peakBytes } = readTold(told);
  return { cpu: cpuMs, wall, peak: peakBytes };
}
