/**
 * Defines the interfaces of output formats: a format, and its writer, which takes labelled documents and writes
 * characters or bytes.
 */
import type { Document, LabelledLine } from "../document.js";
import type { FilePlace } from "./files/place.js";

/** A destination of output; strings are written as UTF-8. `close` completes it, `discard` removes it. */
export interface Sink {
  write(chunk: string | Uint8Array): Promise<void>;
  close(): Promise<void>;
  discard(): Promise<void>;
}

export interface Writer {
  readonly name: string;
  /** Writes a document. If `formatted` is given, the output of the format's `Formatter`, the lines are not read. */
  write(doc: Document<LabelledLine>, formatted?: string): Promise<void>;
  /** Writes the remaining output. The sink stays open: its owner closes it. */
  close(): Promise<void>;
}

export interface WriterOptions {
  /** Which lines a record lists: none, the content lines, or all lines with label, score and grade. */
  readonly lines: "none" | "content" | "all";
  /** Whether Markdown and HTML keep link targets. */
  readonly links: "drop" | "keep";
  /** Whether they keep images; default "drop". */
  readonly images?: "drop" | "keep";
  /** Whether Markdown begins with the page's metadata as front matter; default false. */
  readonly frontMatter?: boolean;
  /** The document in another format, which a record contains beside its text. */
  readonly formatted?: string;
  /** Whether documents may contain registers, for formats that define these in the header of a file. */
  readonly registers?: boolean;
  /** Digest of code version, options and model; part of every record. */
  readonly fingerprint: string;
  /** The version of the program, for formats that name the program. */
  readonly version: string;
  /** Whether the file may contain several documents, for formats that then need an outer element. */
  readonly documents: "one" | "many";
  /** Whether an earlier writer has begun the same file, so that its opening has been written. */
  readonly hasBegun?: boolean;
}

type WriterFactory = (sink: Sink, options: WriterOptions) => Writer;

/** The options that shape the output of one document. */
export type FormatOptions = Omit<WriterOptions, "documents" | "hasBegun"> &
  Partial<Pick<WriterOptions, "documents">>;

/**
 * Formats one document as it appears in a file, in any process. `words` is the number of words of its text, if it has
 * been counted before.
 */
export type Formatter = (doc: Document<LabelledLine>, options: FormatOptions, words?: number) => string;

/** The options that describe the file as a whole. */
export type FileOptions = Pick<WriterOptions, "fingerprint" | "version">;

export interface PackJob {
  /** The path of the records: gzipped JSON Lines. */
  readonly from: string;
  /** The place of the file to write. */
  readonly place: FilePlace;
  readonly signal: AbortSignal;
}

/**
 * Writes the draft of a file from records, and returns its length in bytes. Throws OutputError when it cannot be
 * written, and the signal's reason.
 */
export type Packer = (job: PackJob, options: FileOptions) => Promise<number>;

/** A description of an output format; `registry.ts` lists them. */
export interface Format {
  /** The name of the format in messages and help. */
  readonly title: string;
  /** The file name extension. */
  readonly extension: string;
  /** Other extensions that select the format. */
  readonly otherExtensions?: readonly string[];
  /**
   * Whether a reader can tell where each document in a file ends; if not, a crawl writes one file for each document.
   */
  readonly hasRecords: boolean;
  /**
   * What one gzip member contains if the file name ends with `.gz`; "none" for binary formats with their own
   * compression.
   */
  readonly gzip: "block" | "record" | "none";
  /** Whether the format writes inline spans and container elements. */
  readonly needsStructure?: true;
  /** Set when the format writes only title and language of the metadata, except in front matter. */
  readonly needsMetadata?: "brief";
  readonly create: WriterFactory;
  /**
   * Set when the output of a document does not depend on the file, so that the worker that cleans a document also
   * formats it.
   */
  readonly format?: Formatter;
  /** Set when a half-written file cannot be continued: a run then writes records, and converts them at its end. */
  readonly pack?: Packer;
}
