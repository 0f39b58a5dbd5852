/** The command `crawl` into what it took: time, and memory as it went. */
import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { memoryOf, readTold, TELL, THRESHER } from "../crawl-speed/command.js";

export interface CrawlAsked {
  readonly dir: string;
  readonly seeds: readonly string[];
  /** Links to follow. */
  readonly depth: number;
  /** For `node --import`. */
  readonly names: string;
  readonly delayMs: number;
  readonly hosts: number;
  /** With one, pages are cleaned by the thread that fetches. */
  readonly workers: number;
}

export interface CrawlSpent {
  readonly cpuMs: number;
  readonly peakBytes: number;
  /** The most memory in the second tenth of the time, when all is loaded, and in the last one; 0 where no system tells. */
  readonly firstBytes: number;
  readonly lastBytes: number;
}

const SAMPLE_MS = 250;
/** Throws when the command fails. */
export function runCrawl({
  dir,
  seeds,
  depth,
  names,
  delayMs,
  hosts,
  workers,
}: CrawlAsked): Promise<CrawlSpent> {
  return new Promise((resolve, reject) => {
    const args = [
      ...[
        "crawl",
        "-",
        "-o",
        dir,
        "--depth",
        String(depth),
        "--delay",
        `${delayMs}ms`,
        "--hosts",
        String(hosts),
      ],
      ...["--allow-private", "-j", String(workers), "--quiet"],
    ];
    const child = spawn(process.execPath, ["--import", TELL, "--import", names, THRESHER, ...args], {
      stdio: ["pipe", "inherit", "pipe", "pipe"],
    });
    const gather = (at: 2 | 3): (() => string) => {
      const texts: string[] = [];
      // These two are pipes that we read.
      (child.stdio[at] as Readable).setEncoding("utf8").on("data", (text: string) => texts.push(text));
      return () => texts.join("");
    };
    const [stderr, spent] = [gather(2), gather(3)];
    const samples: number[] = [];
    const timer = setInterval(() => samples.push(memoryOf(child.pid ?? 0)), SAMPLE_MS);
    child.on("error", reject);
    child.on("close", (code) => {
      clearInterval(timer);
      if (code !== 0) {
        reject(new Error(`crawl ended with ${code}: ${stderr()}`));
        return;
      }
      const { cpuMs, peakBytes } = readTold(spent());
      const tenth = Math.max(1, Math.floor(samples.length / 10));
      const most = (from: number): number => Math.max(0, ...samples.slice(from, from + tenth));
      resolve({
        cpuMs,
        peakBytes: Math.max(peakBytes, ...samples),
        firstBytes: most(tenth),
        lastBytes: most(samples.length - tenth),
      });
    });
    child.stdin?.end(seeds.join("\n"));
  });
}
