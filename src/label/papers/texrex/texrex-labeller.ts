/**
 * Labels the blocks of a page by the 37 features and the perceptron of Schäfer 2016 (the labeller `texrex`).
 *
 * It does not use words or the labels of neighbours. Lines of plain text, and of pages whose markup was not counted, go
 * through a second network of the same shape that was trained without markup.
 */
import type { Document, LabelledLine } from "../../../document.js";
import { isMarked } from "../../../document/markup-counts.js";
import type { Labeller, LabellerOptions } from "../../labeller.js";
import { DEFAULT_TEXREX_MODEL } from "../../models/shipped-models.js";
import { isSolid, labelEach, labelLine, sigmoid } from "../../label-line.js";
import { describeLines, hideMarkup } from "./texrex-features.js";
import { loadTexrexModel, runNetwork, type TexrexModel } from "./texrex-model.js";

/** Loads a model (the shipped one unless `modelDir` names another). Throws UsageError when it does not fit. */
export function createTexrexLabeller(options: LabellerOptions): Labeller {
  const model = loadTexrexModel(options.modelDir ?? DEFAULT_TEXREX_MODEL);
  return {
    name: `${model.name}@${model.digest}`,
    label: (batch) => Promise.resolve(batch.map((document) => labelDocument(document, model, options))),
    close: () => Promise.resolve(),
  };
}

/** Returns P(content) of the lines that are not blank, and which network scored them. */
export function scoreBlocks(
  document: Document,
  model: TexrexModel,
): { readonly scores: Float64Array; readonly by: "page" | "text" } {
  const by = isMarked(document) ? "page" : "text";
  const rows = isMarked(document)
    ? describeLines(document.lines.filter(isSolid), document.markup)
    : describeLines(document.lines.filter(isSolid));
  if (by === "text") hideMarkup(rows);
  const { weights, calibration } = model[by];
  const { slope, offset } = calibration;
  const scores = Float64Array.from(runNetwork(weights, rows), (output) => sigmoid(slope * output + offset));
  return { scores, by };
}

function labelDocument(
  document: Document,
  model: TexrexModel,
  { focus, cut: given }: LabellerOptions,
): Document<LabelledLine> {
  const { scores, by } = scoreBlocks(document, model);
  const cut = given ?? model[by].cuts[focus];
  const lines = labelEach(document.lines, (line, at) => labelLine(line, scores[at] ?? 0, cut));
  return { ...withoutMarkup(document), lines };
}

/** Removes the counts of markup, which later steps do not use. */
function withoutMarkup(document: Document): Document {
  const { id, url, source, meta, notes, lines, carried } = document;
  return { id, url, source, meta, notes, lines, ...(carried && { carried }) };
}
