/** Writes the features of gold documents to flat files for the trainer, so that training and use cannot differ. */
import { createHash } from "node:crypto";
import { mkdir, open, rm, writeFile, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { BAGS, bagAt, TABLE_ROWS, type LineBags } from "./bags.js";
import { COLUMNS } from "./columns.js";
import { PAGE_COLUMNS } from "./page/place-columns.js";
import { createLineGroups, GROUP_LEVELS } from "./page/line-groups.js";
import type { PlacedLine } from "./page/outline.js";
import { createPathBuckets, PAGE_BAGS, TEXT_BAGS } from "./page/path-bags.js";
import { createPlaces } from "./page/place.js";
import { excessOfWalls } from "./page/wall-words.js";
import { createPieceCutter, type PieceCutter } from "./pieces/line-pieces.js";
import type { Vocabulary } from "./pieces/vocabulary.js";
import { createWorkspace, featureWindows, type BagSink, type Workspace } from "./windows.js";
import { isBlank } from "../label-line.js";

/** A document whose lines people labelled: 1 = main content, 0 = boilerplate, null = unknown. */
export interface GoldDocument {
  readonly id: string;
  readonly lang: string;
  readonly source: string;
  readonly title?: string;
  readonly pageType?: string;
  readonly lines: readonly ({ readonly text: string; readonly label: 0 | 1 | null } & Partial<PlacedLine>)[];
}

interface ExportSummary {
  readonly documents: number;
  readonly lines: number;
}

/** Which labeller the features are for: `page` adds the columns, bags and groups of a line's place in the page. */
export type FeatureKind = "text" | "page";

/** The value of an unknown label in `labels.u8`. */
const UNKNOWN = 255;

/** Exported documents are never cut into windows: the trainer sees what one run of the model sees. */
const WHOLE = { lines: Number.MAX_SAFE_INTEGER, context: 0 };

/** Name of the bag of word pieces, which is written if a vocabulary is given. */
const PIECES = "pieces";

const INPUTS = {
  text: { columns: COLUMNS, bags: BAGS, groups: [], describe: describeText },
  page: { columns: PAGE_COLUMNS, bags: PAGE_BAGS, groups: GROUP_LEVELS, describe: describePage },
} as const;

/** The features of one document. */
interface Described {
  /** lines × columns */
  readonly hand: Float32Array;
  /** By bag and line, the bucket numbers. */
  readonly bags: readonly (readonly Uint16Array[])[];
  /** Only for a page: lines × groups. */
  readonly groups?: Int32Array;
}

/**
 * Writes these files into `directory`, which is created if missing; files of the same names are replaced:
 *
 * - `features.f32`: lines × columns
 * - `labels.u8`: a label per line, 255 if unknown
 * - for each bag, `<bag>.u16`: bucket numbers, and `<bag>.ends.u32`: where those of each line end
 * - for pages, `groups.i32`: lines × groups
 * - `documents.jsonl`: `id`, `lang`, `source`, `pageType`?, `start`, `lines`, and for pages `walls`
 * - `columns.json`
 *
 * All numbers are little-endian. Blank lines are left out, because the labeller leaves them out too.
 */
export async function exportFeatures(
  documents: AsyncIterable<GoldDocument> | Iterable<GoldDocument>,
  directory: string,
  kind: FeatureKind = "text",
  vocabulary?: Vocabulary,
): Promise<ExportSummary> {
  await mkdir(directory, { recursive: true });
  // An export without columns.json is incomplete, so remove the file of an earlier export first and write it last.
  await rm(join(directory, "columns.json"), { force: true });
  const { columns, groups } = INPUTS[kind];
  const bags = [...INPUTS[kind].bags, ...(vocabulary ? [PIECES] : [])];
  const files = new OutputFiles(directory);
  const wanted = { kind, bags, vocabulary };
  let summary: ExportSummary;
  try {
    summary = await writeDocuments(documents, files, wanted);
  } finally {
    await files.close();
  }
  const about = {
    kind,
    columns,
    columnCount: columns.length,
    bags,
    groups,
    tableRows: TABLE_ROWS,
    ...(vocabulary && { pieceRows: vocabulary.size }),
    digest: columnDigest(columns),
  };
  await writeFile(join(directory, "columns.json"), `${JSON.stringify(about, null, 2)}\n`);
  return summary;
}

async function writeDocuments(
  documents: AsyncIterable<GoldDocument> | Iterable<GoldDocument>,
  files: OutputFiles,
  wanted: {
    readonly kind: FeatureKind;
    readonly bags: readonly string[];
    readonly vocabulary: Vocabulary | undefined;
  },
): Promise<ExportSummary> {
  const { kind, bags, vocabulary } = wanted;
  const { describe } = INPUTS[kind];
  const cutter = vocabulary && createPieceCutter(vocabulary);
  const workspace = createWorkspace();
  const ends = bags.map(() => 0);
  let count = 0;
  let start = 0;
  for await (const gold of documents) {
    const lines = gold.lines.filter((line) => !isBlank(line.text));
    if (lines.length === 0) continue;
    const described = describe(lines, gold, workspace);
    await files.write("features.f32", bytesOf(described.hand));
    if (described.groups !== undefined) await files.write("groups.i32", bytesOf(described.groups));
    const rowsOfBags = [...described.bags, ...(cutter ? [piecesOf(lines, cutter)] : [])];
    for (const [bag, name] of bags.entries()) {
      const rows = rowsOfBags[bag] ?? [];
      const rowEnds = Uint32Array.from(rows, ({ length }) => (ends[bag] = (ends[bag] ?? 0) + length));
      await files.write(`${name}.u16`, bytesOf(joinNumbers(rows)));
      await files.write(`${name}.ends.u32`, bytesOf(rowEnds));
    }
    await files.write(
      "labels.u8",
      Uint8Array.from(lines, (line) => line.label ?? UNKNOWN),
    );
    const { id, lang, source, pageType } = gold;
    const about = { id, lang, source, ...(pageType && { pageType }), start, lines: lines.length };
    const walls = kind === "page" && { walls: excessOfWalls(lines) };
    await files.write("documents.jsonl", Buffer.from(`${JSON.stringify({ ...about, ...walls })}\n`));
    start += lines.length;
    count += 1;
  }
  return { documents: count, lines: start };
}

type GoldLines = GoldDocument["lines"];

function piecesOf(lines: GoldLines, cutter: PieceCutter): Uint16Array[] {
  return lines.map((line) => cutter.numbers.slice(0, cutter.cut(line.text)));
}

function describeText(lines: GoldLines, _gold: GoldDocument, workspace: Workspace): Described {
  const collector = createCollector(BAGS.length);
  const texts = lines.map((line) => line.text);
  const [window] = [...featureWindows(texts, workspace, collector, WHOLE)];
  return { hand: window?.hand ?? new Float32Array(0), bags: collector.rows };
}

function describePage(lines: GoldLines, { title = "" }: GoldDocument, workspace: Workspace): Described {
  const collector = createCollector(TEXT_BAGS);
  const placed = lines.map((line): PlacedLine => ({
    block: "text",
    path: "",
    linkChars: 0,
    breakBefore: "line",
    ...line,
  }));
  const places = createPlaces(placed, title);
  const texts = placed.map((line) => line.text);
  const [window] = [...featureWindows(texts, workspace, collector, WHOLE, places)];
  const bucketsOf = createPathBuckets(places);
  const paths = placed.map((_, line) => bucketsOf(line));
  const bags = [...collector.rows, paths.map(({ near }) => near), paths.map(({ far }) => far)];
  const groups = createLineGroups(places)(0, lines.length).of;
  return { hand: window?.hand ?? new Float32Array(0), bags, groups };
}

/** Creates a sink that keeps copies of the bucket numbers of one document's lines. */
function createCollector(bags: number): BagSink & { readonly rows: Uint16Array[][] } {
  const rows = Array.from({ length: bags }, (): Uint16Array[] => []);
  return {
    rows,
    bags,
    begin: () => undefined,
    take(row: number, line: LineBags) {
      for (const [bag, kept] of rows.entries()) kept[row] = bagAt(line, bag).slice();
    },
  };
}

/** Returns 16 hexadecimal digits that identify the order of the columns. */
export function columnDigest(columns: readonly string[] = COLUMNS): string {
  return createHash("sha256").update(columns.join("\n")).digest("hex").slice(0, 16);
}

function bytesOf(array: Float32Array | Uint16Array | Uint32Array | Int32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function joinNumbers(rows: readonly Uint16Array[]): Uint16Array {
  const joined = new Uint16Array(rows.reduce((size, numbers) => size + numbers.length, 0));
  let at = 0;
  for (const numbers of rows) {
    joined.set(numbers, at);
    at += numbers.length;
  }
  return joined;
}

/** Opens each output file on its first write and keeps it open until `close`. */
class OutputFiles {
  readonly #open = new Map<string, FileHandle>();
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    let file = this.#open.get(name);
    if (file === undefined) {
      file = await open(join(this.#directory, name), "w");
      this.#open.set(name, file);
    }
    await file.appendFile(bytes);
  }

  async close(): Promise<void> {
    for (const file of this.#open.values()) await file.close();
  }
}
