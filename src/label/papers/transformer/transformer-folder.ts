/** Reads a model in the layout of the Hugging Face hub, and checks its files against its `model.json`. */
import { join, resolve } from "node:path";
import { readFileSync } from "node:fs";
import { isObject, tryJson, type Fields } from "../../../json.js";
import type { Focus } from "../../labeller.js";
import type { Manifest } from "../../models/manifest.js";
import { checkFile, readManifest } from "../../models/model-folder.js";
import { calibrationAt, checkKind, digestOf, cutsAt, type Calibration } from "../../models/model-card.js";

/** How a line's tokens become its embedding: the first token, or the mean of all. */
const POOLINGS = ["cls", "mean"] as const;
export type Pooling = (typeof POOLINGS)[number];

/** Reads the pooling at a path of `model.json`. Throws UsageError if this version has no such pooling. */
export function poolingAt(about: Manifest, path: string): Pooling {
  const wanted = about.text(path);
  const pooling = POOLINGS.find((name) => name === wanted);
  return pooling ?? about.refuse(`"${path}" is "${wanted}", not ${POOLINGS.join(" or ")}`);
}

interface SequenceHead {
  readonly network: Uint8Array;
  readonly pooling: Pooling;
  /** The most lines read together; undefined for whole documents. */
  readonly segment: number | undefined;
}

export interface TransformerModel {
  readonly name: string;
  readonly digest: string;
  /** An absolute path. */
  readonly folder: string;
  readonly isQuantized: boolean;
  /** A line is truncated to this many tokens, including the special tokens around it. */
  readonly maxTokens: number;
  /** The network that reads the embeddings; when absent, the encoder itself classifies each line (bag of lines). */
  readonly head?: SequenceHead;
  readonly calibration: Calibration;
  readonly cuts: Readonly<Record<Focus, number>>;
  /** The special tokens in the encoder's configuration; undefined for those that it does not state. */
  readonly special: Readonly<Record<"pad" | "bos" | "eos", number | undefined>>;
  readonly refuse: (problem: string) => never;
}

/** The paths where the library looks for an encoder, and whether the file there is quantized. */
const ENCODERS: ReadonlyMap<string, boolean> = new Map([
  ["onnx/model.onnx", false],
  ["onnx/model_quantized.onnx", true],
]);
/** The library finds these by their names. */
const NAMES = { tokenizer: "tokenizer.json", config: "config.json" } as const;
/** The assumed number of positions when the configuration states none; no line encoder has more. */
const MOST_TOKENS = 8192;

/** Loads a model. Throws UsageError when a file is missing or differs from model.json, or a setting cannot work. */
export async function loadTransformerModel(path: string): Promise<TransformerModel> {
  const folder = resolve(path);
  const about = readManifest(folder);
  checkKind(about, "transformer");
  const isQuantized = ENCODERS.get(about.text("encoder.file"));
  if (isQuantized === undefined)
    return about.refuse(`its encoder is not ${[...ENCODERS.keys()].join(" or ")}`);
  for (const [part, name] of Object.entries(NAMES))
    if (about.text(`${part}.file`) !== name) about.refuse(`its ${part} is not ${name}`);
  for (const part of about.parts()) await checkFile(about, folder, part);
  const maxTokens = about.count("settings.maxTokens");
  const config = readConfig(folder, about);
  const positions = numberIn(config, "max_position_embeddings") ?? MOST_TOKENS;
  if (maxTokens > positions)
    about.refuse(`"settings.maxTokens" is ${maxTokens}, but its encoder has ${positions} positions`);
  const special = (name: string): number | undefined => numberIn(config, `${name}_token_id`);
  return {
    name: about.text("name"),
    digest: digestOf(about),
    folder,
    isQuantized,
    maxTokens,
    ...(about.has("head") && { head: readHead(about) }),
    calibration: calibrationAt(about, "calibration"),
    cuts: cutsAt(about, "thresholds"),
    special: { pad: special("pad"), bos: special("bos"), eos: special("eos") },
    refuse: (problem) => about.refuse(problem),
  };
}

function readHead(about: Manifest): SequenceHead {
  const isWhole = about.has("settings.wholeDocuments");
  return {
    network: about.file("head"),
    pooling: poolingAt(about, "settings.pooling"),
    segment: isWhole ? undefined : about.count("settings.segment"),
  };
}

/** Reads config.json, whose digest `loadTransformerModel` has already checked. */
function readConfig(folder: string, about: Manifest): Fields {
  const config = tryJson(readFileSync(join(folder, NAMES.config), "utf8"));
  return isObject(config) ? config : about.refuse(`its ${NAMES.config} is not a JSON object`);
}

function numberIn(config: Fields, name: string): number | undefined {
  const value = config[name];
  return typeof value === "number" ? value : undefined;
}
