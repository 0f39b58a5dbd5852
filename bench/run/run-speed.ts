/** Runs all systems in turn on the pages of the speed set, for the speed part of the results. */
import { isCorpusPresent, openCorpus } from "../corpora/registry.js";
import type { Results, SpeedRow } from "../report/results.js";
import { measureSpeed, spread, type SystemSpeed } from "./measure-speed.js";
import type { SystemEntry } from "../systems/registry.js";
import type { GoldDocument } from "../corpora/gold.js";
import type { Progress } from "./progress.js";

const MAX_PAGES = 1000;

export interface SpeedRunOptions {
  readonly goldDir: string;
  readonly fixturesDir: string;
  readonly sample?: number;
  readonly timeoutMs?: number;
  readonly reference?: string;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/**
 * Measures all systems that take pages, except `raw` and stored outputs. The reference is the named one or Trafilatura,
 * if they run, else the first system.
 */
export async function runSpeed(
  entries: readonly SystemEntry[],
  options: SpeedRunOptions,
): Promise<NonNullable<Results["speed"]>> {
  const { progress, signal, timeoutMs, sample } = options;
  const { pages, name } = await readSpeedPages(options);
  const timed = entries.filter(
    ({ takes, group, name: system }) => takes !== "lines" && group !== "stored" && system !== "raw",
  );
  const reference = [options.reference, "trafilatura"].find((wanted) =>
    timed.some((entry) => entry.name === wanted),
  );
  const report = await measureSpeed(timed, sample === undefined ? pages : spread(pages, sample), {
    signal,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(reference === undefined ? {} : { relativeTo: reference }),
    onPage: (done, of) => {
      progress.count(`speed: page ${done} of ${of}`);
    },
  });
  progress.say(`speed: ${report.pages} pages, ${report.systems.length} systems in turn`);
  return {
    pages: `${report.pages} pages of ${name}`,
    reference: report.relativeTo,
    kind: report.clock,
    rows: report.systems.map(toRow),
  };
}

function toRow(speed: SystemSpeed): SpeedRow {
  const { name, pages, pagesPerSecond, cpu, coreHours, ratio } = speed;
  return {
    system: name,
    pages,
    pagesPerSecond,
    ms: cpu,
    ...(speed.peakAboveStartBytes === undefined ? {} : { peakBytesAboveStart: speed.peakAboveStartBytes }),
    start: {
      wallMs: speed.startWallMs,
      ...(speed.startCpuMs === undefined ? {} : { cpuMs: speed.startCpuMs }),
      ...(speed.startBytes === undefined ? {} : { rssBytes: speed.startBytes }),
    },
    coreHours,
    // The ratio in `speed` is of times, this one is of speeds.
    ratio: ratio === undefined || ratio === 0 ? null : 1 / ratio,
    failures: speed.timeouts + speed.crashes + speed.rejects,
  };
}

/**
 * Reads up to 1000 pages: whole pages as fetched, in order of size, or the fixtures if the gold folder has no speed
 * set.
 */
export async function readSpeedPages(
  folders: Pick<SpeedRunOptions, "goldDir" | "fixturesDir">,
): Promise<{ readonly pages: GoldDocument[]; readonly name: string }> {
  const name = (await isCorpusPresent("speed", folders)) ? "speed" : "fixtures";
  const pages: GoldDocument[] = [];
  for await (const document of openCorpus(name, folders).documents()) {
    pages.push(document);
    if (pages.length >= MAX_PAGES) break;
  }
  return { pages, name };
}
