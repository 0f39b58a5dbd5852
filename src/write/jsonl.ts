/** Writes labelled documents as JSON Lines, one record for each document. */
import type { Document, LabelledLine } from "../document.js";
import { toRecord } from "./document-record.js";
import type { Format, FormatOptions } from "./writer.js";

export const JSONL = {
  title: "JSON Lines",
  extension: ".jsonl",
  otherExtensions: [".ndjson"],
  hasRecords: true,
  gzip: "block",
  format: formatJsonl,
  create: (sink, options) => ({
    name: "jsonl",
    write: (doc, formatted = formatJsonl(doc, options)) => sink.write(formatted),
    close: () => Promise.resolve(),
  }),
} satisfies Format;

function formatJsonl(doc: Document<LabelledLine>, options: FormatOptions, words?: number): string {
  const { carried, ...record } = toRecord(doc, options, words);
  const json = JSON.stringify(record);
  return carried === undefined ? `${json}\n` : `${json.slice(0, -1)},"carried":${carried}}\n`;
}
