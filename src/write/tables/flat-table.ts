/** Writes rows of plain values as a flat table: JSON Lines, CSV or Parquet, chosen by the file name. */
import { openFile, writeWhole } from "../files/sink.js";
import { createParquetTable } from "./parquet.js";
import type { TableCell, TableOptions, TableRow, TableWriter } from "./parquet-schema.js";
import type { Sink } from "../writer.js";

/** The file name extensions of tables. */
export const TABLE_NAME = /\.(?:jsonl|csv|parquet)$/i;

/** Writes a table to a file, which appears complete or not at all. Throws OutputError when it cannot be written. */
export async function writeTable(
  path: string,
  rows: AsyncIterable<TableRow>,
  options: TableOptions,
): Promise<void> {
  await writeWhole(await openFile(path), async (sink) => {
    const table = createTable(path, sink, options);
    for await (const row of rows) await table.write(row);
    await table.close();
  });
}

function createTable(path: string, sink: Sink, options: TableOptions): TableWriter {
  if (/\.parquet$/i.test(path)) return createParquetTable(sink, options);
  return /\.csv$/i.test(path) ? createCsv(sink, options) : createJsonLines(sink, options);
}

/** Writes JSON Lines; cells without a value are left out. */
function createJsonLines(sink: Sink, { columns }: TableOptions): TableWriter {
  return {
    write: (row) =>
      sink.write(`${JSON.stringify(Object.fromEntries(columns.map(({ name }) => [name, row[name]])))}\n`),
    close: () => Promise.resolve(),
  };
}

/** Writes CSV (RFC 4180). The header row is written even without data rows. */
function createCsv(sink: Sink, { columns }: TableOptions): TableWriter {
  let isBegun = false;
  const begin = async (): Promise<void> => {
    if (!isBegun) await sink.write(toCsvLine(columns.map(({ name }) => name)));
    isBegun = true;
  };
  return {
    async write(row) {
      await begin();
      await sink.write(toCsvLine(columns.map(({ name }) => row[name])));
    },
    close: begin,
  };
}

/** Formats a row of CSV with its line break; a cell is quoted only if it has to be. */
export function toCsvLine(cells: readonly TableCell[]): string {
  const quoted = cells.map((cell) => {
    const text = String(cell ?? "");
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${quoted.join(",")}\r\n`;
}
