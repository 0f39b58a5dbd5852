/** Labels every line that is not blank as content (the labeller `none`), to output an extractor's lines as they are. */
import type { Labeller } from "./labeller.js";
import { labelEach, labelLine } from "./label-line.js";

export function createNoneLabeller(): Labeller {
  return {
    name: "none",
    label(batch) {
      return Promise.resolve(
        batch.map((document) => ({
          ...document,
          lines: labelEach(document.lines, (line) => labelLine(line, 1, 0)),
        })),
      );
    },
    close: () => Promise.resolve(),
  };
}
