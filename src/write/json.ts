/** Writes labelled documents as indented JSON: one document as an object, many as an array. */
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

/** Creates a JSON writer. It writes "[" or "," before each document, so that an interrupted file can be continued. */
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

/** Formats the same record as JSON Lines, indented by two spaces; carried fields keep their original text. */
function formatJson(doc: Document<LabelledLine>, options: FormatOptions, words?: number): string {
  const { carried, ...record } = toRecord(doc, options, words);
  const json = JSON.stringify(record, undefined, 2);
  return carried === undefined ? `${json}\n` : `${json.slice(0, -2)},\n  "carried": ${carried}\n}\n`;
}
