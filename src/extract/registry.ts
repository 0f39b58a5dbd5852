/** The extractors by name. */
import { createBodyExtractor } from "./body.js";
import type { Extractor, ExtractorName, ExtractorOptions } from "./extractor.js";
import { createReadabilityExtractor } from "./readability.js";

export const extractors = {
  body: createBodyExtractor,
  readability: createReadabilityExtractor,
} satisfies Record<ExtractorName, (options: ExtractorOptions) => Extractor>;
