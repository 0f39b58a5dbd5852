/** Reads the rows of a row group in batches, and reports stretches of rows that were lost to damage. */
import {
  ask,
  countValues,
  ParquetError,
  parseHeader,
  PARSERS,
  type Footer,
  type Leaf,
  type RandomAccess,
  type RowGroup,
} from "./parquet-format.js";
import { assembleNested, type DecodedArray as Values, type PageHeader } from "./parquet-library.js";
import { decodeDictionary, decodeValues } from "./parquet-page.js";

type Batch =
  | { readonly rows: readonly Readonly<Record<string, unknown>>[] }
  | { readonly lost: number; readonly why: string };

/** The most rows that are assembled at once. */
const BATCH_ROWS = 256;

/** Reads all rows in order. All batches together have as many rows as the group states, kept or lost. */
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

/** Builds rows with the columns of the schema, from `count` values of each leaf. Throws ParquetError. */
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

/** How many rows come next, and why they are lost if their page is damaged. */
interface Stretch {
  readonly rows: number;
  readonly lost?: string;
}

/** Reads a column of a row group page by page, so that memory holds only one page of it. */
interface Column {
  readonly path: string;
  /** Reads until there are rows; 0 rows mean the end. Throws ParquetError if all remaining rows are lost. */
  next(): Promise<Stretch>;
  /** Takes the values of the next rows, at most as many as `next` returned. */
  take(rows: number): Values;
}

/**
 * Bytes that are read first to parse a header: most headers have 30, but one may quote the smallest and the largest
 * text of its page.
 */
const HEADER_BYTES = 1 << 10;
const MAX_HEADER_BYTES = 1 << 26;

function openColumn(leaf: Leaf, file: RandomAccess): Column {
  let at = leaf.start;
  let seen = 0;
  let dictionary: Values | undefined;
  let values: Values = [];
  let taken = 0;
  let lost: { rows: number; readonly why: string } | undefined;

  const readPage = async (): Promise<void> => {
    const { page, bytes, end } = await readBytes(leaf, file, at);
    at = end;
    if (page.type === "DICTIONARY_PAGE") dictionary = decodeDictionary(leaf, page, bytes);
    const count = page.type === "DATA_PAGE" || page.type === "DATA_PAGE_V2" ? countValues(page) : 0;
    if (count === 0) return;
    seen += count;
    if (seen > leaf.values) throw new ParquetError(`column ${leaf.path} has more values than it states`);
    const before = values.slice(taken);
    taken = 0;
    values = [];
    try {
      values = decodeValues(leaf, page, bytes, { dictionary, before });
    } catch (error) {
      // Only for a flat column is the number of rows in an unreadable page known.
      if (!leaf.isFlat || !(error instanceof ParquetError)) throw error;
      lost = { rows: count, why: error.message };
    }
  };

  return {
    path: leaf.path,
    async next() {
      for (;;) {
        if (lost !== undefined) return { rows: lost.rows, lost: lost.why };
        const isOver = at >= leaf.end;
        const ready = values.length - taken;
        // The next page may continue the last row of a list.
        const rows = leaf.isFlat || isOver ? ready : ready - 1;
        if (rows > 0 || isOver) return { rows: Math.max(0, rows) };
        await readPage();
      }
    },
    take(rows) {
      if (lost !== undefined) {
        lost.rows -= rows;
        if (lost.rows === 0) lost = undefined;
        return [];
      }
      taken += rows;
      return values.slice(taken - rows, taken);
    },
  };
}

/** Reads the page at an offset, without unpacking it. */
async function readBytes(
  leaf: Leaf,
  file: RandomAccess,
  at: number,
): Promise<{ readonly page: PageHeader; readonly bytes: Uint8Array; readonly end: number }> {
  const { page, length } = await readHeader(leaf, file, at);
  const end = at + length + page.compressed_page_size;
  if (end > leaf.end) throw new ParquetError(`a page of column ${leaf.path} goes beyond the column`);
  const bytes = await file.read(at + length, end);
  if (bytes.length < page.compressed_page_size)
    throw new ParquetError("the file was truncated while it was read");
  return { page, bytes, end };
}

/** Reads the header of a page. Its length is not stated anywhere, so more bytes are read until it can be parsed. */
async function readHeader(
  leaf: Leaf,
  file: RandomAccess,
  at: number,
): Promise<{ readonly page: PageHeader; readonly length: number }> {
  for (let size = HEADER_BYTES; ; size *= 16) {
    const bytes = await file.read(at, Math.min(at + size, leaf.end));
    try {
      return parseHeader(bytes);
    } catch (error) {
      const isAll = bytes.length < size || size * 16 > MAX_HEADER_BYTES;
      if (isAll || !(error instanceof ParquetError)) throw error;
    }
  }
}
