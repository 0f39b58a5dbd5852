/**
 * Fine-tunes the whole network in PyTorch, once without each fold and once on all gold. Each document is then scored by
 * the network that has not seen it.
 */
import { createHash } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { exportFeatures } from "../label/features/export.js";
import { readManifest } from "../label/models/model-folder.js";
import { openBase, type Base, type Evidence } from "./evidence.js";
import type { Folds } from "./fit/folds.js";
import type { TrainKind } from "./gold-examples.js";
import { runScript } from "./python.js";

export interface Networks {
  /** Evidence in the order of the input, each from the network that was trained without the fold of the document. */
  readonly evidence: readonly Evidence[];
  /** A model folder with the network that was trained on everything, and the calibration of its base model. */
  readonly folder: string;
  /** Removes the folders. */
  remove(): Promise<void>;
}

export interface NetworkOptions {
  readonly kind: TrainKind;
  readonly base: Pick<Base, "folder">;
  readonly python: string;
  readonly seed: number;
  readonly epochs?: number;
  readonly tell?: ((message: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Largest difference of log-odds, from our engine against PyTorch and from rounding the table. */
const MOST_OFF = 0.25;

/** Throws UsageError if the training fails, and Error if a written network gives other scores than the trained one. */
export async function trainNetworks(
  evidence: readonly Evidence[],
  folds: Folds,
  options: NetworkOptions,
): Promise<Networks> {
  const { kind, base, signal } = options;
  const work = await mkdtemp(join(tmpdir(), "thresher-train-"));
  const remove = (): Promise<void> => rm(work, { recursive: true, force: true });
  try {
    const trained = await runTrainer(work, { evidence, folds, options });
    const gathered: Evidence[] = [];
    for (let fold = 0; fold < folds.count; fold += 1) {
      const folder = join(work, `model-${fold}`);
      await makeFolder(base.folder, join(trained, `fold-${fold}`), folder);
      const network = await openBase(kind, folder);
      try {
        for (const [at, one] of evidence.entries()) {
          signal?.throwIfAborted();
          if (folds.of[at] === fold) gathered[at] = await network.gather(one.example);
        }
      } finally {
        await network.close();
      }
    }
    const folder = join(work, "model");
    const logits = await makeFolder(base.folder, join(trained, "all"), folder);
    await checkLogits(kind, folder, { evidence, logits });
    return { evidence: gathered, folder, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

interface Given {
  readonly evidence: readonly Evidence[];
  readonly folds: Folds;
  readonly options: NetworkOptions;
}

/** Returns the folder with the script's output. Leaves out documents without lines for the network. */
async function runTrainer(work: string, { evidence, folds, options }: Given): Promise<string> {
  const { kind, base, python, seed, epochs, tell, signal } = options;
  const features = join(work, "features");
  const plan = join(work, "plan.json");
  const out = join(work, "out");
  const asked = evidence.flatMap((one, at) => (one.lines.length > 0 ? [{ ...one, fold: folds.of[at] }] : []));
  const documents = asked.map(({ example, lines, labels }) => {
    const { id, meta } = example.document;
    const labelled = lines.map((line, at) => ({ ...line, label: labels[at] ?? null }));
    return { id, lang: example.lang, source: "", title: meta.title ?? "", lines: labelled };
  });
  await exportFeatures(documents, features, kind);
  const conditions = asked.flatMap(({ condition }) => (condition ? [[...condition]] : []));
  await writeFile(plan, JSON.stringify({ fold: asked.map(({ fold }) => fold), seed, conditions }));
  const names = { model: resolve(base.folder), features, plan, out, ...(epochs !== undefined && { epochs }) };
  const args = Object.entries(names).flatMap(([name, value]) => [`--${name}`, String(value)]);
  await runScript(python, ["-m", "own.fine_tune", ...args], { tell, signal });
  return out;
}

interface Tuned {
  readonly scale: number;
  readonly logits?: readonly (readonly number[])[];
}

/** Copies the base model's folder with another network and table; returns the logits of PyTorch, if it wrote them. */
async function makeFolder(from: string, tuned: string, folder: string): Promise<Tuned["logits"]> {
  await mkdir(folder);
  const about = readManifest(from);
  for (const part of about.parts()) {
    const file = about.fileName(part);
    const other = { network: "model.onnx", table: "table.bin" }[part];
    await copyFile(other === undefined ? join(from, file) : join(tuned, other), join(folder, file));
  }
  // Our own script wrote `tuned.json`, and the manifest was read before.
  const { scale, logits } = JSON.parse(await readFile(join(tuned, "tuned.json"), "utf8")) as Tuned;
  const json = JSON.parse(about.whole()) as Readonly<Record<string, object>>;
  const network = { ...json["network"], sha256: await digestOf(join(folder, about.fileName("network"))) };
  const table = { ...json["table"], scale, sha256: await digestOf(join(folder, about.fileName("table"))) };
  await writeFile(
    join(folder, "model.json"),
    `${JSON.stringify({ ...json, network, table }, undefined, 2)}\n`,
  );
  return logits;
}

async function digestOf(path: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
}

/** Checks that the written network gives the same logits as the trained one. */
async function checkLogits(
  kind: TrainKind,
  folder: string,
  given: Pick<Given, "evidence"> & { readonly logits: Tuned["logits"] },
): Promise<void> {
  const asked = given.evidence.filter(({ lines }) => lines.length > 0);
  const network = await openBase(kind, folder);
  try {
    // Longer documents are scored in windows here, whose edges see less, so they are not compared.
    for (const [at, one] of asked.entries()) {
      if (one.lines.length > WINDOW_LINES || at >= MOST_CHECKED) continue;
      const { logits } = await network.gather(one.example);
      const wanted = given.logits?.[at] ?? [];
      const off = wanted.map((logit, line) => Math.abs(logit - (logits[line] ?? Number.NaN)));
      if (wanted.length !== logits.length || !off.every((one) => one < MOST_OFF))
        throw new Error(
          `the written network gives other scores than the trained one (differences up to ${Math.max(...off)})`,
        );
    }
  } finally {
    await network.close();
  }
}

const WINDOW_LINES = 1000;
const MOST_CHECKED = 20;
