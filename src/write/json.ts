/** Writes labelled documents as JSON that people read: one document is one object, many are an array of them. */
import type { Document, LabelledLine } from "../document.js";
import { toRecord } from "./document-record.js";
import type { Format, FormatOptions, Sink, Writer, WriterOptions } from "./writer.js";

export const JSON_FORMAT = {
  title: "JSON",
  extension: ".json",
  hasRecords: true,
  gzip: "block",
  format: formatJson,
  create: createJsonWriter,
} satisfies Format;

/** What opens the array, and what parts its elements, is written before each document, so that a file can be gone on with. */
function createJsonWriter(sink: Sink, options: WriterOptions): Writer {
  const isMany = options.documents === "many";
  let hasBegun = options.hasBegun === true;
  const begin = async (): Promise<void> => {
    if (isMany) await sink.write(hasBegun ? "," : "[");
    hasBegun = true;
  };
  return {
    name: "json",
    async write(doc, formatted = formatJson(doc, options)) {
      await begin();
      await sink.write(formatted);
    },
    async close() {
      if (!isMany) return;
      await sink.write(hasBegun ? "]\n" : "[]\n");
    },
  };
}

/** The record of JSON Lines, two spaces deeper for each level; what a record carries along stays as it came, digit for digit. */
function formatJson(doc: Document<LabelledLine>, options: FormatOptions, words?: number): string {
  const { carried, ...record } = toRecord(doc, options, words);
  const json = JSON.stringify(record, undefined, 2);
  return carried === undefined ? `${json}\n` : `${json.slice(0, -2)},\n  "carried": ${carried}\n}\n`;
}
