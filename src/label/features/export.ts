/** Writes the features of gold documents as flat files that the trainer reads, so that training and use cannot drift. */
import { createHash } from "node:crypto";
import { createWriteStream, type WriteStream } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { BAGS, bagAt, TABLE_ROWS, type LineBags } from "./bags.js";
import { COLUMN_COUNT, COLUMNS } from "./columns.js";
import { createWorkspace, featureWindows, type BagSink } from "./windows.js";

/** A document whose lines somebody labelled: 1 = main content, 0 = boilerplate. */
export interface GoldDocument {
  readonly id: string;
  readonly lang: string;
  readonly source: string;
  readonly lines: readonly { readonly text: string; readonly label: 0 | 1 }[];
}

export interface ExportSummary {
  readonly documents: number;
  readonly lines: number;
}

const isText = (line: { readonly text: string }): boolean => line.text.trim() !== "";
/** Documents are never cut when features are exported: the trainer sees what one run of the model sees. */
const WHOLE = { lines: Number.MAX_SAFE_INTEGER, context: 0 };

/**
 * Writes into `directory` (made if missing; files of the same names are replaced):
 * `features.f32` lines × columns, `labels.u8`, for each bag `<bag>.u16` (bucket numbers) and `<bag>.ends.u32` (where each
 * line's bucket numbers end), `documents.jsonl` (`id`, `lang`, `source`, `start`, `lines`) and `columns.json`. All numbers
 * are little-endian. Blank lines are left out, as the labeller leaves them out.
 */
export async function exportFeatures(
  documents: AsyncIterable<GoldDocument> | Iterable<GoldDocument>,
  directory: string,
): Promise<ExportSummary> {
  await mkdir(directory, { recursive: true });
  const files = new OutputFiles(directory);
  const workspace = createWorkspace();
  const collector = new BagCollector();
  let count = 0;
  let start = 0;
  for await (const gold of documents) {
    const lines = gold.lines.filter(isText);
    if (lines.length === 0) continue;
    const texts = lines.map((line) => line.text);
    for (const window of featureWindows(texts, workspace, collector, WHOLE)) {
      await files.write("features.f32", bytesOf(window.hand));
    }
    for (const [bag, name] of BAGS.entries()) await collector.flush(bag, name, files);
    await files.write(
      "labels.u8",
      Uint8Array.from(lines, (line) => line.label),
    );
    const about = { id: gold.id, lang: gold.lang, source: gold.source, start, lines: lines.length };
    await files.write("documents.jsonl", Buffer.from(`${JSON.stringify(about)}\n`));
    start += lines.length;
    count += 1;
  }
  await files.close();
  const about = {
    columns: COLUMNS,
    columnCount: COLUMN_COUNT,
    bags: BAGS,
    tableRows: TABLE_ROWS,
    digest: columnDigest(),
  };
  await writeFile(join(directory, "columns.json"), `${JSON.stringify(about, null, 2)}\n`);
  return { documents: count, lines: start };
}

/** Names the column order in one short string. */
export function columnDigest(): string {
  return createHash("sha256").update(COLUMNS.join("\n")).digest("hex").slice(0, 16);
}

function bytesOf(array: Float32Array | Uint16Array | Uint32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** Owns the open files. */
class OutputFiles {
  readonly #open = new Map<string, WriteStream>();
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    let stream = this.#open.get(name);
    if (stream === undefined) {
      stream = createWriteStream(join(this.#directory, name));
      this.#open.set(name, stream);
      await once(stream, "open");
    }
    if (bytes.byteLength > 0 && !stream.write(bytes)) await once(stream, "drain");
  }

  async close(): Promise<void> {
    for (const stream of this.#open.values()) {
      stream.end();
      await finished(stream);
    }
  }
}

/** Keeps the bucket numbers of one document's lines until they are written. */
class BagCollector implements BagSink {
  #rows: Uint16Array[][] = [];
  readonly #ends = BAGS.map(() => 0);

  begin(rows: number): void {
    this.#rows = BAGS.map(() => new Array<Uint16Array>(rows));
  }

  take(row: number, bags: LineBags): void {
    for (const [bag, rows] of this.#rows.entries()) rows[row] = bagAt(bags, bag).slice();
  }

  async flush(bag: number, name: string, files: OutputFiles): Promise<void> {
    const rows = this.#rows[bag] ?? [];
    const ends = new Uint32Array(rows.length);
    let end = this.#ends[bag] ?? 0;
    for (const [row, numbers] of rows.entries()) {
      end += numbers.length;
      ends[row] = end;
      await files.write(`${name}.u16`, bytesOf(numbers));
    }
    this.#ends[bag] = end;
    await files.write(`${name}.ends.u32`, bytesOf(ends));
  }
}
