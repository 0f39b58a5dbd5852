/**
 * Runs `thresher bench --profile`: the cost of each stage, the extra cost of the command, and the rivals in turn and in
 * blocks.
 */
import { resolve } from "node:path";
import { EXIT, UsageError } from "thresher";
import type { GoldDocument } from "../../corpora/gold.js";
import { formatPercent } from "../../report/format.js";
import { layOut } from "../../report/markdown-table.js";
import type { BenchIo, BenchOptions } from "../bench-options.js";
import { measureSpeed, spread, type SpeedReport } from "../measure-speed.js";
import { Progress } from "../progress.js";
import { readSpeedPages } from "../run-speed.js";
import { findCorpora, findEntries, findFolders } from "../set-up.js";
import { openProbe, type CommandCost, type StartCost } from "./command-cost.js";
import { medianOf } from "../../metrics/median.js";
import { profilePages, type PageProfile } from "./page-stages.js";

/** How many pages the stages are measured on, unless `sample` is set. */
const PAGES = 120;
/** The limit on pages that are read from the named corpora. */
const MOST_PAGES = 10_000;
/** How many pages the command cleans: enough for its start-up to weigh little. */
const COMMAND_PAGES = 3000;
/** Each figure of the command is the median of this many runs, in turn. */
const REPEATS = 3;
/** The systems that are compared; the ratios are relative to the first one. */
const RIVALS = ["page", "trafilatura", "resiliparse"];

export interface Profile {
  readonly corpus: string;
  readonly stages: PageProfile;
  readonly command: {
    readonly one: CommandCost;
    readonly two: CommandCost;
    readonly start: StartCost;
  };
  readonly inTurn: SpeedReport;
  readonly inBlocks: SpeedReport;
}

/** Prints the tables and returns the exit code. */
export async function runProfile(options: BenchOptions, io: BenchIo): Promise<number> {
  const progress = new Progress(io.stderr);
  const profile = await measureProfile(options, io.signal, progress);
  progress.clear();
  io.stdout.write(formatProfile(profile));
  return EXIT.done;
}

async function measureProfile(
  options: BenchOptions,
  signal: AbortSignal,
  progress: Progress,
): Promise<Profile> {
  const entries = findEntries(options.systems.length === 0 ? { ...options, systems: RIVALS } : options);
  const { pages: all, name } = await readPages(options);
  const pages = spread(all, options.sample ?? PAGES);
  if (pages.length === 0) throw new UsageError(`${name} has no pages; --profile takes a corpus of pages`);
  const raw = pages.map(({ id, html = "" }) => ({ id, bytes: Buffer.from(html) }));
  const stages = await profilePages(raw, {
    signal,
    ...(options.model !== undefined && { modelDir: resolve(options.model) }),
    onRound: (done, of) => {
      progress.count(`stages: round ${done} of ${of}`);
    },
  });
  const command = await measureCommand(
    pages.map(({ html = "" }) => html),
    options.sample ?? COMMAND_PAGES,
    progress,
  );
  const speed = async (order: "turns" | "blocks"): Promise<SpeedReport> =>
    measureSpeed(entries, pages, {
      signal,
      order,
      ...(options.sample !== undefined && { warmUp: options.sample }),
      onPage: (done, of) => {
        progress.count(`rivals in ${order}: ${done} of ${of}`);
      },
    });
  const inTurn = await speed("turns");
  const inBlocks = await speed("blocks");
  return { corpus: `${pages.length} pages of ${name}`, stages, command, inTurn, inBlocks };
}

/** Reads the pages of the named corpora, or else those for speed. */
async function readPages(
  options: BenchOptions,
): Promise<{ readonly pages: GoldDocument[]; readonly name: string }> {
  const folders = findFolders(options);
  if (options.corpora.length === 0) return readSpeedPages(folders);
  const pages: GoldDocument[] = [];
  for (const corpus of await findCorpora(options, folders))
    for await (const document of corpus.documents())
      if (document.html !== undefined && pages.length < MOST_PAGES) pages.push(document);
  return { pages, name: options.corpora.join(", ") };
}

