/** Runs our systems on pinned documents; fails when a score has fallen or a model was trained on a test document. */
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { isCorpusPresent, DEFAULT_GOLD_DIR } from "../../corpora/registry.js";
import { mentionsFloor } from "./changelog.js";
import {
  compareFloors,
  findLowered,
  raiseFloors,
  readFloors,
  toFloors,
  writeFloors,
  type CorpusFloors,
  type Floors,
  type GateProblem,
} from "./floors.js";
import { checkTraining, gatherTestDigests, readTestDigests, writeTestDigests } from "./training.js";
import { measure } from "../../run/run-bench.js";
import type { BenchIo } from "../../run/bench-options.js";
import { ROOT } from "../../systems/root.js";
import { isMain } from "../is-main.js";

export interface Gated {
  readonly corpus: string;
  readonly sample?: number;
  readonly systems: readonly string[];
}

const ON_PAGES = ["readability", "page", "body+rules", "readability+rules", "body+text", "readability+text"];
const ON_GOLD = ["page", "body+rules", "body+text", "readability+text"];
const ON_LINES = ["rules", "justext-ours", "text"];

/** Small enough to run in a minute. Corpora other than the fixtures are checked only where their data is present. */
export const GATED: readonly Gated[] = [
  { corpus: "fixtures", systems: ON_PAGES },
  { corpus: "fixtures-text", systems: ON_LINES },
  { corpus: "canola", sample: 30, systems: ON_GOLD },
  { corpus: "cleaneval", sample: 30, systems: ON_GOLD },
  { corpus: "scrapinghub", sample: 30, systems: ON_GOLD },
  { corpus: "trafilatura-eval", sample: 30, systems: ON_GOLD },
  { corpus: "turku-tq-dev", sample: 60, systems: ON_LINES },
];

export interface GateOptions {
  readonly mode: "check" | "refresh" | "lower";
  readonly goldDir: string;
  readonly gated: readonly Gated[];
  readonly floorsFile: string;
  readonly testDigestsFile: string;
  readonly changelogFile: string;
  readonly modelsDir: string;
}

export const DEFAULT_GATE: Omit<GateOptions, "mode"> = {
  goldDir: DEFAULT_GOLD_DIR,
  gated: GATED,
  floorsFile: join(ROOT, "bench", "floors.json"),
  testDigestsFile: join(ROOT, "bench", "test-documents.txt"),
  changelogFile: join(ROOT, "CHANGELOG.md"),
  modelsDir: join(ROOT, "models"),
};

/**
 * Returns every problem; an empty list passes the gate. In the modes `refresh` and `lower` it also writes new floors.
 */
export async function runGate(options: GateOptions, io: BenchIo): Promise<GateProblem[]> {
  const corpusOptions = { goldDir: options.goldDir };
  const known = await readFloors(options.floorsFile);
  const measured: CorpusFloors[] = [];
  for (const gated of options.gated) {
    if (await isCorpusPresent(gated.corpus, corpusOptions))
      measured.push(await measureOne(gated, options, io));
    else io.stderr.write(`${gated.corpus}: not here, not checked\n`);
  }
  let digests = await readTestDigests(options.testDigestsFile);
  if (options.mode !== "check") {
    digests = await gatherTestDigests(corpusOptions, digests);
    await writeTestDigests(options.testDigestsFile, digests);
  }
  const training: GateProblem[] =
    digests.size === 0
      ? [{ reason: "no-test-documents", detail: "there is no list of test documents; --refresh writes it" }]
      : await checkTraining(options.modelsDir, digests);
  const scores =
    options.mode === "check"
      ? check(known, measured, options)
      : await refresh(known?.floors, measured, options);
  return [...scores, ...training];
}

async function measureOne({ corpus, sample, systems }: Gated, { goldDir }: GateOptions, io: BenchIo) {
  const asked = {
    ...{ corpora: [corpus], systems, gold: goldDir, resamples: 0, hasRouge: false },
    ...(sample === undefined ? {} : { sample }),
  };
  const { results, missing } = await measure(asked, io);
  const [scores] = results.corpora;
  if (scores === undefined) throw new Error(missing.join("; ") || `${corpus} gave no scores`);
  return toFloors(scores, sample);
}

