/** Opens the labeller `page` with a model from a folder. */
import type { Labeller, LabellerOptions } from "../labeller.js";
import { chooseEngine } from "../network/engines.js";
import { readManifest } from "../models/model-folder.js";
import { openModel } from "../network/session.js";
import { createShelf } from "../network/shelf.js";
import { DEFAULT_PAGE_MODEL } from "../models/shipped-models.js";
import { labelPages, type OpenPageModel } from "./page-labeller.js";
import { readPageModel, type PageModel } from "./page-model.js";

/** Reads a model. Throws UsageError when it does not fit. */
export function loadPageModel(folder: string = DEFAULT_PAGE_MODEL): PageModel {
  return readPageModel(readManifest(folder));
}

/** Shared by labellers with different options: a model's tables take megabytes and tens of milliseconds to read. */
const opened = createShelf<OpenPageModel>(({ session }) => session.close());

/** Loads a model (the shipped one unless `modelDir` names another). Throws UsageError when it does not fit. */
export async function createPageLabeller(options: LabellerOptions): Promise<Labeller> {
  const folder = options.modelDir ?? DEFAULT_PAGE_MODEL;
  const about = readManifest(folder);
  const engine = await chooseEngine(options.engine);
  const { thing, giveBack } = await opened.borrow(`${engine.name} ${folder} ${about.whole()}`, async () => {
    const model = readPageModel(about);
    return { model, session: await openModel(model.network, folder, engine) };
  });
  return labelPages(options, thing, giveBack);
}
