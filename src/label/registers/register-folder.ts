/** Opens a register judge with a model from a folder. */
import type { Engine } from "../network/engine.js";
import { chooseEngine } from "../network/engines.js";
import { readManifest } from "../models/model-folder.js";
import { openNetwork } from "../network/session.js";
import { createShelf } from "../network/shelf.js";
import { DEFAULT_REGISTERS_MODEL } from "../models/shipped-models.js";
import { createRegisterJudge, type RegisterJudge } from "./register-judge.js";
import { readRegisterModel } from "./register-model.js";

/** Callers with the same model share one judge, as labellers share their models. */
const opened = createShelf<RegisterJudge>((judge) => judge.close());

/** Opens a register judge; closing it releases the shared one. Throws UsageError when the model cannot be used. */
export async function openRegisterJudge(
  folder: string = DEFAULT_REGISTERS_MODEL,
  engine?: Engine,
): Promise<RegisterJudge> {
  const about = readManifest(folder);
  const by = engine ?? (await chooseEngine());
  const { thing, giveBack } = await opened.borrow(`${by.name} ${folder} ${about.whole()}`, async () => {
    const model = readRegisterModel(about);
    return createRegisterJudge(model, await openNetwork(model.network, folder, by));
  });
  return { ...thing, close: giveBack };
}
