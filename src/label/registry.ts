/** The labellers by name. To add one: its file, its name, one line here, one test file, one row in the benchmark. */
import type { Labeller, LabellerName, LabellerOptions } from "./labeller.js";
import {
  DEFAULT_BOILERNET_MODEL,
  DEFAULT_FASTTEXT_MODEL,
  DEFAULT_PAGE_MODEL,
  DEFAULT_TEXREX_MODEL,
  DEFAULT_TEXT_MODEL,
} from "./network/model.js";

export interface LabellerEntry {
  /** Loads what it needs when it is called, and not before. */
  readonly create: (options: LabellerOptions) => Promise<Labeller>;
  /** Folder of the shipped model; absent where there is nothing to load. A model's kind is the name of its labeller. */
  readonly modelDir?: string;
  /** Set where none is shipped and it cannot do without. */
  readonly needsModel?: true;
}

const text: LabellerEntry = {
  create: async (options) => (await import("./text/text-labeller.js")).createTextLabeller(options),
  modelDir: DEFAULT_TEXT_MODEL,
};

export const labellers: Readonly<Record<LabellerName, LabellerEntry>> = {
  page: {
    create: async (options) => (await import("./page/page-labeller.js")).createPageLabeller(options),
    modelDir: DEFAULT_PAGE_MODEL,
  },
  text,
  transformer: {
    create: async (options) =>
      (await import("./papers/transformer/transformer-labeller.js")).createTransformerLabeller(options),
    needsModel: true,
  },
  rules: { create: async (options) => (await import("./rules.js")).createRulesLabeller(options) },
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
  none: { create: async () => (await import("./none.js")).createNoneLabeller() },
};
