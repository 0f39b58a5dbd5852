/** Cleans pages inside a worker, one after another, so that no page blocks the window. */
import {
  createCore,
  createPortableEngine,
  openModels,
  UsageError,
  type Core,
  type Models,
} from "thresher/core";
import type { Answer, PackedModels, Question } from "./messages.js";
import { unpackModel } from "./model-pack.js";

/** The part of a worker's global object that this module uses. */
export interface WorkerScope {
  postMessage(answer: Answer): void;
  onmessage: ((event: { readonly data: Question }) => void) | null;
}

/** Answers the messages of the page that created this worker. */
export function startWorker(scope: WorkerScope): void {
  let given: PackedModels | undefined;
  let models: Promise<Models> | undefined;
  let last: { readonly key: string; readonly core: Promise<Core> } | undefined;
  const engine = createPortableEngine();
  const load = async (packed: PackedModels): Promise<Models> => {
    try {
      return openModels(await openAll(packed), engine);
    } catch (error) {
      models = undefined; // the network may be back for the next page
      throw error;
    }
  };
  const answer = async (question: Exclude<Question, { readonly models: PackedModels }>): Promise<Answer> => {
    const { id, input, options } = question;
    try {
      if (given === undefined) throw new Error("a page came before the models");
      const key = JSON.stringify(options);
      if (last?.key !== key) last = { key, core: createCore(await (models ??= load(given)), options) };
      return { id, outcome: await (await last.core).clean(input), engine: engine.by };
    } catch (error) {
      last = undefined;
      const message = error instanceof Error ? error.message : String(error);
      return { id, error: { message, isUsage: error instanceof UsageError } };
    }
  };
  let queue: Promise<void> = Promise.resolve();
  scope.onmessage = ({ data }) => {
    if ("models" in data) {
      given = data.models;
      models = load(given);
      models.catch(() => undefined); // reported with the first page
      return;
    }
    queue = queue.then(async () => {
      scope.postMessage(await answer(data));
    });
  };
}

async function openAll(models: PackedModels): Promise<Parameters<typeof openModels>[0]> {
  const kinds = (["page", "text"] as const).filter((kind) => models[kind] !== undefined);
  const opened = kinds.map(async (kind) => [kind, await openModel(models[kind] ?? "")] as const);
  return Object.fromEntries(await Promise.all(opened));
}

/** Fetches and unpacks a model. Throws an Error that names its address. */
export async function openModel(model: string | Uint8Array): ReturnType<typeof unpackModel> {
  if (typeof DecompressionStream === "undefined")
    throw new Error(
      "this browser cannot unpack models: it lacks DecompressionStream, which browsers have had since 2023",
    );
  if (typeof model !== "string") return unpackModel(model);
  const answer = await fetch(model).catch((cause: unknown) => {
    throw new Error(`the model ${model} could not be fetched`, { cause });
  });
  if (!answer.ok) throw new Error(`the model ${model} could not be fetched: status ${answer.status}`);
  try {
    return await unpackModel(new Uint8Array(await answer.arrayBuffer()));
  } catch (cause) {
    throw new Error(`the model ${model} cannot be read: ${cause instanceof Error ? cause.message : ""}`, {
      cause,
    });
  }
}
