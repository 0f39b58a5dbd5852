/** A row group into its rows, a batch at a time, with the stretches that damage has taken. */
import { openColumn } from "./parquet-column.js";
import { ask, ParquetError } from "./parquet-error.js";
import { PARSERS, type Footer, type RowGroup } from "./parquet-format.js";
import { assembleNested, type DecodedArray as Values } from "./parquet-library.js";
import type { RandomAccess } from "./random-access.js";

export type Batch =
  | { readonly rows: readonly Readonly<Record<string, unknown>>[] }
  | { readonly lost: number; readonly why: string };

/** Rows that are put together at once. */
const BATCH_ROWS = 256;

/** In order; the batches have as many rows as the group says, kept or lost. */
export async function* readRows(group: RowGroup, footer: Footer, file: RandomAccess): AsyncGenerator<Batch> {
  let done = 0;
  try {
    const columns = group.leaves().map((leaf) => openColumn(leaf, file));
    while (done < group.rows) {
      let count = Math.min(BATCH_ROWS, group.rows - done);
      let why: string | undefined;
      for (const column of columns) {
        const stretch = await column.next();
        if (stretch.rows === 0) throw new ParquetError(`column ${column.path} ends too early`);
        count = Math.min(count, stretch.rows);
        why ??= stretch.lost;
      }
      const values = new Map(columns.map((column): [string, Values] => [column.path, column.take(count)]));
      const batch = why === undefined ? { rows: assembleRows(footer, values, count) } : { lost: count, why };
      done += count;
      yield batch;
    }
  } catch (error) {
    if (!(error instanceof ParquetError)) throw error;
    yield { lost: group.rows - done, why: error.message };
  }
}

/** Rows with the columns that the schema names, from the values of as many rows in each leaf. Throws ParquetError. */
function assembleRows(
  { schema }: Footer,
  values: Map<string, Values>,
  count: number,
): Readonly<Record<string, unknown>>[] {
  const columns = schema.children.map((child) => {
    const path = child.path.join(".");
    ask(`column ${path}`, () => {
      assembleNested(values, child, PARSERS);
    });
    return [child.element.name, values.get(path) ?? []] as const;
  });
  return Array.from({ length: count }, (_, i) =>
    Object.fromEntries(columns.map(([name, column]) => [name, column[i]])),
  );
}
