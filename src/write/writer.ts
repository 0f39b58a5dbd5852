/** The seam of `write/`: labelled documents in, characters or bytes out. */
import type { Document, LabelledLine } from "../document.js";

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
  /** Writes what is still held back; the sink is closed by whoever opened it. */
  close(): Promise<void>;
}

export interface WriterOptions {
  /** Which lines a record lists: none, the content lines, or all of them with label, score and grade. */
  readonly lines: "none" | "content" | "all";
  /** Whether Markdown keeps link targets. */
  readonly links: "drop" | "keep";
  /** Digest of code version, options and model; stamped on every record. */
  readonly fingerprint: string;
  /** Of the program, for formats that name what wrote them. */
  readonly version: string;
  /** Whether there can be a second document, for formats with a frame around many. */
  readonly documents: "one" | "many";
  /** Whether an earlier writer of the same file has written something, so that what opens it is there. */
  readonly hasBegun?: boolean;
}

/** What shapes a document in a file wherever that is done: all but what depends on the file and its neighbours there. */
export type FormatOptions = Omit<WriterOptions, "documents" | "hasBegun">;

/**
 * A document into what a file of the format holds of it, in any process. `words` are those of its text, where somebody
 * has counted them.
 */
export type Formatter = (doc: Document<LabelledLine>, options: FormatOptions, words?: number) => string;

export type WriterFactory = (sink: Sink, options: WriterOptions) => Writer;
