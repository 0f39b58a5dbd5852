/** Reads a model's tables of small whole numbers: a row for each bucket of n-grams, or for each word piece. */
import { STRIPE, TABLE_ROWS } from "../features/bags.js";
import type { Manifest } from "./manifest.js";

export interface Table {
  /** Rows × width; a weight is a value times `scale`. */
  readonly table: Int8Array;
  readonly width: number;
  readonly scale: number;
}

/** Reads the table of n-grams. Throws UsageError if its size is not right. */
export function readBagTable(about: Manifest): Table {
  const rows = about.number("table.rows");
  if (rows !== TABLE_ROWS)
    about.refuse(`its table has ${rows} rows, but this version of thresher needs ${TABLE_ROWS}`);
  return readTable(about, "table", { rows: TABLE_ROWS, called: "table" });
}

/** Reads the table of word pieces, which has `rows` rows. Throws UsageError if its size is not right. */
export function readPieceTable(about: Manifest, rows: number): Table {
  return readTable(about, "pieceTable", { rows, called: "table of pieces" });
}

function readTable(
  about: Manifest,
  part: string,
  { rows, called }: { readonly rows: number; readonly called: string },
): Table {
  const { buffer, byteOffset, byteLength } = about.file(part);
  const width = about.count(`${part}.width`);
  if (width % STRIPE !== 0)
    about.refuse(`its ${called} is ${width} wide, which is not a multiple of ${STRIPE}`);
  if (byteLength !== rows * width) about.refuse(`its ${called} does not hold ${rows} × ${width} values`);
  const table = new Int8Array(buffer, byteOffset, byteLength);
  return { table, width, scale: about.number(`${part}.scale`) };
}
