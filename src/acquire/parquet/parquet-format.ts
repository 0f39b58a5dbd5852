/** Reads the footer of a Parquet file, with its columns and row groups, and the headers of its pages. */
import { isUtf8 } from "node:buffer";
import { open, stat } from "node:fs/promises";
import {
  DEFAULT_PARSERS,
  getMaxDefinitionLevel,
  getMaxRepetitionLevel,
  getTreePath,
  isFlatColumn,
  parquetHeader,
  parquetMetadata,
  parquetSchema,
  type convert,
  type ColumnChunk,
  type FileMetaData,
  type PageHeader,
  type SchemaTree,
} from "./parquet-library.js";
import { messageOf } from "../../thrown.js";

/** What the library needs to know about a column. */
type Decoder = Parameters<typeof convert>[1];

/** Where the values of one column in one row group are, and how they are encoded. */
export interface Leaf {
  readonly path: string;
  /** Whether it has one value per row; otherwise it is part of a list, a map or a group. */
  readonly isFlat: boolean;
  /** How many steps of its path may be missing, and how many may be repeated. */
  readonly maxDefinition: number;
  readonly maxRepetition: number;
  /** The range of its pages in the file, [start, end). */
  readonly start: number;
  readonly end: number;
  readonly values: number;
  readonly decoder: Decoder;
}

export interface RowGroup {
  readonly rows: number;
  /** Throws ParquetError if the group cannot be read at all. */
  leaves(): readonly Leaf[];
}

export interface Footer {
  readonly names: readonly string[];
  readonly schema: SchemaTree;
  readonly groups: readonly RowGroup[];
}

/** The most bytes of a footer; real ones have a few kilobytes for each row group. */
const MAX_FOOTER_BYTES = 1 << 28;
/** Bytes of the magic numbers at both ends and of the footer's length. */
const FRAME_BYTES = 12;

/** Reads the footer from the end of the file. Throws ParquetError. */
export async function readFooter(file: RandomAccess): Promise<Footer> {
  const tail = Buffer.from(await file.read(Math.max(0, file.size - 8), file.size));
  const magic = tail.subarray(-4).toString("latin1");
  if (magic === "PARE") throw new ParquetError("it is encrypted");
  if (file.size < FRAME_BYTES || magic !== "PAR1")
    throw new ParquetError("it does not end like a Parquet file, and may be cut short");
  const length = tail.readUInt32LE(0);
  if (length > file.size - FRAME_BYTES || length > MAX_FOOTER_BYTES)
    throw new ParquetError(`its footer cannot have ${length} bytes`);
  const bytes = await file.read(file.size - 8 - length, file.size);
  return ask("the footer", () => toFooter(parquetMetadata(bytes, { geoparquet: false }), file.size));
}

function toFooter(metadata: FileMetaData, size: number): Footer {
  const schema = parquetSchema(metadata);
  const groups = metadata.row_groups.map(({ num_rows, columns }) => {
    const rows = Number(num_rows);
    if (!Number.isSafeInteger(rows) || rows < 0) throw new ParquetError(`a row group has ${rows} rows`);
    return { rows, leaves: () => columns.map((column) => toLeaf(column, schema, size)) };
  });
  return { schema, groups, names: schema.children.map(({ element }) => element.name) };
}

function toLeaf({ meta_data, file_path }: ColumnChunk, schema: SchemaTree, size: number): Leaf {
  if (file_path !== undefined) throw new ParquetError("its columns are in another file");
  if (meta_data === undefined) throw new ParquetError("a column has no metadata, or is encrypted");
  const { path_in_schema, data_page_offset, dictionary_page_offset, total_compressed_size } = meta_data;
  const path = path_in_schema.join(".");
  const schemaPath = ask(`column ${path}`, () => getTreePath(schema, path_in_schema));
  const element = schemaPath.at(-1)?.element;
  if (element?.type === undefined) throw new ParquetError(`column ${path} has no type`);
  const first = Number(data_page_offset);
  // Some writers put 0 if there is no dictionary.
  const dictionary = Number(dictionary_page_offset ?? 0);
  const start = dictionary > 0 ? Math.min(dictionary, first) : first;
  const end = start + Number(total_compressed_size);
  if (!(start >= 4 && end >= start && end <= size))
    throw new ParquetError(`column ${path} lies outside the file`);
  return {
    path,
    isFlat: isFlatColumn(schemaPath),
    maxDefinition: getMaxDefinitionLevel(schemaPath),
    maxRepetition: getMaxRepetitionLevel(schemaPath),
    start,
    end,
    values: Number(meta_data.num_values),
    decoder: {
      pathInSchema: path_in_schema,
      schemaPath,
      element,
      type: meta_data.type,
      codec: meta_data.codec,
      parsers: PARSERS,
      utf8: false,
    },
  };
}

