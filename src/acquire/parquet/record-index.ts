/**
 * Reads an index of archives, like Common Crawl's in Parquet: each row has a file name, and a record's offset and
 * length.
 */
import { digitsOf } from "../../json.js";
import { UsageError } from "../../outcome.js";
import {
  openRandomAccess,
  ParquetError,
  readFooter,
  type Footer,
  type RandomAccess,
} from "./parquet-format.js";
import { readRows } from "./parquet-rows.js";
import { messageOf } from "../../thrown.js";

/** Where a record is; `offset` and `length` are in bytes. */
export interface IndexedRecord {
  readonly file: string;
  readonly offset: number;
  readonly length: number;
}

/** The column names in Common Crawl's index, and shorter ones. */
const COLUMNS = {
  file: ["warc_filename", "filename", "file"],
  offset: ["warc_record_offset", "offset"],
  length: ["warc_record_length", "length"],
} as const;
type Part = keyof typeof COLUMNS;

/** Throws UsageError if the file is not an index or is damaged, because a part of it would be another corpus. */
export async function* readRecordIndex(path: string): AsyncGenerator<IndexedRecord> {
  const file = await openRandomAccess(path).catch((cause: unknown) => {
    throw refuse(path, messageOf(cause), cause);
  });
  if (file === undefined) throw refuse(path, "it is not a regular file");
  try {
    yield* readAll(path, file);
  } catch (error) {
    if (error instanceof ParquetError) throw refuse(path, error.message, error);
    throw error;
  } finally {
    await file.close();
  }
}

async function* readAll(path: string, file: RandomAccess): AsyncGenerator<IndexedRecord> {
  const whole = await readFooter(file);
  const names = {
    file: find(path, whole, "file"),
    offset: find(path, whole, "offset"),
    length: find(path, whole, "length"),
  };
  const footer = pickColumns(whole, new Set(Object.values(names)));
  let row = 0;
  for (const group of footer.groups)
    for await (const batch of readRows(group, footer, file)) {
      if ("lost" in batch) throw refuse(path, `row ${row + 1} cannot be read: ${batch.why}`);
      for (const fields of batch.rows) {
        row += 1;
        const [name, offset, length] = [
          fields[names.file],
          toCount(fields[names.offset]),
          toCount(fields[names.length]),
        ];
        if (
          typeof name !== "string" ||
          name === "" ||
          offset === undefined ||
          length === undefined ||
          length === 0
        )
          throw refuse(path, `row ${row} does not say where its record is`);
        yield { file: name, offset, length };
      }
    }
}

/** Keeps only the wanted columns, because an index may have many. */
function pickColumns({ names, schema, groups }: Footer, wanted: ReadonlySet<string>): Footer {
  return {
    names: names.filter((name) => wanted.has(name)),
    schema: { ...schema, children: schema.children.filter(({ element }) => wanted.has(element.name)) },
    groups: groups.map((group) => ({
      rows: group.rows,
      leaves: () => group.leaves().filter((leaf) => wanted.has(leaf.path)),
    })),
  };
}

function find(path: string, { names }: Footer, part: Part): string {
  const name = COLUMNS[part].find((one) => names.includes(one));
  if (name === undefined) throw refuse(path, `it has no column ${COLUMNS[part].join(" or ")}`);
  return name;
}

/** Returns a count that a JavaScript number holds exactly; undefined for anything else. */
function toCount(value: unknown): number | undefined {
  const count = Number(digitsOf(value));
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

function refuse(path: string, why: string, cause?: unknown): UsageError {
  return new UsageError(`the index ${path} cannot be used: ${why}`, { cause });
}
