import type { CleanerOptions } from "../../src/work/cleaner-options.js";

/** How pages are cleaned where nothing else is asked: quickly, and with all their lines. */
export const OPTIONS: CleanerOptions = {
  extractor: "page",
  labeller: "rules",
  focus: "balanced",
  condition: "auto",
  comments: "auto",
  rescore: false,
  keepBoilerplate: true,
  structure: "none",
  metadata: "read",
  keep: [],
  remove: [],
  wants: "lines",
  timeoutMs: 10_000,
};
