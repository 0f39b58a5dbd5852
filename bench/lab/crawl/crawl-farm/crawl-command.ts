/** Runs the command `crawl` and reports what it took: time, and memory as it went. */
import { spend, THRESHER } from "../crawl-speed/spend.js";

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

/** Throws when the command fails. */
export async function runCrawl(asked: CrawlAsked): Promise<CrawlSpent> {
  const { dir, seeds, depth, names, delayMs, hosts, workers } = asked;
  const args = [
    ...["crawl", "-", "-o", dir, "--depth", String(depth), "--delay", `${delayMs}ms`],
    ...["--hosts", String(hosts), "--allow-private", "-j", String(workers), "--quiet"],
  ];
  const { cpuMs, peakBytes, memory } = await spend(THRESHER, args, {
    imports: [names],
    stdin: seeds.join("\n"),
  });
  const tenth = Math.max(1, Math.floor(memory.length / 10));
  const most = (from: number): number => Math.max(0, ...memory.slice(from, from + tenth));
  return { cpuMs, peakBytes, firstBytes: most(tenth), lastBytes: most(memory.length - tenth) };
}
