/** The text of a line into the vector that the networks of `text` and `page` make theirs from: its own columns and pooled n-grams. */
import { BAGS, bagOf, createBags, fillBags } from "../features/bags.js";
import { AT, COLUMN_COUNT, COLUMNS } from "../features/columns.js";
import { fillLine } from "../features/line.js";
import { scanLine } from "../features/scan.js";
import { createScan } from "../features/tokens.js";
import { rowMeansOf, type Table } from "../row-means.js";
import type { LineEncoder } from "./encoder.js";

/** The columns that a line alone decides; those after them are of its place in the document. */
export const OWN_COLUMNS = COLUMNS.slice(0, AT.position);

/** `bags`: how many of BAGS, from the first on, the table knows. Nothing in it is trained further. */
export function createBagEncoder(table: Table, bags: number): LineEncoder {
  const columns = OWN_COLUMNS.length;
  const width = columns + bags * table.width;
  const means = rowMeansOf(table);
  const scan = createScan();
  const found = createBags();
  const row = new Float32Array(COLUMN_COUNT);
  return {
    width,
    encode(texts) {
      const values = new Float32Array(texts.length * width);
      for (const [line, text] of texts.entries()) {
        const base = line * width;
        scanLine(scan, text);
        row.fill(0);
        fillLine(scan, text, row, 0);
        values.set(row.subarray(0, columns), base);
        fillBags(scan, found, bags);
        for (let bag = 0; bag < bags; bag++)
          means.write(values, base + columns + bag * table.width, bagOf(found, bag), found.counts[bag] ?? 0);
      }
      return Promise.resolve(values);
    },
    close: () => Promise.resolve(),
  };
}

/** The names of so many bags. */
export function bagNames(count: number): readonly string[] {
  return BAGS.slice(0, count);
}
