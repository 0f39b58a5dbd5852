/** Labelled documents into JSON Lines, one record a document. */
import { toRecord } from "./document-record.js";
import type { Formatter, Sink, Writer, WriterOptions } from "./writer.js";

export const formatJsonl: Formatter = (doc, options, words) =>
  `${JSON.stringify(toRecord(doc, options, words))}\n`;

export function createJsonlWriter(sink: Sink, options: WriterOptions): Writer {
  return {
    name: "jsonl",
    write: (doc, formatted = formatJsonl(doc, options)) => sink.write(formatted),
    close: () => Promise.resolve(),
  };
}
