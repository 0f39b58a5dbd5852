/**
 * Measures what `thresher train` gains on a notion of content that is not ours: it trains on random draws of a few
 * documents of a corpus, and measures each model on all documents that were not drawn.
 * `node dist/bench/lab/train/draws.js [--gold DIR] [--draws N] [--documents N…] [--sets canola dragnet]`
 */
import { parseArgs } from "node:util";
import { createThresher } from "thresher";
import { openCorpus, DEFAULT_GOLD_DIR } from "../../corpora/registry.js";
import { alignText } from "../../metrics/align/align.js";
import {
  loadInternals,
  type Evidence,
  type GoldRecord,
  type Internals,
  type TrainKind,
} from "./internals.js";

const { values } = parseArgs({
  options: {
    gold: { type: "string", default: DEFAULT_GOLD_DIR },
    draws: { type: "string", default: "10" },
    documents: { type: "string", multiple: true, default: ["20", "100"] },
    sets: { type: "string", multiple: true, default: ["canola", "dragnet"] },
  },
});

const KINDS: Readonly<Record<string, TrainKind>> = {
  canola: "text",
  "l3s-gn1": "text",
  dragnet: "page",
  scrapinghub: "page",
  cleanportaleval: "page",
};
const FIGURES = ["lineAccuracy", "lineF1", "wordF1", "macroF1", "calibrationError"] as const;

async function readSet(name: string): Promise<GoldRecord[]> {
  const records: GoldRecord[] = [];
  const thresher = await createThresher({ keepBoilerplate: true });
  try {
    for await (const { id, url, lang, html, lines, text } of openCorpus(name, {
      goldDir: values.gold,
    }).documents()) {
      if (KINDS[name] === "text" && lines !== undefined) records.push({ id, url, lang, source: name, lines });
      if (KINDS[name] !== "page" || html === undefined || text === undefined) continue;
      const outcome = await thresher.clean({ html, id });
      if (!outcome.ok) continue;
      const found = outcome.value.lines ?? [];
      const { predicted } = alignText(
        found.map((line) => line.text),
        text,
      );
      const placed = found.map(({ text: words, block, path, linkChars, breakBefore }, at) => ({
        ...{ text: words, block, path, linkChars, breakBefore },
        label: predicted[at] ?? null,
      }));
      const { title = "" } = outcome.value;
      records.push({ id, url, lang, source: name, title, lines: placed });
    }
  } finally {
    await thresher.close();
  }
  return records;
}

async function gather(
  train: Internals,
  records: readonly GoldRecord[],
  kind: TrainKind,
): Promise<Evidence[]> {
  const base = await train.openBase(kind);
  const evidence: Evidence[] = [];
  for (const record of records) evidence.push(await base.gather(train.toExample(record, kind)));
  await base.close();
  return evidence;
}

/** Trains on one random draw, and compares before and after on the documents that were not drawn. */
function measure(
  train: Internals,
  evidence: readonly Evidence[],
  kind: TrainKind,
  documents: number,
  seed: number,
) {
  const order = train.shuffle([...evidence.keys()], train.createRandom(seed));
  const pick = (places: readonly number[]): Evidence[] => places.flatMap((at) => evidence[at] ?? []);
  const [drawn, rest] = [pick(order.slice(0, documents)), pick(order.slice(documents))];
  const folds = train.partIntoFolds(
    drawn.map(({ example }) => example.document),
    seed,
  );
  const trained = train.trainOn(drawn, folds, { kind, seed });
  const count = (change: object): Float64Array[] =>
    rest.map((one) => train.countDocument(one.relabel(change), one.example.labels));
  const shares = rest.map(() => 0.5);
  const comparison = train.compare(count(train.NO_CHANGE), count(trained.change), { seed, shares });
  return { ...trained, comparison };
}

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length);
const show = (value: number): string => value.toFixed(3);

async function main(): Promise<void> {
  const train = await loadInternals();
  process.stdout.write(
    "| set | documents | step | written | figure | before | after | gain, mean (least to most) | draws that lose beyond their interval |\n",
  );
  process.stdout.write("|---|---|---|---|---|---|---|---|---|\n");
  for (const name of values.sets) {
    const kind = KINDS[name];
    if (kind === undefined)
      throw new Error(`no set is called ${name}; there are ${Object.keys(KINDS).join(", ")}`);
    const evidence = await gather(train, await readSet(name), kind);
    for (const documents of values.documents.map(Number)) {
      const draws = Array.from({ length: Number(values.draws) }, (_, at) => {
        process.stderr.write(`\r${name} ${documents}: draw ${at + 1}  `);
        return measure(train, evidence, kind, documents, at + 1);
      });
      process.stderr.write("\n");
      const steps = [...new Set(draws.map(({ step }) => step))].map(
        (step) => `${step} ${draws.filter((one) => one.step === step).length}`,
      );
      const written = draws.filter(({ worse }) => worse === undefined);
      for (const [who, of] of [
        ["all", draws],
        ["written", written],
      ] as const)
        for (const figure of FIGURES) {
          const at = (from: "before" | "after" | "difference"): number[] =>
            of.map(({ comparison }) => comparison[from][figure]?.value ?? 0);
          const isWorse = figure === "calibrationError" ? 1 : -1;
          const lost = of.filter(({ comparison }) => {
            const interval = comparison.difference[figure];
            return interval !== undefined && (isWorse === 1 ? interval.low > 0 : interval.high < 0);
          });
          const gains = at("difference");
          process.stdout.write(
            `| ${name} | ${documents} | ${steps.join(", ")} | ${who} ${of.length} | ${figure} | ${show(mean(at("before")))} | ${show(mean(at("after")))} | ` +
              `${show(mean(gains))} (${show(Math.min(...gains))} to ${show(Math.max(...gains))}) | ${lost.length} of ${of.length} |\n`,
          );
        }
    }
  }
}

await main();
