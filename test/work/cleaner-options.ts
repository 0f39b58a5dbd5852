import type { CleanerOptions } from "../../src/work/cleaner-options.js";

/** Cleans pages quickly and with all their lines, unless a test sets other options. */
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
