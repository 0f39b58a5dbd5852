/** Opens the labellers of a run, with their models from folders. */
import { existsSync } from "node:fs";
import { UsageError } from "../outcome.js";
import {
  chooseLabellers,
  listAsked,
  needsEngine,
  type Asked,
  type LabellerChoice,
  type OfferedLabeller,
} from "./labeller-choice.js";
import type { Labeller, LabellerOptions } from "./labeller.js";
import { labellerNeeds, type LabellerName } from "./names.js";
import { chooseEngine, describeEngine } from "./network/engines.js";
import { readModelCard } from "./models/model-card.js";
import { readManifest } from "./models/model-folder.js";
import { DEFAULT_REGISTERS_MODEL } from "./models/shipped-models.js";
import { openRegisterJudge } from "./registers/register-folder.js";
import type { RegisterJudge } from "./registers/register-judge.js";
import { labellers } from "./registry.js";

export interface ChoiceOptions extends LabellerOptions, Asked {}

/**
 * Opens the labellers that `options` asks for. A model that the user names is loaded at once, for the labeller of its
 * kind; the shipped models are loaded when they are needed. Throws UsageError when the named model cannot be used.
 */
export async function openChoice(options: ChoiceOptions): Promise<LabellerChoice> {
  const { labeller, modelDir: named, ...shared } = options;
  const modelDir = await findFolder(named);
  const owner = modelDir === undefined ? undefined : findOwner(modelDir, listAsked(options));
  const offer = (name: LabellerName): OfferedLabeller => {
    const folder = name === owner ? modelDir : labellers[name].modelDir;
    const create = (): Promise<Labeller> =>
      labellers[name].create(folder === undefined ? shared : { ...shared, modelDir: folder });
    if (folder === undefined) return { create };
    if (folder !== modelDir) checkShipped(name, folder);
    const card = readModelCard(readManifest(folder));
    return { model: `${card.name}@${card.digest}`, create };
  };
  const describe = async (): Promise<string> => describeEngine(await chooseEngine(options.engine));
  const choice = chooseLabellers(options, offer, describe);
  // If the user names the native engine and it is missing, fail before the first document.
  if (needsEngine(options) && options.engine === "native") await chooseEngine("native");
  if (owner !== undefined) await choice.open(owner);
  // A labeller without a shipped model fails at once when the user names no model.
  else if (labeller !== undefined && labellerNeeds[labeller].model === true) await choice.open(labeller);
  return options.registers === true ? addRegisters(choice, options) : choice;
}

/** Throws UsageError when the model folder is missing: the package leaves out some models that a clone has. */
export function checkShipped(labeller: LabellerName, folder: string): void {
  if (existsSync(folder)) return;
  throw new UsageError(
    `the package does not include the model of the labeller ${labeller}, but a clone of the repository does: give its folder with --model DIR (modelDir)`,
  );
}

/** Adds the register judge, which has its own model and network, to the labellers. */
function addRegisters(choice: LabellerChoice, { engine }: LabellerOptions): LabellerChoice {
  const card = readModelCard(readManifest(DEFAULT_REGISTERS_MODEL));
  let judge: Promise<RegisterJudge> | undefined;
  const open = async (): Promise<RegisterJudge> =>
    openRegisterJudge(DEFAULT_REGISTERS_MODEL, await chooseEngine(engine));
  return {
    ...choice,
    names: [...choice.names, `registers=${card.name}@${card.digest}`],
    engine: async () => describeEngine(await chooseEngine(engine)),
    registers: () => {
      judge ??= open();
      judge.catch(() => undefined); // the caller of `registers` gets the error
      return judge;
    },
    async close() {
      await judge?.then((opened) => opened.close()).catch(() => undefined);
      await choice.close();
    },
  };
}

/** Returns the folder of a model, given its path or a name that a labeller can locate. */
async function findFolder(model: string | undefined): Promise<string | undefined> {
  let folder = model;
  for (const { locate } of Object.values(labellers))
    if (folder !== undefined && locate !== undefined) folder = await locate(folder);
  return folder;
}

/** Returns the labeller that the model's kind names. Throws UsageError if the run does not use it. */
function findOwner(modelDir: string, asked: ReadonlySet<LabellerName>): LabellerName {
  const { kind } = readModelCard(readManifest(modelDir));
  const owner = [...asked].find((name) => name === kind);
  if (owner === undefined)
    throw new UsageError(
      `the model in ${modelDir} cannot be used: its kind is "${kind}", but the labeller is ${[...asked].join(" or ")}`,
    );
  return owner;
}
