/** The extractors by name. Each loads what it needs when it is made, so that none waits for the parsers of another. */
import type { Extractor, ExtractorName, ExtractorOptions } from "./extractor.js";

type ExtractorFactory = (options: ExtractorOptions) => Promise<Extractor>;

export const extractors = {
  page: async () => (await import("./body.js")).createPageExtractor(),
  readability: async (options) => (await import("./readability.js")).createReadabilityExtractor(options),
  body: async () => (await import("./body.js")).createBodyExtractor(),
} satisfies Record<ExtractorName, ExtractorFactory>;
