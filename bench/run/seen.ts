/** Finds out whether the model of a system of ours trained on documents of a corpus, so that it is not measured on them. */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { digestLines, parseManifest } from "../corpora/trained.js";
import { findSettings, type Settings } from "../systems/ours.js";
import { ROOT } from "../systems/root.js";
import type { GoldDocument } from "../corpora/gold.js";

const MODELS = join(ROOT, "models");
/** What the package labels with where a combination names no labeller. */
const DEFAULT_LABELLERS = ["page", "text"];

/** Why the system must not be measured on these documents, or undefined where none of them trained its model. */
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

/** The folder that is named, or every shipped one that the labeller may take; none where it has no model. */
async function findModels({ labeller, model }: Settings, modelsDir: string): Promise<string[]> {
  if (model !== undefined) return [existsSync(model) ? model : join(ROOT, model)];
  const kinds = labeller === undefined ? DEFAULT_LABELLERS : [labeller];
  const found: string[] = [];
  for (const name of await readdir(modelsDir)) {
    const about = await readText(join(modelsDir, name, "model.json"));
    const { kind } = JSON.parse(about ?? "{}") as { readonly kind?: string }; // any object can be read so
    if (kind !== undefined && kinds.includes(kind)) found.push(join(modelsDir, name));
  }
  return found;
}

async function readTrained(folder: string): Promise<ReadonlySet<string> | undefined> {
  const digests = parseManifest((await readText(join(folder, "training.json"))) ?? "null");
  return digests === undefined ? undefined : new Set(digests);
}

/** undefined where there is no such file. */
async function readText(file: string): Promise<string | undefined> {
  return existsSync(file) ? readFile(file, "utf8") : undefined;
}
