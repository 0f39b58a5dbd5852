/** Reads and checks the folder of a BoilerNet model: its tags, the encoder of its lines, its network and its cuts. */
import { resolve } from "node:path";
import { BAGS } from "../../features/bags.js";
import type { Focus } from "../../labeller.js";
import type { Manifest } from "../../models/manifest.js";
import { checkFile, readManifest } from "../../models/model-folder.js";
import { calibrationAt, checkKind, digestOf, cutsAt, type Calibration } from "../../models/model-card.js";
import { readBagTable, type Table } from "../../models/table.js";
import { poolingAt } from "../transformer/transformer-folder.js";
import { OWN_COLUMNS, type TransformerPlan } from "./encoders.js";

/** The encoder that makes the vector of a line: counts of words, a table of n-grams, or a transformer's folder. */
export type EncoderPlan =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "bags"; readonly table: Table; readonly bags: number }
  | ({ readonly kind: "transformer" } & TransformerPlan);

export interface BoilernetModel {
  readonly name: string;
  readonly digest: string;
  /** Maps a tag to its index among the counts; all other tags are counted together after them. */
  readonly tags: ReadonlyMap<string, number>;
  readonly encoder: EncoderPlan;
  readonly network: Uint8Array;
  readonly window: { readonly lines: number; readonly context: number };
  readonly calibration: Calibration;
  readonly cuts: Readonly<Record<Focus, number>>;
}

/** Loads a model. Throws UsageError when the folder holds another kind of model, or anything in it does not fit. */
export async function loadBoilernetModel(folder: string): Promise<BoilernetModel> {
  const about = readManifest(folder);
  checkKind(about, "boilernet");
  return {
    name: about.text("name"),
    digest: digestOf(about),
    tags: new Map(about.texts("settings.tags").map((tag, at) => [tag, at])),
    encoder: await planEncoder(about, folder),
    network: about.file("network"),
    window: { lines: about.count("window.lines"), context: about.count("window.context") },
    calibration: calibrationAt(about, "calibration"),
    cuts: cutsAt(about, "thresholds"),
  };
}

async function planEncoder(about: Manifest, folder: string): Promise<EncoderPlan> {
  const kind = about.text("settings.encoder.kind");
  if (kind === "words") return { kind, words: about.texts("settings.encoder.words") };
  if (kind === "transformer") return { kind, ...(await planTransformer(about, folder)) };
  if (kind !== "bags")
    return about.refuse(`its line encoder is "${kind}", which this version does not support`);
  about.sameList("settings.encoder.columns", OWN_COLUMNS);
  const bags = about.texts("settings.encoder.bags").length;
  about.sameList("settings.encoder.bags", BAGS.slice(0, bags));
  return { kind, bags, table: readBagTable(about) };
}

/** Checks the encoder's files, which are where the transformers library looks for them. */
async function planTransformer(about: Manifest, folder: string): Promise<TransformerPlan> {
  for (const part of about.parts()) await checkFile(about, folder, part);
  for (const part of ["encoder", "tokenizer", "config"]) about.fileName(part);
  return {
    folder: resolve(folder),
    isQuantized: about.fileName("encoder").endsWith("_quantized.onnx"),
    refuse: (problem) => about.refuse(problem),
    pooling: poolingAt(about, "settings.encoder.pooling"),
    maxTokens: about.count("settings.encoder.maxTokens"),
  };
}
