/** The extractors by name. */
import { createBodyExtractor } from "./body.js";
import type { Extractor, ExtractorOptions } from "./extractor.js";
import { createReadabilityExtractor } from "./readability.js";

export const extractors = {
  body: createBodyExtractor,
  readability: createReadabilityExtractor,
} satisfies Record<string, (options: ExtractorOptions) => Extractor>;

export type ExtractorName = keyof typeof extractors;
