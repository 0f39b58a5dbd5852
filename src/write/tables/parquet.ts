/** Writes labelled documents and flat tables as Parquet, in row groups of bounded size. */
import type { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { toRecord, type StoredRecord } from "../document-record.js";
import {
  COLUMN_NAMES,
  describeColumns,
  describeTable,
  type SchemaElement,
  type TableCell,
  type TableColumn,
  type TableOptions,
  type TableRow,
  type TableWriter,
} from "./parquet-schema.js";
import { packRecords, type RecordWriter } from "../pack-records.js";
import type { FileOptions, Format, Sink, Writer, WriterOptions } from "../writer.js";

export const PARQUET = {
  title: "Parquet",
  extension: ".parquet",
  hasRecords: true,
  gzip: "none",
  create: createParquetWriter,
  // Rows stay in memory until they fill a group, and the index until the end, so an unfinished file cannot be
  // continued.
  pack: (job, options) => packRecords(job, (sink) => createRecordWriter(sink, options)),
} satisfies Format;

/**
 * A row group ends at this many characters of text or rows. It is the unit that readers skip or read, and all that is
 * kept in memory here.
 */
const GROUP_CHARS = 1 << 24;
const GROUP_ROWS = 10_000;

interface Encoder {
  readonly bytes: ByteWriter;
  readonly file: ParquetWriter;
}

function createParquetWriter(sink: Sink, options: WriterOptions): Writer {
  const records = createRecordWriter(sink, options);
  return {
    name: "parquet",
    write: (doc) => records.write(toRecord(doc, options)),
    close: () => records.close(),
  };
}

function createRecordWriter(sink: Pick<Sink, "write">, options: FileOptions): RecordWriter {
  return createGroupWriter<StoredRecord>(sink, {
    schema: describeColumns(),
    kvMetadata: [{ key: "thresher.fingerprint", value: options.fingerprint }],
    version: options.version,
    toColumns,
    measureRow,
  });
}

/** Creates a writer of a flat table. All values of a column must have its type or be undefined. */
export function createParquetTable(sink: Sink, { name, columns, version }: TableOptions): TableWriter {
  return createGroupWriter<TableRow>(sink, {
    schema: describeTable(name, columns),
    version,
    toColumns: (rows) =>
      columns.map((column) => ({
        name: column.name,
        data: rows.map((row) => toStored(row[column.name], column)),
      })),
  });
}

interface ColumnData {
  readonly name: string;
  readonly data: unknown[];
  readonly encoding?: "PLAIN";
}

interface GroupOptions<Row> extends EncoderOptions {
  readonly toColumns: (rows: readonly Row[]) => ColumnData[];
  /** The characters of a row, for rows so large that a group must end before it has `GROUP_ROWS` rows. */
  readonly measureRow?: (row: Row) => number;
}

/** Collects rows and writes them one group at a time. */
function createGroupWriter<Row>(
  sink: Pick<Sink, "write">,
  { toColumns: columnsOf, measureRow: charsOf = () => 0, ...encoder }: GroupOptions<Row>,
): { write(row: Row): Promise<void>; close(): Promise<void> } {
  let rows: Row[] = [];
  let chars = 0;
  let opened: Promise<Encoder> | undefined;
  const flush = async (): Promise<Encoder> => {
    const group = rows;
    rows = [];
    chars = 0;
    const { bytes, file } = await (opened ??= openEncoder(encoder));
    if (group.length > 0) await file.write({ columnData: columnsOf(group), rowGroupSize: group.length });
    await drain(bytes, sink);
    return { bytes, file };
  };
  return {
    async write(row) {
      rows.push(row);
      chars += charsOf(row);
      if (chars >= GROUP_CHARS || rows.length >= GROUP_ROWS) await flush();
    },
    async close() {
      const { bytes, file } = await flush();
      await file.finish();
      await drain(bytes, sink);
    },
  };
}

interface EncoderOptions {
  readonly schema: SchemaElement[];
  readonly kvMetadata?: { readonly key: string; readonly value: string }[];
  readonly version: string;
}

/** Loads the library only when it is needed. */
async function openEncoder({ version, ...rest }: EncoderOptions): Promise<Encoder> {
  const library = await import("hyparquet-writer");
  const bytes = new library.ByteWriter();
  const file = new library.ParquetWriter({
    writer: bytes,
    ...rest,
    createdBy: `Thresher version ${version}`,
  });
  return { bytes, file };
}

/** The library requires 64-bit integers as `bigint`. */
function toStored(cell: TableCell, { type }: TableColumn): string | bigint | boolean | undefined {
  return type === "int" && typeof cell === "number"
    ? BigInt(Math.round(cell))
    : (cell as Exclude<TableCell, number>); // a column of another type holds no numbers
}

/** Writes the bytes encoded so far and empties the buffer; the encoder keeps counting its offsets. */
async function drain(bytes: ByteWriter, sink: Pick<Sink, "write">): Promise<void> {
  await sink.write(bytes.getBytes().slice());
  bytes.index = 0;
}

function toColumns(rows: readonly StoredRecord[]): ColumnData[] {
  return COLUMN_NAMES.map((name) => ({
    name,
    // The column names are the field names of the record.
    data: rows.map((row) => row[name as keyof StoredRecord]),
    // Texts and ids hardly ever repeat, so a dictionary would only cost time and memory.
    ...(name === "text" || name === "id" ? { encoding: "PLAIN" as const } : {}),
  }));
}

/** The approximate size of a row in memory, in UTF-16 code units. */
function measureRow({ text, carried = "", lines = [], holders = [] }: StoredRecord): number {
  return lines.reduce(
    (sum, line) => sum + line.text.length + line.path.length + 100,
    text.length + carried.length + 50 * holders.length,
  );
}
