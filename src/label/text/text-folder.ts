/** Opens the labeller `text` with a model from a folder. */
import type { Labeller, LabellerOptions } from "../labeller.js";
import { chooseEngine } from "../network/engines.js";
import { readManifest } from "../models/model-folder.js";
import { openModel } from "../network/session.js";
import { createShelf } from "../network/shelf.js";
import { DEFAULT_TEXT_MODEL } from "../models/shipped-models.js";
import { labelTexts, type OpenTextModel } from "./text-labeller.js";
import { readTextModel, type TextModel } from "./text-model.js";

/** Reads a model. Throws UsageError when it does not fit. */
export function loadTextModel(folder: string = DEFAULT_TEXT_MODEL): TextModel {
  return readTextModel(readManifest(folder));
}

/** Shared by labellers with different options: a model's tables take megabytes and tens of milliseconds to read. */
const opened = createShelf<OpenTextModel>(({ session }) => session.close());

/** Loads a model (the shipped one unless `modelDir` names another). Throws UsageError when it does not fit. */
export async function createTextLabeller(options: LabellerOptions): Promise<Labeller> {
  const folder = options.modelDir ?? DEFAULT_TEXT_MODEL;
  const about = readManifest(folder);
  const engine = await chooseEngine(options.engine);
  const { thing, giveBack } = await opened.borrow(`${engine.name} ${folder} ${about.whole()}`, async () => {
    const model = readTextModel(about);
    return { model, session: await openModel(model.network, folder, engine) };
  });
  return labelTexts(options, thing, giveBack);
}
