/** The seam of `write/`: labelled documents in, characters out. */
import type { Document, LabelledLine } from "../document.js";

/** Where characters go. `close` makes them final, `discard` leaves nothing behind. */
export interface Sink {
  write(chunk: string): Promise<void>;
  close(): Promise<void>;
  discard(): Promise<void>;
}

export interface Writer {
  readonly name: string;
  write(doc: Document<LabelledLine>): Promise<void>;
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
}

export type WriterFactory = (sink: Sink, options: WriterOptions) => Writer;
