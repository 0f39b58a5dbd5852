/** Defines the seam of `write/`: a format, and its writer, which takes labelled documents and writes characters or bytes. */
import type { Document, LabelledLine } from "../document.js";
import type { FilePlace } from "./files/place.js";

/** Where output goes; strings are written as UTF-8. `close` makes it final, `discard` leaves nothing behind. */
export interface Sink {
  write(chunk: string | Uint8Array): Promise<void>;
  close(): Promise<void>;
  discard(): Promise<void>;
}

export interface Writer {
  readonly name: string;
  /** `formatted` is what the format's `Formatter` made of the document already; its lines are not looked at then. */
  write(doc: Document<LabelledLine>, formatted?: string): Promise<void>;
  /** Writes what is still held back. The sink stays open: its owner closes it. */
  close(): Promise<void>;
}

export interface WriterOptions {
  /** Which lines a record lists: none, the content lines, or all of them with label, score and grade. */
  readonly lines: "none" | "content" | "all";
  /** Whether Markdown and HTML keep the targets of links. */
  readonly links: "drop" | "keep";
  /** Whether they keep images; they do not when absent. */
  readonly images?: "drop" | "keep";
  /** Whether Markdown begins with what the page says of itself; it does not when absent. */
  readonly frontMatter?: boolean;
  /** What a record holds of the document in another format, besides its text. */
  readonly formatted?: string;
  /** Whether documents may say what kind of text they are, for formats that explain such words at their head. */
  readonly registers?: boolean;
  /** Digest of code version, options and model; stamped on every record. */
  readonly fingerprint: string;
  /** Of the program, for formats that name what wrote them. */
  readonly version: string;
  /** Whether there can be a second document, for formats with a frame around many. */
  readonly documents: "one" | "many";
  /** Whether an earlier writer of the same file has written something, so that what opens it is there. */
  readonly hasBegun?: boolean;
}

type WriterFactory = (sink: Sink, options: WriterOptions) => Writer;

/** What shapes a document in a file wherever that is done: all but what depends on the file and its neighbours there. */
export type FormatOptions = Omit<WriterOptions, "documents" | "hasBegun">;

/**
 * Makes of a document what a file of the format holds of it, in any process. `words` is the number of words of its text,
 * where they have been counted before.
 */
export type Formatter = (doc: Document<LabelledLine>, options: FormatOptions, words?: number) => string;

/** What belongs in a file as a whole, and not to one document. */
export type FileOptions = Pick<WriterOptions, "fingerprint" | "version">;

export interface PackJob {
  /** The path of the documents as records: JSON Lines, packed by gzip. */
  readonly from: string;
  /** Where the file is going to be. */
  readonly place: FilePlace;
  readonly signal: AbortSignal;
}

/**
 * Makes the draft of a file from records, and returns its length in bytes. Throws OutputError where it cannot be written,
 * and the reason of the signal.
 */
export type Packer = (job: PackJob, options: FileOptions) => Promise<number>;

/** All that the program knows of a format; `registry.ts` lists them. */
export interface Format {
  /** What prose calls it. */
  readonly title: string;
  /** The end of the names of its files. */
  readonly extension: string;
  /** Other ends of names that ask for the format where none is named. */
  readonly otherExtensions?: readonly string[];
  /** Whether a file shows where each of its documents ends; a crawl writes formats that do not as a file for each document. */
  readonly hasRecords: boolean;
  /** What one gzip member holds where the name ends with `.gz`; "none" for a binary format, which packs its own data. */
  readonly gzip: "block" | "record" | "none";
  /** Whether it writes what parts of lines are, and what holds them together. */
  readonly needsStructure?: true;
  /** Set where it shows no more of what a page says of itself than its title and language, but for front matter. */
  readonly needsMetadata?: "brief";
  readonly create: WriterFactory;
  /** Set where what a file holds of a document does not depend on that file: each is then formatted where it is cleaned. */
  readonly format?: Formatter;
  /** Set where a half-written file cannot be gone on with: a run then writes records, and packs them at its end. */
  readonly pack?: Packer;
}
