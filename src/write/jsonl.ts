/** Labelled documents into JSON Lines, one record a document. */
import { toRecord } from "./record.js";
import type { Sink, Writer, WriterOptions } from "./writer.js";

export function createJsonlWriter(sink: Sink, options: WriterOptions): Writer {
  return {
    name: "jsonl",
    write: (doc) => sink.write(`${JSON.stringify(toRecord(doc, options))}\n`),
    close: () => Promise.resolve(),
  };
}
