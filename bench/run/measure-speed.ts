/**
 * Measures the cost of several systems, page by page in turn: time per page, pages per second, memory, start-up,
 * core-hours.
 */
import type { GoldDocument } from "../corpora/gold.js";
import type { Cost, CreateOptions, System, SystemOutput } from "../systems/system.js";
import { SystemUnavailable } from "../systems/errors.js";

/** A system to measure. The entries of the registry have this shape. */
export interface SpeedEntry {
  readonly name: string;
  create(options?: CreateOptions): Promise<System>;
}

export interface SpeedOptions {
  /** The system that the ratios refer to; the first one when absent. */
  readonly relativeTo?: string;
  /**
   * How many pages each system gets before timing starts, repeated if there are too few, so that compilers and caches
   * warm up.
   */
  readonly warmUp?: number;
  /**
   * "turns" (the default): systems take turns on each page. "blocks": each system runs all pages before the next one
   * starts, which keeps caches warm.
   */
  readonly order?: "turns" | "blocks";
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly onPage?: (done: number, of: number) => void;
}

/** Milliseconds per page. */
export interface Times {
  readonly mean: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface SystemSpeed {
  readonly name: string;
  readonly describe: string;
  /** The number of timed pages, including those that failed; a timeout counts with its full time limit. */
  readonly pages: number;
  /**
   * CPU time (user and system, all threads of the system's process), which a busy machine distorts less than wall time.
   */
  readonly cpu: Times;
  readonly wall: Times;
  /** From the mean CPU time: the throughput of one core. */
  readonly pagesPerSecond: number;
  /** For one Common Crawl dump (2.5 billion pages like these), from the mean CPU time. */
  readonly coreHours: number;
  /** The mean CPU time divided by that of the reference system. */
  readonly ratio?: number;
  /** The number of pages on which it timed out, crashed, or refused the page. */
  readonly timeouts: number;
  readonly crashes: number;
  readonly rejects: number;
  /** From the start of the process until it could take a page, in milliseconds. */
  readonly startWallMs: number;
  readonly startCpuMs?: number;
  /**
   * Resident memory when it could take its first page, and the peak above that, over all its processes if it was
   * restarted; in bytes.
   */
  readonly startBytes?: number;
  readonly peakAboveStartBytes?: number;
}

export interface SpeedReport {
  readonly pages: number;
  readonly warmUp: number;
  readonly relativeTo: string;
  /** The clock that speeds and ratios are computed from. */
  readonly clock: "cpu";
  readonly systems: readonly SystemSpeed[];
  /** Systems that were not available, with the reason. */
  readonly unavailable: readonly { readonly name: string; readonly why: string }[];
}

const DUMP_PAGES = 2.5e9;
const MS_PER_HOUR = 3_600_000;
/**
 * A crawl runs long enough that warm-up does not matter. After this many pages of all sizes, just-in-time compiled
 * JavaScript has reached its steady cost (the `page` extractor: 13 ms a page on the first thirty, 2.2 ms from here on).
 */
const DEFAULT_WARM_UP = 150;

interface Lane {
  readonly system: System;
  readonly costs: Cost[];
  readonly failures: { timeout: number; crash: number; reject: number; missing: number };
  peakBytes: number;
}

/**
 * Runs every system on every page, either in turn on each page, with another system first each time, or in blocks. In
 * turns, other load on the machine affects all systems alike. Each system runs in its own process, one page at a time.
 */
export async function measureSpeed(
  entries: readonly SpeedEntry[],
  pages: readonly GoldDocument[],
  options: SpeedOptions = {},
): Promise<SpeedReport> {
  const warmUp = pages.length === 0 ? 0 : (options.warmUp ?? DEFAULT_WARM_UP);
  const lanes: Lane[] = [];
  const unavailable: { name: string; why: string }[] = [];
  try {
    for (const entry of entries) {
      options.signal?.throwIfAborted();
      const lane = await openLane(entry, options);
      if ("why" in lane) unavailable.push(lane);
      else lanes.push(lane);
    }
    const rounds = [...repeat(spread(pages, warmUp), warmUp), ...pages];
    const groups = options.order === "blocks" ? lanes.map((lane) => [lane]) : [lanes];
    for (const [block, group] of groups.entries())
      for (const [round, page] of rounds.entries()) {
        options.signal?.throwIfAborted();
        for (const lane of rotate(group, round)) record(lane, await lane.system.run(page), round >= warmUp);
        options.onPage?.(block * rounds.length + round + 1, groups.length * rounds.length);
      }
  } finally {
    for (const { system } of lanes) await system.close();
  }
  const relativeTo = options.relativeTo ?? lanes[0]?.system.name ?? "";
  const reference = lanes.find(({ system }) => system.name === relativeTo);
  const referenceMs = reference === undefined ? undefined : mean(cpuTimes(reference));
  return {
    pages: pages.length,
    warmUp,
    relativeTo,
    clock: "cpu",
    systems: lanes.map((lane) => summarise(lane, referenceMs)),
    unavailable,
  };
}

/**
 * Returns `count` items, spread evenly over their order, because the set of whole pages is sorted by size; all items if
 * there are fewer.
 */
export function spread<T>(items: readonly T[], count: number): T[] {
  if (count >= items.length) return [...items];
  return Array.from({ length: count }, (_, index) => items[Math.floor((index * items.length) / count)]!);
}

function repeat<T>(items: readonly T[], count: number): T[] {
  return Array.from({ length: count }, (_, index) => items[index % items.length]!);
}

async function openLane(
  entry: SpeedEntry,
  { timeoutMs }: SpeedOptions,
): Promise<Lane | { readonly name: string; readonly why: string }> {
  try {
    const system = await entry.create({ textOnly: true, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
    const failures = { timeout: 0, crash: 0, reject: 0, missing: 0 };
    return { system, costs: [], failures, peakBytes: system.start?.peakBytes ?? 0 };
  } catch (error) {
    if (!(error instanceof SystemUnavailable)) throw error;
    return { name: entry.name, why: error.message };
  }
}

function rotate<T>(items: readonly T[], by: number): T[] {
  const first = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}

function record(lane: Lane, output: SystemOutput, counts: boolean): void {
  lane.peakBytes = Math.max(lane.peakBytes, output.cost?.peakBytes ?? 0);
  if (!counts) return;
  if (!output.ok) lane.failures[output.failure] += 1;
  if (output.cost !== undefined) lane.costs.push(output.cost);
}

/**
 * Returns the CPU times in milliseconds. A process that was killed or died reports no CPU time, so its wall time is
 * used, as if it had used one core.
 */
function cpuTimes({ costs }: Lane): number[] {
  return costs.map(({ cpuMs, wallMs }) => cpuMs ?? wallMs);
}

function summarise(lane: Lane, referenceMs: number | undefined): SystemSpeed {
  const { system, failures, peakBytes } = lane;
  const times = cpuTimes(lane);
  const cpu = summariseTimes(times);
  const startBytes = system.start?.rssBytes;
  return {
    name: system.name,
    describe: system.describe,
    pages: times.length,
    cpu,
    wall: summariseTimes(lane.costs.map(({ wallMs }) => wallMs)),
    pagesPerSecond: cpu.mean === 0 ? 0 : 1000 / cpu.mean,
    coreHours: (cpu.mean * DUMP_PAGES) / MS_PER_HOUR,
    ...(referenceMs === undefined || referenceMs === 0 ? {} : { ratio: cpu.mean / referenceMs }),
    timeouts: failures.timeout,
    crashes: failures.crash,
    rejects: failures.reject,
    startWallMs: system.start?.wallMs ?? 0,
    ...(system.start?.cpuMs === undefined ? {} : { startCpuMs: system.start.cpuMs }),
    ...(startBytes === undefined
      ? {}
      : { startBytes, peakAboveStartBytes: Math.max(0, peakBytes - startBytes) }),
  };
}

export function summariseTimes(times: readonly number[]): Times {
  const sorted = [...times].sort((a, b) => a - b);
  return {
    mean: mean(times),
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    max: sorted.at(-1) ?? 0,
  };
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Returns the smallest value that at least this share of the values does not exceed (nearest rank). */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
