/** Checks that no model was trained on documents of corpora that only measure. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { corpusNames, isCorpusPresent, openCorpus, type CorpusOptions } from "../../corpora/registry.js";
import { digestLines, parseManifest } from "../../corpora/trained.js";
import type { GateProblem } from "./floors.js";
import { isMissing } from "../../missing.js";

/** How many hex digits of a document's digest are kept: enough that two documents never share them by chance. */
const KEPT_DIGITS = 16;

/** Maps a shortened digest to the corpora that have a test document with it. */
export type TestDigests = ReadonlyMap<string, readonly string[]>;

/** Reads every corpus that must never train, if it is present; for an absent corpus it keeps the digests of `known`. */
export async function gatherTestDigests(options: CorpusOptions, known: TestDigests): Promise<TestDigests> {
  const found = new Map<string, string[]>();
  const add = (digest: string, corpus: string): void => {
    const corpora = found.get(digest) ?? [];
    if (!corpora.includes(corpus)) found.set(digest, [...corpora, corpus]);
  };
  for (const name of corpusNames()) {
    const corpus = openCorpus(name, options);
    if (!corpus.training.startsWith("never")) continue;
    if (await isCorpusPresent(name, options)) {
      for await (const document of corpus.documents()) {
        const digest = digestLines(document)?.slice(0, KEPT_DIGITS);
        if (digest !== undefined) add(digest, name);
      }
    } else {
      for (const [digest, corpora] of known) if (corpora.includes(name)) add(digest, name);
    }
  }
  return found;
}

/**
 * Reads one line for each document: its digest, then its corpora. Returns an empty map when the file does not exist.
 */
export async function readTestDigests(file: string): Promise<TestDigests> {
  try {
    const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
    return new Map(
      lines.map((line) => {
        const [digest = "", ...corpora] = line.split(" ");
        return [digest, corpora];
      }),
    );
  } catch (error) {
    if (isMissing(error)) return new Map();
    throw error;
  }
}

export async function writeTestDigests(file: string, digests: TestDigests): Promise<void> {
  const lines = [...digests].map(([digest, corpora]) => [digest, ...corpora].join(" ")).sort();
  await writeFile(file, lines.map((line) => `${line}\n`).join(""));
}

/** Reports each model folder whose `training.json` is missing, is not valid, or lists a test document. */
export async function checkTraining(modelsDir: string, tests: TestDigests): Promise<GateProblem[]> {
  const problems: GateProblem[] = [];
  for (const entry of await readdir(modelsDir, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const folder = join(modelsDir, entry.name);
    const files = await readdir(folder);
    if (!files.includes("model.json")) continue;
    if (!files.includes("training.json")) {
      problems.push({
        reason: "no-manifest",
        detail: `models/${entry.name} has no training.json, so it is unknown whether it has seen test documents`,
      });
      continue;
    }
    problems.push(
      ...compareManifest(entry.name, await readFile(join(folder, "training.json"), "utf8"), tests),
    );
  }
  return problems;
}

function compareManifest(model: string, json: string, tests: TestDigests): GateProblem[] {
  const documents = parseManifest(json);
  if (documents === undefined) {
    const detail = `models/${model}/training.json is not a list of sha256 digests in the form thresher-training-1`;
    return [{ reason: "no-manifest", detail }];
  }
  const seen = new Map<string, number>();
  for (const digest of new Set<string>(documents)) {
    for (const corpus of tests.get(digest.slice(0, KEPT_DIGITS)) ?? []) {
      seen.set(corpus, (seen.get(corpus) ?? 0) + 1);
    }
  }
  return [...seen].map(([corpus, count]) => ({
    reason: "trained-on-test",
    detail: `models/${model} was trained on ${count} documents of ${corpus}, which is for measuring only`,
  }));
}
