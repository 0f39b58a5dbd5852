/**
 * Creates the labellers by name. To add one: its file, its name in `names.ts`, one entry here, one test file, and one row
 * in the benchmark. Each is loaded when it is created, so that a list of names costs no model's runtime.
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
  /** Loads what it needs when it is called, and not before. */
  readonly create: (options: LabellerOptions) => Promise<Labeller>;
  /** Folder of the shipped model; absent where there is nothing to load. A model's kind is the name of its labeller. */
  readonly modelDir?: string;
  /** Turns a name that it knows into the folder of a model, which it may fetch; any other text is given back as it is. */
  readonly locate?: (model: string) => Promise<string>;
}

/** One for each name. */
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
