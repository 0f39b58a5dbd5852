/** Writes a trained model as a folder that every labeller can load, complete or not at all. */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { GoldRecord } from "../acquire/records/gold.js";
import { TEXT_CONDITIONS } from "../document.js";
import { readManifest } from "../label/models/model-folder.js";
import { loadPageModel } from "../label/page/page-folder.js";
import { loadTextModel } from "../label/text/text-folder.js";
import { UsageError } from "../outcome.js";
import { moveFile } from "../write/files/move-file.js";
import { besides, makeFolder } from "../write/files/place.js";
import { changePageModel, changeTextModel } from "./change.js";
import { roundDigits } from "./fit/design.js";
import { FIGURES } from "./figures.js";
import { writeReadme, type Folder } from "./model-readme.js";
import type { Trained } from "./train-model.js";
import { cannotWrite } from "../write-error.js";

/** Throws UsageError if the path exists, so that no model is overwritten. */
export async function checkFree(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined)
    throw new UsageError(
      `there is ${found.isDirectory() ? "a folder" : "a file"} ${path} already; choose another name`,
    );
}

/** Returns the name of a model, by default the name of its folder. Throws UsageError for an invalid name. */
export function nameModel(path: string, name = basename(resolve(path))): string {
  if (!/^[\w][\w.-]{0,99}$/.test(name))
    throw new UsageError(
      `"${name}" is not a valid model name: use letters, digits, points and hyphens, see --name`,
    );
  return name;
}

/** Throws OutputError if the folder cannot be written, and UsageError if it exists by now. */
export async function writeModel(
  trained: Trained,
  records: readonly GoldRecord[],
  folder: Folder,
): Promise<void> {
  const path = resolve(folder.path);
  const draft = besides(path, "draft");
  try {
    await rm(draft, { recursive: true, force: true });
    await makeFolder(draft);
    await fill(draft, { trained, records, folder });
    // Loads the model before it is put in place, so that a broken one is never found.
    if (trained.kind === "page") loadPageModel(draft);
    else loadTextModel(draft);
    await checkFree(path);
    await moveFile(draft, path);
  } catch (cause) {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    if (cause instanceof UsageError) throw cause;
    throw cannotWrite(`the model to ${folder.path}`, cause);
  }
}

interface Content {
  readonly trained: Trained;
  readonly records: readonly GoldRecord[];
  readonly folder: Folder;
}

async function fill(draft: string, content: Content): Promise<void> {
  const { base, network } = content.trained;
  const from = network ?? base.folder;
  const about = readManifest(from);
  for (const part of about.parts()) {
    const file = about.fileName(part);
    await copyFile(join(from, file), join(draft, file), constants.COPYFILE_FICLONE);
  }
  const json = JSON.parse(await readFile(join(from, "model.json"), "utf8")) as Json; // `readManifest` has read it
  await writeFile(join(draft, "model.json"), toJson(changeJson(json, content)));
  await writeFile(join(draft, "README.md"), writeReadme(content.trained, content.folder));
  const seen = await readFile(join(base.folder, "training.json"), "utf8").catch(() => undefined);
  // Without the list of the documents that trained the network, a list of the new ones would be incomplete.
  if (seen !== undefined) await writeFile(join(draft, "training.json"), addDocuments(seen, content.records));
}

type Json = Readonly<Record<string, unknown>>;

function toJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** Figures of the base model that do not hold for the new model. */
const OF_BASE = ["scores", "calibrationErrors"];

function changeJson(base: Json, { trained, folder }: Content): Json {
  const kept = Object.fromEntries(Object.entries(base).filter(([name]) => !OF_BASE.includes(name)));
  const { correction } = trained.change;
  const training = Array.isArray(base["training"]) ? (base["training"] as readonly unknown[]) : [];
  return {
    ...kept,
    name: folder.name,
    version: "1.0.0",
    created: folder.date,
    ...scoresJson(trained, base),
    ...(correction && { correction: { ...correction, ridge: trained.ridge } }),
    base: { name: trained.base.name, digest: trained.base.digest },
    gold: { ...trained.data, files: folder.files },
    heldOut: heldOutJson(trained),
    training: [...training, { corpus: folder.name, licence: "not stated", origin: "the user's gold" }],
  };
}

function scoresJson({ kind, change, base, network = base.folder }: Trained, json: Json): Json {
  const round = (one: { readonly slope: number; readonly offset: number }) => ({
    slope: roundDigits(one.slope),
    offset: roundDigits(one.offset),
  });
  if (kind === "page") {
    const { calibration } = changePageModel(loadPageModel(network), change);
    const bends = calibration.bends.map(({ at, by }) => ({ at, by: roundDigits(by) }));
    const before = (json["calibration"] ?? {}) as Json; // `loadPageModel` has read it
    return { calibration: { ...before, fitted: "on gold; see README.md", ...round(calibration), bends } };
  }
  const { calibrations, cuts } = changeTextModel(loadTextModel(network), change);
  const byCondition = <T>(values: readonly T[]): Readonly<Record<string, T | undefined>> =>
    Object.fromEntries(TEXT_CONDITIONS.map((name, at) => [name, values[at]]));
  return { calibrations: byCondition(calibrations.map(round)), thresholds: byCondition(cuts) };
}

function heldOutJson({ step, comparison }: Trained): Json {
  const of = (from: (typeof comparison)["before"]): Json =>
    Object.fromEntries(
      FIGURES.map((name) => [
        name,
        [from[name].value, from[name].low, from[name].high].map((one) => round3(one)),
      ]),
    );
  return {
    step,
    before: of(comparison.before),
    after: of(comparison.after),
    difference: of(comparison.difference),
  };
}

function round3(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/**
 * Adds documents by the sha256 of their lines, as in the lists of the shipped models, so that the benchmark knows what
 * a model has seen.
 */
function addDocuments(manifest: string, records: readonly GoldRecord[]): string {
  const { documents, ...others } = JSON.parse(manifest) as Json & { readonly documents: readonly string[] };
  const own = records.map(({ lines }) =>
    createHash("sha256")
      .update(lines.map(({ text }) => text).join("\n"))
      .digest("hex"),
  );
  return toJson({ ...others, documents: [...new Set([...documents, ...own])].sort() });
}
