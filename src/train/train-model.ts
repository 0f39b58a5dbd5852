/** Trains a labeller on gold: runs the shipped network, fits what may change, and measures it on held-out documents. */
import type { GoldRecord } from "../acquire/records/gold.js";
import { UsageError } from "../outcome.js";
import { tellCount } from "../count.js";
import { ownValue } from "../own-value.js";
import { compareTexts } from "../text-order.js";
import { NO_CHANGE, type Change } from "./change.js";
import { crossFit } from "./fit/cross-fit.js";
import { chooseStep, whyNotBetter, type Candidate } from "./decide.js";
import type { Step } from "./fit/design.js";
import { openBase, type Base, type Evidence } from "./evidence.js";
import { compare, countDocument, type Counts } from "./figures.js";
import { partIntoFolds, type Folds } from "./fit/folds.js";
import { trainNetworks } from "./networks.js";
import { nameOfPython, whyNoPython } from "./python.js";
import { toExample, type Example, type TrainKind } from "./gold-examples.js";

export interface TrainOptions {
  readonly kind: TrainKind;
  readonly seed: number;
  /** The step to train; if absent, cross-validation chooses. */
  readonly step?: Step;
  /** The Python that trains a whole network; "python3" when absent, and "python" on Windows. */
  readonly python?: string;
  /** How often the network sees each document; by default, the trainer's own number. */
  readonly epochs?: number;
  /** The folder of the model to train; the shipped one of its kind if absent. */
  readonly modelDir?: string;
  /** Reports the current step. */
  readonly tell?: (message: string) => void;
  readonly signal?: AbortSignal;
}

export interface Trained extends Candidate {
  readonly base: Pick<Base, "name" | "digest" | "folder">;
  readonly kind: TrainKind;
  /** The change of the base model, or of the network below. */
  readonly change: Change;
  readonly ridge: number;
  /** The folder of the network, if one was trained: the caller copies what it needs, and calls `remove`. */
  readonly network?: string;
  /** Removes the files that training left on disk. */
  remove(): Promise<void>;
  readonly data: DataFigures;
  /** Every step that was tried, including the chosen one. */
  readonly tried: readonly Candidate[];
  /** Why the model is not better; undefined if it is better. */
  readonly worse?: string;
}

export interface DataFigures {
  readonly documents: number;
  readonly lines: number;
  readonly content: number;
  readonly unknown: number;
  readonly hosts: number;
  readonly groups: number;
  readonly folds: number;
  readonly languages: Readonly<Record<string, number>>;
}

/** With fewer documents, the held-out ones say nothing. */
const FEWEST_DOCUMENTS = 10;
/** From this many documents on, a correction is tried beside a calibration; a few columns can fit any few documents. */
const FEWEST_FOR_CORRECTION = 60;
/** From this many on, the whole network is tried as well, if there is a Python that can train it. */
const FEWEST_FOR_NETWORK = 200;
/** The lines that a gigabyte holds; human-made gold has far fewer. */
const MOST_LINES = 1_000_000;

/** Throws UsageError if the gold is unfit for training, or if a network is wanted that cannot be trained here. */
export async function trainModel(records: readonly GoldRecord[], options: TrainOptions): Promise<Trained> {
  const { kind, signal, tell, step, python = nameOfPython() } = options;
  const examples = records.map((record) => toExample(record, kind)).filter(hasKnownLine);
  checkExamples(examples);
  const folds = partIntoFolds(
    examples.map(({ document }) => document),
    options.seed,
  );
  checkFolds(examples, folds);
  const wantsNetwork = step === "network" || (step === undefined && examples.length >= FEWEST_FOR_NETWORK);
  const lack = wantsNetwork ? await whyNoPython(python, signal) : undefined;
  if (lack !== undefined && step === "network") throw new UsageError(lack);
  if (lack !== undefined) tell?.(`${lack}. Trying the other steps without it`);
  const base = await openBase(kind, options.modelDir);
  const evidence: Evidence[] = [];
  try {
    for (const example of examples) {
      signal?.throwIfAborted();
      evidence.push(await base.gather(example));
    }
  } finally {
    await base.close();
  }
  tell?.(
    `${base.name} scored ${tellCount(examples.length, "document")} in ${tellCount(folds.count, "fold")}`,
  );
  const networks =
    wantsNetwork && lack === undefined
      ? await trainNetworks(evidence, folds, { ...options, base, python, signal, tell })
      : undefined;
  const { name, digest, folder } = base;
  try {
    const { fromNetwork, ...trained } = trainOn(evidence, folds, options, networks?.evidence);
    return {
      ...trained,
      ...(fromNetwork && networks && { network: networks.folder }),
      base: { name, digest, folder },
      kind,
      data: describeData(examples, folds),
      remove: async () => networks?.remove(),
    };
  } catch (error) {
    await networks?.remove();
    throw error;
  }
}

type TrainedOn = Pick<Trained, "change" | "ridge" | "tried" | "worse"> &
  Candidate & { readonly fromNetwork: boolean };

/**
 * Trains on a network's scores of the documents, and on those of networks that were trained without them
 * (`ofNetworks`).
 */
