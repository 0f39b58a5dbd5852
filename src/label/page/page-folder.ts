/** Opens the labeller `page` with a model from a folder. */
import type { Labeller, LabellerOptions } from "../labeller.js";
import { chooseEngine } from "../network/engines.js";
import { readManifest } from "../network/model-folder.js";
import { openModel } from "../network/session.js";
import { DEFAULT_PAGE_MODEL } from "../network/shipped-models.js";
import { labelPages } from "./page-labeller.js";
import { readPageModel, type PageModel } from "./page-model.js";

/** Throws UsageError when it does not fit. */
export function loadPageModel(folder: string = DEFAULT_PAGE_MODEL): PageModel {
  return readPageModel(readManifest(folder));
}

/** Loads a model (the shipped one unless `modelDir` names another). Throws UsageError when it does not fit. */
export async function createPageLabeller(options: LabellerOptions): Promise<Labeller> {
  const folder = options.modelDir ?? DEFAULT_PAGE_MODEL;
  const model = loadPageModel(folder);
  const session = await openModel(model.network, folder, await chooseEngine(options.engine));
  return labelPages(options, { model, session }, () => session.close());
}
