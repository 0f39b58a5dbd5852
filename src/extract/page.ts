/** A quickly parsed page into every visible line of it: what the labeller `page` judges. */
import { extractBody } from "./body.js";
import type { Extractor } from "./extractor.js";

/** The lines of `body`; the two differ in the tree that they get, and so in where they may run. */
export function createPageExtractor(): Extractor {
  return { name: "page", extract: (page) => extractBody(page, []) };
}
