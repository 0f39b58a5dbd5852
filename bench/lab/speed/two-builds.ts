/**
 * Compares how long this checkout and another one take for the same pages. Each is in its own process, and they take
 * turns, so that other work on the machine affects both alike. Both must be built: run `node bin/setup.js` in each.
 *
 *     node dist/bench/lab/speed/two-builds.js OTHER_CHECKOUT [--gold DIR] [--rounds 6]
 *
 * The pages are those of `speed`, or the fixtures without `--gold`.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { Thresher } from "thresher";
import { openCorpus } from "../../corpora/registry.js";
import { medianOf } from "../../metrics/median.js";
import { formatMs } from "../../report/format.js";
import { layOut } from "../../report/markdown-table.js";
import { timeCpu } from "../../run/profile/cpu-time.js";
import { ROOT } from "../../systems/root.js";
import { isMain } from "../is-main.js";

/** This program, compiled. */
const PROGRAM = join(ROOT, "dist/bench/lab/speed/two-builds.js");

/** What is compared: whole pages, and pages without a labeller. */
const RUNS = { page: {}, "page without a labeller": { labeller: "none" } } as const;
type RunName = keyof typeof RUNS;
const NAMES = Object.keys(RUNS) as RunName[]; // the keys of RUNS

/** The first round is not counted: both processes still compile most of their code. */
const WARM_UP = 1;
/** Pages that one checkout cleans before it is the turn of the other one. */
const TURN = 20;

/** CPU milliseconds a page, in each counted round. */
export type Times = Readonly<Record<RunName, readonly number[]>>;

/** Asks a process to clean pages; it answers with the CPU milliseconds that they took. */
interface Turn {
  readonly run: RunName;
  readonly pages: readonly string[];
}

/** Returns the times of each checkout, in the order of `checkouts`. */
export async function timeBuilds(
  checkouts: readonly string[],
  pages: readonly string[],
  { rounds }: { readonly rounds: number },
): Promise<readonly Times[]> {
  const children = checkouts.map((checkout) => startBuild(checkout));
  try {
    const times = children.map((): Record<RunName, number[]> => ({
      page: [],
      "page without a labeller": [],
    }));
    for (let round = -WARM_UP; round < rounds; round += 1)
      for (const run of NAMES) {
        const sums = children.map(() => 0);
        for (let at = 0; at < pages.length; at += TURN)
          for (const [index, child] of children.entries())
            sums[index] =
              (sums[index] ?? 0) + (await takeTurn(child, { run, pages: pages.slice(at, at + TURN) }));
        if (round >= 0)
          for (const [index, sum] of sums.entries()) times[index]?.[run].push(sum / pages.length);
      }
    return times;
  } finally {
    for (const child of children) child.kill();
  }
}

function startBuild(checkout: string): ChildProcess {
  if (!existsSync(libraryOf(checkout)))
    throw new Error(`${checkout} is not built: run \`node bin/setup.js\` there`);
  return fork(PROGRAM, [checkout], { execArgv: [] });
}

function libraryOf(checkout: string): string {
  return join(checkout, "dist", "index.js");
}

/** Throws an Error if the process ends before it answers; then its own message is on stderr. */
async function takeTurn(child: ChildProcess, turn: Turn): Promise<number> {
  const stop = new AbortController();
  const { signal } = stop;
  try {
    const exit = child.exitCode === null ? once(child, "exit", { signal }) : Promise.resolve();
    const ended = exit.then(() => {
      throw new Error("a build could not clean the pages");
    });
    const answer = once(child, "message", { signal }).then(([ms]: readonly unknown[]) => Number(ms));
    // If the channel is closed, the process is about to end.
    child.send(turn, () => undefined);
    return await Promise.race([answer, ended]);
  } finally {
    stop.abort();
  }
}

/** Cleans pages with the library of a checkout for as long as the parent process asks for it. */
function serveBuild(checkout: string): void {
  const opened = openRuns(checkout);
  process.on("message", (turn: Turn) => {
    void opened.then(async (runs) => {
      const ms = await timeCpu(async () => {
        for (const html of turn.pages) await runs[turn.run].clean({ html });
      });
      process.send?.(ms);
    });
  });
}

async function openRuns(checkout: string): Promise<Record<RunName, Thresher>> {
  const address = pathToFileURL(libraryOf(checkout)).href;
  // The library of any checkout has this function.
  const { createThresher } = (await import(address)) as {
    readonly createThresher: (options: object) => Promise<Thresher>;
  };
  const open = async (run: RunName): Promise<Thresher> => createThresher({ workers: 1, ...RUNS[run] });
  return { page: await open("page"), "page without a labeller": await open("page without a labeller") };
}

/** Prints the median time of each build, and the median, least and greatest ratio of the second to the first. */
export function printTimes([first, second]: readonly Times[]): string {
  if (first === undefined || second === undefined) throw new Error("two builds are compared");
  const rows = NAMES.map((run) => {
    const ratios = second[run].map((ms, round) => ms / (first[run][round] ?? Number.NaN));
    const cells = [medianOf(ratios), Math.min(...ratios), Math.max(...ratios)].map((ratio) =>
      ratio.toFixed(3),
    );
    return [
      run,
      formatMs(medianOf(first[run])),
      formatMs(medianOf(second[run])),
      `${cells[0]} (${cells[1]}–${cells[2]})`,
    ];
  });
  return layOut(["CPU ms a page", "other checkout", "this checkout", "ratio"], rows);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { gold: { type: "string" }, rounds: { type: "string", default: "6" } },
  });
  const [other] = positionals;
  if (other === undefined) throw new Error("name the checkout to compare with");
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error("--rounds is a number of rounds");
  const corpus = openCorpus(values.gold === undefined ? "fixtures" : "speed", {
    ...(values.gold !== undefined && { goldDir: resolve(values.gold) }),
  });
  const pages: string[] = [];
  for await (const { html } of corpus.documents()) if (html !== undefined) pages.push(html);
  const times = await timeBuilds([resolve(other), ROOT], pages, { rounds });
  process.stdout.write(`${printTimes(times)}\n`);
}

if (isMain(import.meta.url)) {
  if (process.send === undefined) await main();
  else serveBuild(process.argv[2] ?? "");
}
