/** Reads the training data of the models of a run, with its licences, from each `model.json`. */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { toFields } from "../json.js";
import { listAsked, type Asked } from "./labeller-choice.js";
import { DEFAULT_REGISTERS_MODEL } from "./models/shipped-models.js";
import { labellers } from "./registry.js";

interface TrainingData {
  readonly corpus: string;
  readonly licence: string;
  readonly origin: string;
}

export interface ModelPapers {
  readonly name: string;
  /** The labeller that uses it, or "registers". */
  readonly use: string;
  /** Undefined when the model does not state it, or is not installed. */
  readonly training: readonly TrainingData[] | undefined;
}

/** Reads the papers of all models that a run may use; `modelDir` replaces the shipped model of its labeller. */
export function readModelPapers(asked: Asked & { readonly modelDir?: string }): ModelPapers[] {
  const papers = [...listAsked(asked)].flatMap((use) => {
    const isOwn = asked.modelDir !== undefined && (asked.labeller ?? "page") === use;
    const folder = isOwn ? asked.modelDir : labellers[use].modelDir;
    return folder === undefined ? [] : [readPapers(folder, use)];
  });
  return asked.registers === true ? [...papers, readPapers(DEFAULT_REGISTERS_MODEL, "registers")] : papers;
}

function readPapers(folder: string, use: string): ModelPapers {
  let fields: Readonly<Record<string, unknown>>;
  try {
    fields = toFields(JSON.parse(readFileSync(join(folder, "model.json"), "utf8")));
  } catch {
    // The corpus was cleaned on another machine, and only that one has the model.
    return { name: basename(folder), use, training: undefined };
  }
  const found = fields["training"] ?? fields["corpora"];
  const training = Array.isArray(found) ? found.map(toData) : undefined;
  return { name: typeof fields["name"] === "string" ? fields["name"] : basename(folder), use, training };
}

function toData(stated: unknown): TrainingData {
  const fields = toFields(stated);
  const text = (name: string): string => {
    const value = fields[name];
    return typeof value === "string" ? value : "not stated";
  };
  return { corpus: text("corpus"), licence: text("licence"), origin: text("origin") };
}
