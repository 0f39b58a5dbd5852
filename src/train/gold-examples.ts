/** Turns gold records into examples: documents as the labellers see them, with the annotators' labels of lines. */
import type { GoldLine, GoldRecord } from "../acquire/records/gold.js";
import type { Document, Line } from "../document.js";
import { isCommentPath } from "../extract/comment-paths.js";

/** The labeller to train: for lines of pages, whose place is known, or for lines of plain text. */
export type TrainKind = "page" | "text";

export interface Example {
  readonly document: Document;
  /** One label per line of the document; null if it is not known. */
  readonly labels: readonly (0 | 1 | null)[];
  readonly lang: string;
}

/** Finds the kind of the records by their lines, which have paths only in pages; undefined if there are no records. */
export function kindOf(records: readonly GoldRecord[]): TrainKind | "both" | undefined {
  const [pages, texts] = [true, false].map((wanted) => records.some((one) => hasPaths(one) === wanted));
  if (pages === true && texts === true) return "both";
  if (pages === true) return "page";
  return texts === true ? "text" : undefined;
}

/** Checks whether any line has a path, as lines of pages do. */
export function hasPaths({ lines }: GoldRecord): boolean {
  return lines.some(({ path = "" }) => path !== "");
}

/** For plain text, blocks and paths of the record are ignored. */
export function toExample(record: GoldRecord, kind: TrainKind): Example {
  const { id, url = "", lang, title } = record;
  const lines = record.lines.map(kind === "page" ? toPageLine : toTextLine);
  const meta = title === undefined ? {} : { title };
  const source = kind === "page" ? "html" : "text";
  return {
    document: { id, url, source, meta, notes: [], lines },
    labels: record.lines.map(({ label }) => label),
    lang,
  };
}

function toPageLine({ text, span, ...place }: GoldLine): Line {
  const { block = "div", path = "", linkChars = 0, breakBefore = "block" } = place;
  const line: Line = { text, block, path, linkChars, breakBefore, ...(span && { span }) };
  return isCommentPath(path) ? { ...line, kind: "comment" } : line;
}

function toTextLine({ text }: GoldLine): Line {
  return { text, block: "text", path: "", linkChars: 0, breakBefore: "line" };
}
