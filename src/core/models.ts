/** Opens models whose files are in memory, each once and only when it is first needed. */
import { sha256 } from "../bytes/digest.js";
import { chooseLabellers, type LabellerChoice, type OfferedLabeller } from "../label/labeller-choice.js";
import type { LabellerName } from "../label/names.js";
import { Manifest, MissingFile } from "../label/models/manifest.js";
import { readModelCard } from "../label/models/model-card.js";
import type { Engine } from "../label/network/engine.js";
import { createPortableEngine } from "../label/network/portable/portable-engine.js";
import { openModel, type Session } from "../label/network/session.js";
import { labelPages } from "../label/page/page-labeller.js";
import { readPageModel } from "../label/page/page-model.js";
import { labelTexts } from "../label/text/text-labeller.js";
import { readTextModel } from "../label/text/text-model.js";
import { checkValues, takeOptions, type Rule } from "../options/option-rules.js";
import { UsageError } from "../outcome.js";
import type { PageOptions } from "../options/page-options.js";
import { ownValue } from "../own-value.js";
import { toAsked } from "./labeller-options.js";
import { isObject } from "../json.js";

/** The files of a model as bytes, by file name: `model.json`, and the files that it names. */
export type ModelBytes = Readonly<Record<string, Uint8Array>>;

/** The labellers that the core offers: they need no files, or only a model of `openModels`. */
export const CORE_LABELLERS = ["page", "text", "rules", "none"] as const satisfies readonly LabellerName[];
type CoreLabeller = (typeof CORE_LABELLERS)[number];

/** Models that `openModels` has opened. Programs can pass them to `createCore` any number of times. */
export interface Models {
  /** Chooses the labellers for these options, with their models. */
  choose(options: PageOptions): LabellerChoice;
  /** Closes the networks; the labellers cannot be used afterwards. */
  close(): Promise<void>;
}

/** Models by the labeller that uses them. A missing one causes an error only when it is needed. */
export type ModelsByKind = Readonly<Partial<Record<"page" | "text", ModelBytes>>>;

/**
 * Opens models: reads their manifests now, and checks the other files when they are first needed. Throws UsageError.
 */
export function openModels(models: ModelsByKind, engine: Engine = createPortableEngine()): Models {
  const given = takeModels(models);
  const page = given.page && openOnce("page", given.page, readPageModel, engine);
  const text = given.text && openOnce("text", given.text, readTextModel, engine);
  const leave = (): Promise<void> => Promise.resolve(); // models stay open for other options
  const offers: Readonly<Record<CoreLabeller, (options: PageOptions) => OfferedLabeller>> = {
    page: (options) => ({
      ...(page && { model: page.name }),
      create: async () => labelPages(toAsked(options), await needed("page", page).open(), leave),
    }),
    text: (options) => ({
      ...(text && { model: text.name }),
      create: async () => labelTexts(toAsked(options), await needed("text", text).open(), leave),
    }),
    rules: (options) => ({
      create: async () => (await import("../label/rules-labeller.js")).createRulesLabeller(options),
    }),
    none: () => ({ create: async () => (await import("../label/none-labeller.js")).createNoneLabeller() }),
  };
  const describe = (): Promise<string> => Promise.resolve(`${engine.name} (${engine.by})`);
  return {
    choose: (options) =>
      chooseLabellers(
        toAsked(options),
        (name) => {
          if (isCore(name)) return offers[name](options);
          throw new UsageError(
            `the labeller ${name} reads files, which thresher/core cannot do; it has ${CORE_LABELLERS.join(", ")}`,
          );
        },
        describe,
      ),
    async close() {
      await Promise.all([page?.close(), text?.close()]);
    },
  };
}

const FILES: Rule = {
  isRight: isObject,
  wanted: "an object with the bytes of a model's files by their names",
};
const MODEL_RULES = { page: FILES, text: FILES };

/** Checks the models, because programs written in JavaScript may pass any value. */
function takeModels(models: ModelsByKind | undefined): ModelsByKind {
  if (models === undefined)
    throw new UsageError("openModels takes an object with the models, by the names page and text");
  const taken = takeOptions("openModels", models, MODEL_RULES);
  checkValues(taken, MODEL_RULES);
  return taken;
}

function isCore(name: LabellerName): name is CoreLabeller {
  return (CORE_LABELLERS as readonly LabellerName[]).includes(name);
}

function needed<T>(kind: string, model: T | undefined): T {
  if (model === undefined)
    throw new UsageError(`the labeller ${kind} needs its model: pass its files to openModels as "${kind}"`);
  return model;
}

interface OpenOnce<Model> {
  /** Model name and digest, as NAME@DIGEST. */
  readonly name: string;
  open(): Promise<{ readonly model: Model; readonly session: Session }>;
  close(): Promise<void>;
}

function openOnce<Model extends { readonly network: Uint8Array }>(
  kind: string,
  files: ModelBytes,
  read: (about: Manifest) => Model,
  engine: Engine,
): OpenOnce<Model> {
  const place = `memory ("${kind}")`;
  const about = readFiles(place, files);
  const { name, digest } = readModelCard(about);
  let opened: ReturnType<OpenOnce<Model>["open"]> | undefined;
  const open = async (): ReturnType<OpenOnce<Model>["open"]> => {
    const model = read(about);
    return { model, session: await openModel(model.network, place, engine) };
  };
  return {
    name: `${name}@${digest}`,
    open: () => (opened ??= open()),
    async close() {
      // A model that did not open has nothing to close, and the caller of `open` gets the error.
      await opened?.then(
        ({ session }) => session.close(),
        () => undefined,
      );
    },
  };
}

function readFiles(name: string, files: ModelBytes): Manifest {
  return new Manifest({
    name,
    read(file) {
      const bytes = ownValue(files, file);
      if (!(bytes instanceof Uint8Array)) throw new MissingFile(`there is no ${file} in it`);
      return bytes;
    },
    digest: sha256,
  });
}
