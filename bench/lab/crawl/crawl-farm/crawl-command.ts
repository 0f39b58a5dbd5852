/** Runs the command `crawl` and reports its CPU time, its peak memory, and its memory near the start and at the end. */
import { spend } from "../crawl-speed/spend.js";
import { THRESHER } from "../../../systems/root.js";

export interface CrawlAsked {
  readonly dir: string;
  readonly seeds: readonly string[];
  /** How many links deep the crawl goes from the seeds. */
  readonly depth: number;
  /** The farm's module for `node --import`. */
  readonly names: string;
  readonly delayMs: number;
  readonly hosts: number;
  /** With 1, the thread that fetches pages also cleans them. */
  readonly workers: number;
}

export interface CrawlSpent {
  readonly cpuMs: number;
  readonly peakBytes: number;
  /**
   * The most memory in the second tenth of the run, when everything is loaded, and in the last tenth; 0 when the system
   * does not report it.
   */
  readonly firstBytes: number;
  readonly lastBytes: number;
}

/** Throws an Error when the command fails. */
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
