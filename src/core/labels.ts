/** Says which labellers a page may ask, and how they are to label it. */
import type { Asked } from "../label/labeller-choice.js";
import type { LabellerOptions } from "../label/labeller.js";
import type { PageOptions } from "../options/page-options.js";

/** What the options of cleaning mean for the labellers. */
export function toAsked({
  extractor,
  comments,
  labeller,
  focus,
  cut,
  condition,
  registers,
}: PageOptions): LabellerOptions & Asked {
  return {
    focus,
    condition,
    ...(cut === undefined ? {} : { cut }),
    ...(labeller === undefined ? {} : { labeller }),
    pages: extractor === "readability" ? "extracted" : "raw",
    ...(registers === true && { registers }),
    mayAskText: comments === "keep" || comments === "only",
  };
}
