/**
 * Labels each line by itself with a linear classifier of hashed word n-grams (the labeller `fasttext`), the baseline of
 * Laippala et al. 2020. It does not see the page or the neighbouring lines. It is fast and small, but `text` is far
 * better.
 */
import { codeUnit } from "../../../code-unit.js";
import type { Document, LabelledLine, Line } from "../../../document.js";
import { HASH_START, hashFinish, hashJoin, hashStep, hashWord } from "../../features/hash.js";
import type { Labeller, LabellerOptions } from "../../labeller.js";
import { DEFAULT_FASTTEXT_MODEL } from "../../models/shipped-models.js";
import { labelEach, labelLine, sigmoid } from "../../label-line.js";
import { loadFasttextModel, type FasttextModel } from "./fasttext-model.js";

/** Loads a model (the shipped one unless `modelDir` names another). Throws UsageError when it does not fit. */
export function createFasttextLabeller(options: LabellerOptions): Labeller {
  const model = loadFasttextModel(options.modelDir ?? DEFAULT_FASTTEXT_MODEL);
  const cut = options.cut ?? model.cuts[options.focus];
  return {
    name: `${model.name}@${model.digest}`,
    label: (batch) => Promise.resolve(batch.map((document) => labelDocument(document, model, cut))),
    close: () => Promise.resolve(),
  };
}

function labelDocument(document: Document, model: FasttextModel, cut: number): Document<LabelledLine> {
  const label = (line: Line): LabelledLine => labelLine(line, probabilityOf(line.text, model), cut);
  return { ...document, lines: labelEach(document.lines, label) };
}

/** Returns the calibrated P(content) of a line. */
export function probabilityOf(text: string, model: FasttextModel): number {
  const { slope, offset } = model.calibration;
  return sigmoid(slope * scoreLine(text, model) + offset);
}

/* The logit of a line: the mean of the weights of its words and word n-grams (Joulin et al. 2016, with two labels). */

/** The hash of the word with which fastText ends each line. */
const END = hashWord("</s>");

/**
 * Returns the logit of a line. With two labels, the mean of the embeddings times the output layer is the mean of one
 * number for each n-gram, so no vectors are multiplied. Words are hashed in place, without creating strings.
 */
export function scoreLine(text: string, { weights, scale, ngrams }: FasttextModel): number {
  const mask = weights.length - 1;
  /** The hashes of the n-grams that end with the word before this one, the single word first. */
  const open = new Int32Array(ngrams);
  let words = 0;
  let count = 0;
  let sum = 0;
  const addWord = (hash: number): void => {
    // Longest first, because each n-gram extends the old hash of the one that is a word shorter.
    for (let size = Math.min(words + 1, ngrams); size >= 1; size -= 1) {
      const gram = size === 1 ? hash : hashJoin(open[size - 2] ?? 0, hash);
      open[size - 1] = gram;
      sum += weights[hashFinish(gram) & mask] ?? 0;
      count += 1;
    }
    words += 1;
  };
  let hash = HASH_START;
  let isInside = false;
  const { length } = text;
  for (let at = 0; at < length; at += 1) {
    const unit = codeUnit(text, at);
    if (!isSpace(unit)) {
      hash = hashStep(hash, unit);
      isInside = true;
    } else if (isInside) {
      addWord(hash);
      hash = HASH_START;
      isInside = false;
    }
  }
  if (isInside) addWord(hash);
  addWord(END);
  return (scale * sum) / count;
}

/** Checks for the characters that fastText takes as space: blank, tab, all kinds of line breaks, and U+0000. */
function isSpace(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13) || unit === 0;
}
