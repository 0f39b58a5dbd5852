/**
 * Checks whether the model of one of our systems trained on documents of a corpus, so that it is not measured on them.
 */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { digestLines, parseManifest } from "../corpora/trained.js";
import { findSettings, type Settings } from "../systems/ours.js";
import { ROOT } from "../systems/root.js";
import type { GoldDocument } from "../corpora/gold.js";

const MODELS = join(ROOT, "models");
/** The labellers that the package uses if a combination names no labeller. */
const DEFAULT_LABELLERS = ["page", "text"];

/**
 * Returns why the system must not be measured on these documents; undefined if its model trained on none of them. A
 * model without a training manifest must not be measured.
 */
export async function whySeen(
  name: string,
  documents: Iterable<GoldDocument>,
  modelsDir = MODELS,
): Promise<string | undefined> {
  const settings = findSettings(name);
  const folders = settings === undefined ? [] : await findModels(settings, modelsDir);
  if (folders.length === 0) return undefined;
  const digests = [...documents].flatMap((document) => digestLines(document) ?? []);
  for (const folder of folders) {
    const trained = await readTrained(folder);
    if (trained === undefined) return `${basename(folder)} does not say what it was trained on`;
    const seen = digests.filter((digest) => trained.has(digest)).length;
    if (seen > 0) return `${basename(folder)} was trained on ${seen} of these documents`;
  }
  return undefined;
}

/**
 * Returns the named model folder, or every shipped one that the labeller may use; empty if the labeller has no model.
 */
async function findModels({ labeller, model }: Settings, modelsDir: string): Promise<string[]> {
  if (model !== undefined) return [existsSync(model) ? model : join(ROOT, model)];
  const kinds = labeller === undefined ? DEFAULT_LABELLERS : [labeller];
  const found: string[] = [];
  for (const name of await readdir(modelsDir)) {
    const about = await readText(join(modelsDir, name, "model.json"));
    const { kind } = JSON.parse(about ?? "{}") as { readonly kind?: string }; // any object can be read like this
    if (kind !== undefined && kinds.includes(kind)) found.push(join(modelsDir, name));
  }
  return found;
}

async function readTrained(folder: string): Promise<ReadonlySet<string> | undefined> {
  const digests = parseManifest((await readText(join(folder, "training.json"))) ?? "null");
  return digests === undefined ? undefined : new Set(digests);
}

/** Returns the text of a file; undefined if the file does not exist. */
async function readText(file: string): Promise<string | undefined> {
  return existsSync(file) ? readFile(file, "utf8") : undefined;
}
