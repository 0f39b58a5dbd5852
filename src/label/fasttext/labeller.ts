/**
 * The `fasttext` labeller: each line by itself through a linear classifier of hashed n-grams of words, the baseline of
 * Laippala et al. 2020. It sees neither the page nor the lines around; it is fast and small, and `text` is far better.
 */
import type { Document, LabelledLine } from "../../document.js";
import type { Labeller, LabellerOptions } from "../labeller.js";
import { DEFAULT_FASTTEXT_MODEL } from "../model.js";
import { isBlank, labelBlank, labelLine, sigmoid } from "../verdict.js";
import { loadFasttextModel, type FasttextModel } from "./model.js";
import { scoreLine } from "./score.js";

/** Loads a model (the shipped one unless `modelDir` names another). Throws UsageError when it does not fit. */
export function createFasttextLabeller(options: LabellerOptions): Labeller {
  const model = loadFasttextModel(options.modelDir ?? DEFAULT_FASTTEXT_MODEL);
  const threshold = options.threshold ?? model.thresholds[options.focus];
  return {
    name: `${model.name}@${model.digest}`,
    label: (batch) => Promise.resolve(batch.map((document) => labelDocument(document, model, threshold))),
    close: () => Promise.resolve(),
  };
}

function labelDocument(document: Document, model: FasttextModel, threshold: number): Document<LabelledLine> {
  const lines = document.lines.map((line) =>
    isBlank(line.text) ? labelBlank(line) : labelLine(line, probabilityOf(line.text, model), threshold),
  );
  return { ...document, lines };
}

/** P(content) of a line, calibrated. */
export function probabilityOf(text: string, model: FasttextModel): number {
  const { slope, offset } = model.calibration;
  return sigmoid(slope * scoreLine(text, model) + offset);
}
