/** Reads what models of the kinds `text` and `page` share: a table of n-grams, a network on top, and a window size. */
import { correctionAt, type Correction } from "../network/correction.js";
import { digestOf } from "./model-card.js";
import type { Manifest } from "./manifest.js";
import { readBagTable, type Table } from "./table.js";

export interface LineModel extends Table {
  readonly name: string;
  /** Identifies all that shapes a label: the model's files, and what model.json says about scores and cuts. */
  readonly digest: string;
  readonly network: Uint8Array;
  readonly window: { readonly lines: number; readonly context: number };
  /** Only in models that were trained on top of another model. */
  readonly correction?: Correction;
}

/**
 * Reads the network and the table. `inputs` are the columns and bags that this version computes. Throws UsageError if
 * the model has others, or if its files do not fit.
 */
export function readLineModel(
  about: Manifest,
  inputs: { readonly columns: readonly string[]; readonly bags: readonly string[] },
): LineModel {
  about.sameList("columns", inputs.columns);
  about.sameList("bags", inputs.bags);
  const correction = correctionAt(about, inputs.columns.length);
  return {
    ...(correction && { correction }),
    name: about.text("name"),
    digest: digestOf(about),
    network: about.file("network"),
    ...readBagTable(about),
    window: { lines: about.count("window.lines"), context: about.count("window.context") },
  };
}
