/**
 * Runs this checkout and another one over the same pages with many options, and reports whether their output is the
 * same, byte by byte, apart from the fingerprint. Both must be built: run `node bin/setup.js` in each.
 *
 *     node dist/bench/lab/identity.js OTHER_CHECKOUT [--gold DIR] [--pages 1000] [--only TEXT] [-o digests.json]
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { prepareInputs, type InputOptions } from "./identity/inputs.js";
import { INPUTS, OPTION_SETS, type OptionSet } from "./identity/option-sets.js";
import {
  digestOutputs,
  findDifferences,
  readStats,
  REJECTS,
  STATS,
  STDERR,
  STDOUT,
} from "./identity/output.js";
import type { Outputs } from "./identity/output.js";
import { DEFAULT_FIXTURES_DIR, DEFAULT_GOLD_DIR } from "../corpora/registry.js";
import { ROOT } from "../systems/root.js";
import { isMain } from "./is-main.js";

export interface IdentityOptions extends InputOptions {
  /** First the checkout whose output is the reference, then the one that must give the same output. */
  readonly checkouts: readonly [string, string];
  readonly optionSets: readonly OptionSet[];
  /** Called with each difference and each result as soon as it is known. */
  readonly report: (line: string) => void;
}

export interface SetResult {
  readonly name: string;
  readonly jobs: readonly number[];
  /** Absent when the set was skipped because a package that it needs is not installed. */
  readonly isEqual?: boolean;
  readonly documents: number;
  readonly rejects: number;
  readonly bytes: number;
  /** SHA-256 of each file that the first run wrote. */
  readonly files: Readonly<Record<string, string>>;
  readonly seconds: number;
}

/** Long enough that no page times out because the machine is busy. */
const LIMITS = ["--timeout", "5m"];

/** Runs all sets and returns their results. The outputs are deleted when no set differs. */
export async function compareCheckouts(options: IdentityOptions): Promise<SetResult[]> {
  const { checkouts, optionSets, report } = options;
  const folder = mkdtempSync(join(tmpdir(), "thresher-identity-"));
  const fixtures = await prepareInputs(folder, options);
  const tools: Tools = { folder, checkouts, fixtures: fixtures.map((name) => `../../${name}`) };
  await runClean(tools, { side: 0, words: [...INPUTS.some, "-o", "../../some.parquet"], name: "table" });
  const results: SetResult[] = [];
  for (const set of optionSets) {
    const result = await compareSet(tools, set, report);
    report(formatResult(result));
    results.push(result);
  }
  if (results.every(({ isEqual }) => isEqual !== false)) rmSync(folder, { recursive: true });
  else report(`The outputs that differ are in ${join(folder, "runs")}.`);
  return results;
}

interface Tools extends Pick<IdentityOptions, "checkouts"> {
  readonly folder: string;
  readonly fixtures: readonly string[];
}

/** Every run of a set must give the same output as the other checkout with the first number of workers. */
async function compareSet(tools: Tools, set: OptionSet, report: (line: string) => void): Promise<SetResult> {
  const { name, jobs, needs, hasFixtures } = set;
  const none = { name, jobs, documents: 0, rejects: 0, bytes: 0, files: {}, seconds: 0 };
  const hasPackage = (root: string): boolean =>
    existsSync(join(root, "node_modules", needs ?? "", "package.json"));
  if (needs !== undefined && !tools.checkouts.every(hasPackage)) return none;
  const start = performance.now();
  const inputs = [...(hasFixtures ? tools.fixtures : []), ...set.inputs.flatMap((input) => INPUTS[input])];
  const runs: { readonly label: string; readonly outputs: Outputs }[] = [];
  for (const count of jobs) {
    const words = [...inputs, ...set.options, ...LIMITS, "-j", `${count}`];
    const run = async (side: 0 | 1): Promise<(typeof runs)[number]> => ({
      label: `${side === 0 ? "other" : "this"} checkout -j ${count}`,
      outputs: await runClean(tools, { side, words, name: `${name} ${count}` }),
    });
    // The two checkouts run at the same time; with one worker each, they share two processors.
    runs.push(...(await Promise.all([run(0), run(1)])));
  }
  const [first, ...rest] = runs.map(({ outputs }) => outputs);
  if (first === undefined) throw new Error(`${name} has no number of workers`);
  const differences = rest.flatMap((outputs, index) =>
    findDifferences(first, outputs).map((difference) => `${runs[index + 1]?.label ?? ""}: ${difference}`),
  );
  const stats = readStats(first.folder);
  // Two runs that both fail in the same way prove nothing.
  if ((stats?.documents ?? 0) === 0) differences.push(`no document came out (exit code ${first.exitCode})`);
  for (const line of differences) report(`${name}: first ${runs[0]?.label ?? ""}, second ${line}`);
  if (differences.length === 0)
    for (const { folder } of [first, ...rest]) rmSync(folder, { recursive: true });
  return {
    ...none,
    isEqual: differences.length === 0,
    documents: stats?.documents ?? 0,
    rejects: stats?.rejects ?? 0,
    bytes: first.bytes,
    files: Object.fromEntries(first.digests),
    seconds: Math.round((performance.now() - start) / 1000),
  };
}

