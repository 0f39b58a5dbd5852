/** Measures what each of several systems costs, page by page in turn: time a page, pages a second, memory, start-up, core-hours. */
import type { GoldDocument } from "../corpora/gold.js";
import type { Cost, CreateOptions, System, SystemOutput } from "../systems/system.js";
import { SystemUnavailable } from "../systems/errors.js";

/** What is measured. The registry's entries fit. */
export interface SpeedEntry {
  readonly name: string;
  create(options?: CreateOptions): Promise<System>;
}

export interface SpeedOptions {
  /** The system that the ratios refer to; the first when absent. */
  readonly relativeTo?: string;
  /** Pages that each system gets before the clock counts, over and over if need be: compilers and caches warm up. */
  readonly warmUp?: number;
  /** Systems take turns on each page (when absent), or each has all pages before the next begins, which keeps caches warm. */
  readonly order?: "turns" | "blocks";
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly onPage?: (done: number, of: number) => void;
}

/** Milliseconds a page. */
export interface Times {
  readonly mean: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface SystemSpeed {
  readonly name: string;
  readonly describe: string;
  /** Pages that were timed: those that failed are among them, a time-out with the time that it was given. */
  readonly pages: number;
  /** CPU time (user and system, all threads of the system's process), which a busy machine blurs less than wall time. */
  readonly cpu: Times;
  readonly wall: Times;
  /** From the mean CPU time: what one core does. */
  readonly pagesPerSecond: number;
  /** Of one Common Crawl dump (2.5 billion pages like these), from the mean CPU time. */
  readonly coreHours: number;
  /** Mean CPU time over that of the named system. */
  readonly ratio?: number;
  /** Pages on which it was killed, threw or died, or which it refused. */
  readonly timeouts: number;
  readonly crashes: number;
  readonly rejects: number;
  /** From the start of the process until it could take a page. */
  readonly startWallMs: number;
  readonly startCpuMs?: number;
  /** Resident memory when it could take a page, and the most above that; of its worst process, where it was restarted. */
  readonly startBytes?: number;
  readonly peakAboveStartBytes?: number;
}

export interface SpeedReport {
  readonly pages: number;
  readonly warmUp: number;
  readonly relativeTo: string;
  /** Which clock the speeds and ratios come from. */
  readonly clock: "cpu";
  readonly systems: readonly SystemSpeed[];
  /** Systems that could not be had, with the reason. */
  readonly unavailable: readonly { readonly name: string; readonly why: string }[];
}

const DUMP_PAGES = 2.5e9;
const MS_PER_HOUR = 3_600_000;
/**
 * A crawl has no beginning to speak of. After so many pages of all sizes, JavaScript that is compiled while it runs is
 * down to what it costs for good (the `page` extractor: 13 ms a page on the first thirty, 2.2 ms from here on).
 */
const DEFAULT_WARM_UP = 150;

interface Lane {
  readonly system: System;
  readonly costs: Cost[];
  readonly failures: { timeout: number; crash: number; reject: number; missing: number };
  peakBytes: number;
}

/**
 * Page by page, every system in turn, the first one changing with each page, or in blocks: what else the machine does hits all alike in turns.
 * Each system runs in a process of its own and works on one page at a time.
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

/** That many, evenly over their order: the set of whole pages is sorted by size. */
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

/** A process that was killed or died tells no CPU time: until then it is taken to have used one core. */
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

function summariseTimes(times: readonly number[]): Times {
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

/** The smallest value that at least this share of the values does not exceed (nearest rank). */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
