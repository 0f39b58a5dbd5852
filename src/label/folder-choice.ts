/** Opens the labellers of a run with models from folders. */
import { UsageError } from "../outcome.js";
import { chooseLabellers, listAsked, type Asked, type LabellerChoice } from "./labeller-choice.js";
import type { LabellerOptions } from "./labeller.js";
import { labellerNeeds, type LabellerName } from "./names.js";
import { readModelCard } from "./network/model-card.js";
import { readManifest } from "./network/model-folder.js";
import { labellers } from "./registry.js";

export interface ChoiceOptions extends LabellerOptions, Asked {}

/**
 * Throws UsageError when a model is named that cannot be used: that one is loaded at once, and goes to the labeller of
 * its kind. The shipped models wait until they are needed.
 */
export async function openChoice(options: ChoiceOptions): Promise<LabellerChoice> {
  const { labeller } = options;
  const modelDir = await findFolder(options.modelDir);
  const owner = modelDir === undefined ? undefined : findOwner(modelDir, listAsked(options));
  const choice = chooseLabellers(options, (name) => {
    const folder = name === owner ? modelDir : labellers[name].modelDir;
    const create = (): ReturnType<(typeof labellers)[LabellerName]["create"]> =>
      labellers[name].create(withFolder(options, folder));
    if (folder === undefined) return { create };
    const card = readModelCard(readManifest(folder));
    return { model: `${card.name}@${card.digest}`, create };
  });
  if (owner !== undefined) await choice.open(owner);
  // One that comes without a model says at once that it needs one.
  else if (labeller !== undefined && labellerNeeds[labeller].model === true) await choice.open(labeller);
  return choice;
}

function withFolder(options: LabellerOptions, modelDir: string | undefined): LabellerOptions {
  const { focus, cut, condition, pages } = options;
  return {
    focus,
    ...(condition === undefined ? {} : { condition }),
    ...(pages === undefined ? {} : { pages }),
    ...(cut === undefined ? {} : { cut }),
    ...(modelDir === undefined ? {} : { modelDir }),
  };
}

/** The folder of a model that is given by its path, or by a name that some labeller knows. */
async function findFolder(model: string | undefined): Promise<string | undefined> {
  let folder = model;
  for (const { locate } of Object.values(labellers))
    if (folder !== undefined && locate !== undefined) folder = await locate(folder);
  return folder;
}

/** A model is for the labeller that its kind names. */
function findOwner(modelDir: string, asked: ReadonlySet<LabellerName>): LabellerName {
  const { kind } = readModelCard(readManifest(modelDir));
  const owner = [...asked].find((name) => name === kind);
  if (owner === undefined)
    throw new UsageError(
      `the model in ${modelDir} cannot be used: its kind is "${kind}", and here labels ${[...asked].join(" or ")}`,
    );
  return owner;
}
