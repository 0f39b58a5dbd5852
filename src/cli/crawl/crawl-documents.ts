/** Writes the clean documents of a crawl over many runs: as one growing file, a file for each, or tables in parts. */
import { join } from "node:path";
import type { Document, LabelledLine } from "../../document.js";
import { findPlace, isFolderName, type FilePlace } from "../../write/files/place.js";
import { publishDraft } from "../../write/files/sink.js";
import { WRITER_NAMES, writers, type WriterName } from "../../write/registry.js";
import type { Io } from "../io.js";
import { EMPTY, openOutput, type Output, type OutputMark, type OutputOptions } from "../run/output.js";

/** How far the documents are written. */
export interface DocumentsMark extends OutputMark {
  /** Number of complete parts. */
  readonly parts: number;
}

export const NO_DOCUMENTS: DocumentsMark = Object.freeze({ ...EMPTY, parts: 0 });

export interface Documents {
  write(doc: Document<LabelledLine>): Promise<void>;
  /** Syncs what was written to disk; returns undefined if no run could continue from here yet. */
  pause(): Promise<DocumentsMark | undefined>;
  /** Registers a document that an earlier run wrote. */
  recall(id: string): void;
  /** Completes the files so that they can be read. The next run begins at the returned mark. */
  finish(): Promise<DocumentsMark>;
  leave(): Promise<void>;
}

export interface DocumentsOptions extends Omit<OutputOptions, "mark" | "isSingle" | "to"> {
  readonly format: WriterName;
  readonly mark: DocumentsMark;
}

/** Number of documents in a complete part. After a break, at most this many are cleaned again. */
const PART_ROWS = 50_000;

/** Formats with one file per document (`FILE_EACH`), or with several files of many documents (`IN_PARTS`). */
export const FILE_EACH = WRITER_NAMES.filter((format) => !writers[format].hasRecords);
export const IN_PARTS = WRITER_NAMES.filter((format) => writers[format].pack !== undefined);

/** Returns the name in the folder of the crawl; it ends with a slash if the documents have their own folder. */
export function nameDocuments(format: WriterName): string {
  const { extension, gzip } = writers[format];
  if (FILE_EACH.includes(format) || IN_PARTS.includes(format)) return "text/";
  return `text${extension}${gzip === "none" ? "" : ".gz"}`;
}

/** Throws OutputError if the documents cannot be written. */
export async function openDocuments(dir: string, options: DocumentsOptions, io: Io): Promise<Documents> {
  const { format, mark } = options;
  const path = join(dir, nameDocuments(format));
  const common = { ...options, to: format, isSingle: () => false };
  if (IN_PARTS.includes(format)) return openParts(path, common, io);
  const destination = isFolderName(path)
    ? ({ kind: "directory", path } as const)
    : ({ kind: "file", place: { ...(await findPlace(path)), isGrowing: true } } as const);
  const output = await openOutput(destination, common, io);
  const pause = async (): Promise<DocumentsMark> => ({
    ...((await output.pause()) ?? EMPTY),
    parts: mark.parts,
  });
  return {
    write: (doc) => output.write(doc),
    pause,
    recall: (id) => {
      output.recall(id);
    },
    async finish() {
      const end = await pause();
      // The next run cuts off what ends the file, so the mark is taken before.
      await output.finish();
      return end;
    },
    leave: () => output.leave(),
  };
}

type PartOptions = DocumentsOptions & Pick<OutputOptions, "isSingle" | "to">;

/** A file of these formats cannot be appended to, so there are several files, each complete or absent. */
function openParts(folder: string, options: PartOptions, io: Io): Documents {
  const { extension } = writers[options.format];
  let { parts } = options.mark;
  let rows = 0;
  let part: { readonly place: FilePlace; readonly output: Output } | undefined;
  const open = async (): Promise<NonNullable<typeof part>> => {
    const place = await findPlace(join(folder, `part-${String(parts + 1).padStart(5, "0")}${extension}`));
    const output = await openOutput({ kind: "file", place }, { ...options, mark: EMPTY }, io);
    return { place, output };
  };
  const finish = async (): Promise<DocumentsMark> => {
    if (part !== undefined) {
      await part.output.finish();
      await publishDraft(part.place);
      part = undefined;
      parts += 1;
      rows = 0;
    }
    return { ...EMPTY, parts };
  };
  return {
    async write(doc) {
      part ??= await open();
      await part.output.write(doc);
      rows += 1;
    },
    pause: () => (rows === 0 || rows >= PART_ROWS ? finish() : Promise.resolve(undefined)),
    recall: () => undefined,
    finish,
    async leave() {
      await part?.output.discard();
    },
  };
}
