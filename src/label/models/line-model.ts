/** Reads what models of the kinds `text` and `page` share: a table of n-grams, a network on top, and a window size. */
import { STRIPE, TABLE_ROWS } from "../features/bags.js";
import { correctionAt, type Correction } from "../network/correction.js";
import { digestOf } from "./model-card.js";
import type { Manifest } from "./manifest.js";

export interface LineModel {
  readonly name: string;
  /** Identifies all that shapes a label: the model's files, and what model.json says about scores and cuts. */
  readonly digest: string;
  readonly network: Uint8Array;
  /** TABLE_ROWS × width; a weight is a value times `scale`. */
  readonly table: Int8Array;
  readonly width: number;
  readonly scale: number;
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
  if (about.number("table.rows") !== TABLE_ROWS)
    about.refuse(
      `its table has ${about.number("table.rows")} rows, but this version of thresher needs ${TABLE_ROWS}`,
    );
  const network = about.file("network");
  const table = about.file("table");
  const width = about.count("table.width");
  if (width % STRIPE !== 0) about.refuse(`its table is ${width} wide, which is not a multiple of ${STRIPE}`);
  if (table.byteLength !== TABLE_ROWS * width)
    about.refuse(`its table does not hold ${TABLE_ROWS} × ${width} values`);
  const correction = correctionAt(about, inputs.columns.length);
  return {
    ...(correction && { correction }),
    name: about.text("name"),
    digest: digestOf(about),
    network,
    table: new Int8Array(table.buffer, table.byteOffset, table.byteLength),
    width,
    scale: about.number("table.scale"),
    window: { lines: about.count("window.lines"), context: about.count("window.context") },
  };
}