async function measureCommand(
  pages: readonly string[],
  count: number,
  progress: Progress,
): Promise<Profile["command"]> {
  const probe = await openProbe(pages, count);
  try {
    const ones: CommandCost[] = [];
    const twos: CommandCost[] = [];
    const starts: StartCost[] = [];
    for (let turn = 0; turn < REPEATS; turn += 1) {
      progress.count(`the command: run ${turn + 1} of ${REPEATS}`);
      ones.push(await probe.run(1));
      twos.push(await probe.run(2));
      starts.push(await probe.start());
    }
    return { one: medianCost(ones), two: medianCost(twos), start: medianCost(starts) };
  } finally {
    probe.close();
  }
}

/** Returns the median of each field. */
function medianCost<T extends object>(costs: readonly T[]): T {
  const [first] = costs;
  const fields = Object.keys(first ?? {}) as (keyof T)[];
  // All fields of a cost are numbers.
  return Object.fromEntries(
    fields.map((field) => [field, medianOf(costs.map((cost) => Number(cost[field])))]),
  ) as T;
}

/** Formats the profile as Markdown. */
function formatProfile({ corpus, stages, command, inTurn, inBlocks }: Profile): string {
  const { all, pages, lines } = stages;
  const perLine = (ms: number): string => ((ms * 1000 * pages) / lines).toFixed(2);
  const share = (ms: number): string => formatPercent(ms / all);
  const rows = Object.entries(stages.stages).map(([name, ms]) => [
    name,
    ms.toFixed(3),
    perLine(ms),
    share(ms),
  ]);
  const { one, two, start } = command;
  return `${[
    `${corpus}, ${Math.round(lines / pages)} lines each; steady, in one process; stages in turn on each page.`,
    layOut(
      ["stage", "ms a page", "µs a line", "share"],
      [
        ...rows,
        ["all", all.toFixed(3), perLine(all), share(all)],
        ["of which garbage collection", stages.gc.toFixed(3), perLine(stages.gc), share(stages.gc)],
        ["the first pages of a process", stages.first.toFixed(3), perLine(stages.first), share(stages.first)],
      ],
    ),
    `The command over ${one.pages} of these pages from JSON Lines, start-up included; medians of ${REPEATS} runs in turn.`,
    layOut(
      ["run", "CPU ms a page", "wall ms a page", "MB"],
      [
        ["-j 1", one.cpu.toFixed(2), one.wall.toFixed(2), toMegabytes(one.peak)],
        ["-j 2", two.cpu.toFixed(2), two.wall.toFixed(2), toMegabytes(two.peak)],
        ["-j 1 ÷ the library", (one.cpu / all).toFixed(2), "", ""],
        [
          "-j 2 ÷ -j 1: CPU, and pages a second",
          (two.cpu / one.cpu).toFixed(2),
          (one.wall / two.wall).toFixed(2),
          "",
        ],
        ["start to the first page, ms in all", start.cpu.toFixed(0), start.wall.toFixed(0), ""],
      ],
    ),
    "CPU ms a page, each system in its own process: page by page in turn, and one system after the other.",
    layOut(
      ["system", "in turn", "÷ the first", "in blocks", "÷ the first"],
      inTurn.systems.map(({ name, cpu }) => {
        const block = inBlocks.systems.find((system) => system.name === name);
        const ratio = (ms: number | undefined, report: SpeedReport): string =>
          ((ms ?? 0) / (report.systems[0]?.cpu.mean ?? 0)).toFixed(2);
        return [
          name,
          cpu.mean.toFixed(2),
          ratio(cpu.mean, inTurn),
          block?.cpu.mean.toFixed(2) ?? "",
          ratio(block?.cpu.mean, inBlocks),
        ];
      }),
    ),
    ...inTurn.unavailable.map(({ name, why }) => `${name} was not available: ${why}`),
  ].join("\n\n")}\n`;
}

function toMegabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}