export function trainOn(
  evidence: readonly Evidence[],
  folds: Folds,
  { kind, seed, step: only, tell, signal }: TrainOptions,
  ofNetworks?: readonly Evidence[],
): TrainedOn {
  const labelsOf = evidence.map(({ example }) => example.labels);
  const before = evidence.map((one, at) => countDocument(one.relabel(NO_CHANGE), labelsOf[at] ?? []));
  const shares = sharesOutside(before, folds);
  const candidates = stepsFor(only, evidence.length, ofNetworks !== undefined).map((step) => {
    signal?.throwIfAborted();
    tell?.(step === "network" ? "calibrates the networks" : `fits a ${step} for each fold on the others`);
    const isNetwork = step === "network" && ofNetworks !== undefined;
    const { heldOut, ...fitted } = crossFit(isNetwork ? ofNetworks : evidence, folds, {
      step: step === "network" ? "calibration" : step,
      hasCuts: kind === "text",
    });
    const after = heldOut.map((document, at) => countDocument(document, labelsOf[at] ?? []));
    return { ...fitted, step, comparison: compare(before, after, { seed, shares }) };
  });
  const [first, ...others] = candidates;
  if (first === undefined) throw new Error("no step was tried");
  const { step, change, ridge, comparison } = chooseStep([first, ...others]);
  const worse = whyNotBetter(comparison);
  return {
    ...{ step, change, ridge, comparison, fromNetwork: step === "network" },
    tried: candidates.map((one) => ({ step: one.step, comparison: one.comparison })),
    ...(worse !== undefined && { worse }),
  };
}

function stepsFor(step: Step | undefined, documents: number, hasNetworks: boolean): readonly Step[] {
  if (step !== undefined) return [step];
  const fits: readonly Step[] =
    documents < FEWEST_FOR_CORRECTION ? ["calibration"] : ["calibration", "correction"];
  return hasNetworks ? [...fits, "network"] : fits;
}

function hasKnownLine({ labels }: Example): boolean {
  return labels.some((label) => label !== null);
}

function checkExamples(examples: readonly Example[]): void {
  if (examples.length < FEWEST_DOCUMENTS)
    throw new UsageError(
      `${tellCount(examples.length, "document")} ${examples.length === 1 ? "has" : "have"} labelled lines, but training needs at least ${FEWEST_DOCUMENTS}, better 20: annotate more`,
    );
  const labels = new Set(examples.flatMap((one) => one.labels));
  for (const [label, name, other] of [
    [1, "content", "boilerplate"],
    [0, "boilerplate", "content"],
  ] as const)
    if (!labels.has(label))
      throw new UsageError(
        `no line is labelled ${name}: a labeller learns from both labels, but all lines are ${other}`,
      );
  const mixed = examples.filter((one) => one.labels.includes(1) && one.labels.includes(0)).length;
  if (mixed < FEWEST_DOCUMENTS)
    throw new UsageError(
      `only ${tellCount(mixed, "document")} ${mixed === 1 ? "has" : "have"} both content and boilerplate lines, but training needs at least ${FEWEST_DOCUMENTS}`,
    );
  const lines = examples.reduce((sum, one) => sum + one.labels.length, 0);
  if (lines > MOST_LINES)
    throw new UsageError(
      `there are ${lines} lines, but this command trains on at most ${MOST_LINES}: train your own network (models/train/README.md)`,
    );
}

function checkFolds(examples: readonly Example[], { count, hosts }: Folds): void {
  if (count >= 2) return;
  throw new UsageError(
    hosts === 1
      ? `all ${examples.length} documents come from one host: only documents of other hosts can show whether a model is better on them`
      : `all ${examples.length} documents are near copies of each other: annotate others`,
  );
}

/** Returns, for each document, the share of content in the folds that it is not in. */
function sharesOutside(counts: readonly Counts[], folds: Folds): number[] {
  const shares = Array.from({ length: folds.count }, (_, fold) => {
    // One line of each label is added, so that a share is never 0 or 1.
    let [content, all] = [1, 2];
    for (const [at, one] of counts.entries()) {
      if (folds.of[at] === fold) continue;
      content += (one[2] ?? 0) + (one[3] ?? 0);
      all += (one[0] ?? 0) + (one[1] ?? 0) + (one[2] ?? 0) + (one[3] ?? 0);
    }
    return content / all;
  });
  return counts.map((_, at) => shares[folds.of[at] ?? 0] ?? 0.5);
}

function describeData(examples: readonly Example[], folds: Folds): DataFigures {
  const labels = examples.flatMap((one) => one.labels);
  const languages: Record<string, number> = {};
  for (const { lang } of examples) {
    const name = lang === "" ? "und" : lang;
    languages[name] = (ownValue(languages, name) ?? 0) + 1;
  }
  const sorted = Object.entries(languages).sort(([a, i], [b, j]) => j - i || compareTexts(a, b));
  return {
    documents: examples.length,
    lines: labels.filter((label) => label !== null).length,
    content: labels.filter((label) => label === 1).length,
    unknown: labels.filter((label) => label === null).length,
    hosts: folds.hosts,
    groups: folds.groups,
    folds: folds.count,
    languages: Object.fromEntries(sorted),
  };
}
