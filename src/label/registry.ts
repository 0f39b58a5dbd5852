/**
 * Creates the labellers by name. To add a labeller, write its file, its name in `names.ts`, one entry here, one test
 * file, and one row in the benchmark. Its module is imported when it is created, so that listing names loads no model
 * runtime.
 */
import type { Labeller, LabellerOptions } from "./labeller.js";
import type { LabellerName } from "./names.js";
import {
  DEFAULT_BOILERNET_MODEL,
  DEFAULT_FASTTEXT_MODEL,
  DEFAULT_PAGE_MODEL,
  DEFAULT_TEXREX_MODEL,
  DEFAULT_TEXT_MODEL,
} from "./models/shipped-models.js";

interface LabellerEntry {
  /** Imports and loads what the labeller needs. */
  readonly create: (options: LabellerOptions) => Promise<Labeller>;
  /** Folder of the shipped model; absent when no model is shipped. A model's kind is the name of its labeller. */
  readonly modelDir?: string;
  /** Turns a model name that it knows into a folder, and may download it; returns any other text unchanged. */
  readonly locate?: (model: string) => Promise<string>;
}

/** One entry for each labeller name. */
export const labellers: Readonly<Record<LabellerName, LabellerEntry>> = {
  page: {
    create: async (options) => (await import("./page/page-folder.js")).createPageLabeller(options),
    modelDir: DEFAULT_PAGE_MODEL,
  },
  text: {
    create: async (options) => (await import("./text/text-folder.js")).createTextLabeller(options),
    modelDir: DEFAULT_TEXT_MODEL,
  },
  transformer: {
    create: async (options) =>
      (await import("./papers/transformer/transformer-labeller.js")).createTransformerLabeller(options),
    locate: async (model) => (await import("./papers/transformer/hub.js")).locateModel(model),
  },
  rules: { create: async (options) => (await import("./rules-labeller.js")).createRulesLabeller(options) },
  texrex: {
    create: async (options) =>
      (await import("./papers/texrex/texrex-labeller.js")).createTexrexLabeller(options),
    modelDir: DEFAULT_TEXREX_MODEL,
  },
  boilernet: {
    create: async (options) =>
      (await import("./papers/boilernet/boilernet-labeller.js")).createBoilernetLabeller(options),
    modelDir: DEFAULT_BOILERNET_MODEL,
  },
  fasttext: {
    create: async (options) =>
      (await import("./papers/fasttext/fasttext-labeller.js")).createFasttextLabeller(options),
    modelDir: DEFAULT_FASTTEXT_MODEL,
  },
  justext: {
    create: async (options) =>
      (await import("./papers/justext/justext-labeller.js")).createJustextLabeller(options),
  },
  none: { create: async () => (await import("./none-labeller.js")).createNoneLabeller() },
};
