/** Converts the options of a page into options for the labellers. */
import type { Asked } from "../label/labeller-choice.js";
import type { LabellerOptions } from "../label/labeller.js";
import type { PageOptions } from "../options/page-options.js";

/** Returns what the labellers of a run need to know; readers' comments may need the labeller `text` as well. */
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