/** Keeps text that is not UTF-8 as bytes, and also values that would need another library, so that nothing is lost. */
export const PARSERS: Decoder["parsers"] = {
  ...DEFAULT_PARSERS,
  timestampFromMicroseconds: (micros: bigint) => toInstant(micros, 3),
  timestampFromNanoseconds: (nanos: bigint) => toInstant(nanos, 6),
  stringFromBytes: toText,
  jsonFromBytes: toText,
  geometryFromBytes: (bytes: Uint8Array) => bytes,
  geographyFromBytes: (bytes: Uint8Array) => bytes,
};

/**
 * Returns the instant that is `count` / 10^`places` milliseconds after 1970. Returns an ISO 8601 string if a `Date`
 * would lose decimal places, or `count` as a string if a `Date` cannot hold the instant.
 */
function toInstant(count: bigint, places: number): Date | string {
  const perMilli = 10n ** BigInt(places);
  const rest = ((count % perMilli) + perMilli) % perMilli;
  const date = new Date(Number((count - rest) / perMilli));
  if (rest === 0n) return date;
  if (Number.isNaN(date.getTime())) return String(count);
  return date.toISOString().replace("Z", `${String(rest).padStart(places, "0")}Z`);
}

function toText(bytes: Uint8Array | undefined): unknown {
  if (bytes === undefined || !isUtf8(bytes)) return bytes;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

/** The most unpacked bytes and values of a page. A page that states more would exhaust the memory. */
export const MAX_PAGE_BYTES = 1 << 29;
const MAX_PAGE_VALUES = 1 << 24;

/**
 * Parses the page header at the start of the bytes, and returns its length in bytes. Throws ParquetError, also if the
 * bytes are too few.
 */
export function parseHeader(bytes: Uint8Array): {
  readonly page: PageHeader;
  readonly length: number;
} {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  const page = ask("the header of a page", () => parquetHeader(reader));
  const sizes = [page.compressed_page_size, page.uncompressed_page_size];
  const isSound = sizes.every((size) => Number.isInteger(size) && size >= 0 && size <= MAX_PAGE_BYTES);
  if (!isSound) throw new ParquetError(`a page cannot have ${sizes.join(" and ")} bytes`);
  const values = countValues(page);
  if (!(values >= 0 && values <= MAX_PAGE_VALUES))
    throw new ParquetError(`a page cannot have ${values} values`);
  return { page, length: reader.offset };
}

/** Returns the number of values in a page, nulls included; 0 for a page without values. */
export function countValues(page: PageHeader): number {
  const { data_page_header, data_page_header_v2, dictionary_page_header } = page;
  return (data_page_header ?? data_page_header_v2 ?? dictionary_page_header)?.num_values ?? 0;
}

/** The file is damaged, or uses an unsupported feature; `message` says which. */
export class ParquetError extends Error {
  override readonly name = "ParquetError";
}

/**
 * Calls the library, and turns anything that it throws into a ParquetError, because damaged data can cause any error.
 * So `question` must only read data.
 */
export function ask<T>(what: string, question: () => T): T {
  try {
    return question();
  } catch (error) {
    if (error instanceof ParquetError) throw error;
    throw new ParquetError(`${what} cannot be read (${messageOf(error).slice(0, 120)})`, { cause: error });
  }
}

/** A file on disk with random access to its bytes. */
export interface RandomAccess {
  readonly size: number;
  /** Reads the bytes [from, to), fewer at the end of the file. */
  read(from: number, to: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Opens a file; undefined for anything but a regular file, such as a named pipe. Throws the system's error. */
export async function openRandomAccess(path: string): Promise<RandomAccess | undefined> {
  const stats = await stat(path);
  // Opening a named pipe would wait for its writer.
  if (!stats.isFile()) return undefined;
  const file = await open(path);
  return {
    size: stats.size,
    async read(from, to) {
      const buffer = new Uint8Array(Math.max(0, Math.min(to, stats.size) - from));
      let filled = 0;
      while (filled < buffer.length) {
        const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, from + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return buffer.subarray(0, filled);
    },
    close: () => file.close(),
  };
}