interface Run {
  /** The index of the checkout to run. */
  readonly side: 0 | 1;
  readonly words: readonly string[];
  readonly name: string;
}

/** Runs the command `clean` in its own folder and waits for its end. */
async function runClean({ folder, checkouts }: Tools, { side, words, name }: Run): Promise<Outputs> {
  const cwd = join(folder, "runs", `${name.replaceAll(/[^\w.]+/g, "-")}-${side === 0 ? "other" : "this"}`);
  mkdirSync(cwd, { recursive: true });
  const stdio = [
    openSync(join(folder, "some-pages.jsonl"), "r"),
    openSync(join(cwd, STDOUT), "w"),
    openSync(join(cwd, STDERR), "w"),
  ];
  const program = join(checkouts[side], "bin", "thresher.js");
  const args = [program, "clean", ...words, "--rejects", REJECTS, "--stats", STATS, "--quiet"];
  const exitCode = await new Promise<number | null>((settle, fail) => {
    spawn(process.execPath, args, { cwd, stdio }).on("error", fail).on("close", settle);
  });
  for (const file of stdio) closeSync(file);
  return digestOutputs(cwd, exitCode);
}

const HEADS =
  "| options | -j | documents | rejects | bytes | SHA-256 | equal | s |\n|---|---|--:|--:|--:|---|---|--:|";

function formatResult({ name, jobs, documents, rejects, bytes, files, seconds, isEqual }: SetResult): string {
  const digest = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 12);
  const verdict = isEqual === undefined ? "not run: a package is missing" : isEqual ? "yes" : "NO";
  return `| ${[name, jobs.join(", "), documents, rejects, bytes, digest, verdict, seconds].join(" | ")} |`;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      gold: { type: "string" },
      pages: { type: "string", default: "1000" },
      only: { type: "string", default: "" },
      output: { type: "string", short: "o" },
    },
  });
  const [other] = positionals;
  if (other === undefined) throw new Error("name the checkout to compare with");
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const optionSets = OPTION_SETS.filter(({ name }) => name.includes(values.only));
  const pages = Number(values.pages);
  if (!Number.isInteger(pages) || pages < 1) throw new Error("--pages is a number of pages");
  if (optionSets.length === 0) throw new Error(`no set of options has ${values.only} in its name`);
  say(HEADS);
  const results = await compareCheckouts({
    checkouts: [resolve(other), ROOT],
    optionSets,
    fixtures: DEFAULT_FIXTURES_DIR,
    gold: resolve(values.gold ?? DEFAULT_GOLD_DIR),
    pages,
    report: say,
  });
  const unequal = results.filter(({ isEqual }) => isEqual === false);
  const passedOver = results.filter(({ isEqual }) => isEqual === undefined);
  say(`${results.length} sets of options, ${passedOver.length} not run, ${unequal.length} with differences`);
  if (values.output !== undefined) writeFileSync(values.output, `${JSON.stringify(results, undefined, 2)}\n`);
  if (unequal.length > 0 || results.length === passedOver.length) process.exitCode = 1;
}

if (isMain(import.meta.url)) await main();
