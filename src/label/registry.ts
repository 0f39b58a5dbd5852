/**
 * Lists the labellers by name, with what each needs. To add one: its file, one entry here, one test file, and one row in
 * the benchmark. Each is loaded when it is created, so that a list of names costs no model's runtime.
 */
import type { Labeller, LabellerOptions } from "./labeller.js";
import {
  DEFAULT_BOILERNET_MODEL,
  DEFAULT_FASTTEXT_MODEL,
  DEFAULT_PAGE_MODEL,
  DEFAULT_TEXREX_MODEL,
  DEFAULT_TEXT_MODEL,
} from "./network/shipped-models.js";

interface LabellerEntry {
  /** Loads what it needs when it is called, and not before. */
  readonly create: (options: LabellerOptions) => Promise<Labeller>;
  /** Folder of the shipped model; absent where there is nothing to load. A model's kind is the name of its labeller. */
  readonly modelDir?: string;
  readonly needs?: LabellerNeeds;
  /** Turns a name that it knows into the folder of a model, which it may fetch; any other text is given back as it is. */
  readonly locate?: (model: string) => Promise<string>;
}

interface LabellerNeeds {
  /** It reads what markup there is around lines (`MarkedDocument`). */
  readonly markup?: true;
  /** It reads the tags around lines, and so cannot label plain text. */
  readonly page?: true;
  /** None is shipped, and it cannot do without. */
  readonly model?: true;
  /** An engine runs the network of its model. */
  readonly engine?: true;
}

const ALL = {
  page: {
    create: async (options) => (await import("./page/page-labeller.js")).createPageLabeller(options),
    modelDir: DEFAULT_PAGE_MODEL,
    needs: { engine: true },
  },
  text: {
    create: async (options) => (await import("./text/text-labeller.js")).createTextLabeller(options),
    modelDir: DEFAULT_TEXT_MODEL,
    needs: { engine: true },
  },
  transformer: {
    create: async (options) =>
      (await import("./papers/transformer/transformer-labeller.js")).createTransformerLabeller(options),
    needs: { model: true, engine: true },
    locate: async (model) => (await import("./papers/transformer/hub.js")).locateModel(model),
  },
  rules: { create: async (options) => (await import("./rules-labeller.js")).createRulesLabeller(options) },
  texrex: {
    create: async (options) =>
      (await import("./papers/texrex/texrex-labeller.js")).createTexrexLabeller(options),
    modelDir: DEFAULT_TEXREX_MODEL,
    needs: { markup: true },
  },
  boilernet: {
    create: async (options) =>
      (await import("./papers/boilernet/boilernet-labeller.js")).createBoilernetLabeller(options),
    modelDir: DEFAULT_BOILERNET_MODEL,
    needs: { page: true, engine: true },
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
} satisfies Readonly<Record<string, LabellerEntry>>;

export type LabellerName = keyof typeof ALL;
export const labellers: Readonly<Record<LabellerName, LabellerEntry>> = ALL;
// Object.keys of a literal: its keys are the names.
export const LABELLER_NAMES = Object.keys(ALL) as readonly LabellerName[];
