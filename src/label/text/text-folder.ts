/** Opens the labeller `text` with a model from a folder. */
import type { Labeller, LabellerOptions } from "../labeller.js";
import { chooseEngine } from "../network/engines.js";
import { readManifest } from "../network/model-folder.js";
import { openModel } from "../network/session.js";
import { DEFAULT_TEXT_MODEL } from "../network/shipped-models.js";
import { labelTexts } from "./text-labeller.js";
import { readTextModel, type TextModel } from "./text-model.js";

/** Throws UsageError when it does not fit. */
export function loadTextModel(folder: string = DEFAULT_TEXT_MODEL): TextModel {
  return readTextModel(readManifest(folder));
}

/** Loads a model (the shipped one unless `modelDir` names another). Throws UsageError when it does not fit. */
export async function createTextLabeller(options: LabellerOptions): Promise<Labeller> {
  const folder = options.modelDir ?? DEFAULT_TEXT_MODEL;
  const model = loadTextModel(folder);
  const session = await openModel(model.network, folder, await chooseEngine(options.engine));
  return labelTexts(options, { model, session }, () => session.close());
}