function check(
  known: { readonly floors: Floors; readonly isSealed: boolean } | undefined,
  measured: readonly CorpusFloors[],
  { gated }: Pick<GateOptions, "gated">,
): GateProblem[] {
  if (known === undefined)
    return [{ reason: "no-floor", detail: "there are no floors; --refresh writes them" }];
  const edited: GateProblem[] = known.isSealed
    ? []
    : [{ reason: "edited", detail: "the floors were changed by hand; --refresh and --lower change them" }];
  const compared = measured.flatMap((now): GateProblem[] => {
    const floor = findFloor(known.floors, now.corpus);
    return floor === undefined
      ? [{ reason: "no-floor", detail: `${now.corpus}: has no floors; --refresh writes them` }]
      : compareFloors(floor, now);
  });
  const unused = known.floors.corpora
    .filter((floor) => !gated.some(({ corpus }) => corpus === floor.corpus))
    .map(({ corpus }): GateProblem => {
      return { reason: "not-measured", detail: `${corpus}: has floors, but the gate does not measure it` };
    });
  return [...edited, ...compared, ...unused];
}

/** Writes the new floors only if it finds no problem with any of them. */
async function refresh(
  old: Floors | undefined,
  measured: readonly CorpusFloors[],
  { mode, changelogFile, floorsFile, gated }: GateOptions,
): Promise<GateProblem[]> {
  const problems: GateProblem[] = [];
  const changelog = await readFile(changelogFile, "utf8");
  const next = measured.map((now) => raiseFloors(old && findFloor(old, now.corpus), now));
  for (const corpus of next) {
    const floor = old && findFloor(old, corpus.corpus);
    const lowered = floor === undefined ? [] : findLowered(floor, corpus);
    if (lowered.length === 0) continue;
    if (mode !== "lower") {
      problems.push(
        ...lowered.map((detail): GateProblem => ({
          reason: "lowered",
          detail: `${detail}; only --lower does that`,
        })),
      );
    } else if (!mentionsFloor(changelog, corpus.corpus)) {
      const detail = `${corpus.corpus}: no line under [Unreleased] of the changelog names "floor" and "${corpus.corpus}"`;
      problems.push({ reason: "no-changelog", detail });
    }
  }
  if (problems.length > 0) return problems;
  const absent = (old?.corpora ?? []).filter(({ corpus }) => !next.some((now) => now.corpus === corpus));
  const order = gated.map(({ corpus }) => corpus);
  const corpora = [...next, ...absent].sort((a, b) => order.indexOf(a.corpus) - order.indexOf(b.corpus));
  await writeFloors(floorsFile, { format: "thresher-floors-1", corpora });
  return [];
}

function findFloor(floors: Floors, corpus: string): CorpusFloors | undefined {
  return floors.corpora.find((floor) => floor.corpus === corpus);
}

const HELP = `npm run gate -- [--refresh] [--lower] [--gold DIR]
Checks that no system of ours scores below bench/floors.json and that no model was trained on test documents.
  --refresh   take changed documents, new systems and higher scores into the floors
  --lower     let floors fall, too; the changelog must say so under [Unreleased]
  --gold DIR  the folder of the gold data (default ../shared/gold beside the project, if it exists)
`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      refresh: { type: "boolean" },
      lower: { type: "boolean" },
      gold: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return 0;
  }
  const mode = values.lower === true ? "lower" : values.refresh === true ? "refresh" : "check";
  const gold = values.gold === undefined ? {} : { goldDir: resolve(values.gold) };
  const io = { stdout: process.stdout, stderr: process.stderr, signal: new AbortController().signal };
  const problems = await runGate({ ...DEFAULT_GATE, ...gold, mode }, io);
  for (const { reason, detail } of problems) process.stderr.write(`gate: ${reason}: ${detail}\n`);
  process.stderr.write(
    problems.length === 0 ? "gate: passed\n" : `gate: failed, ${problems.length} problems\n`,
  );
  return problems.length === 0 ? 0 : 1;
}

if (isMain(import.meta.url)) {
  process.exitCode = await main();
}
