/** Writes labelled documents as CSV (RFC 4180): one row for each document, with its metadata and text. */
import type { Document, LabelledLine } from "../../document.js";
import { toRecord } from "../document-record.js";
import { createFramedWriter } from "../joined-writers.js";
import { toCsvLine } from "./flat-table.js";
import type { TableCell } from "./parquet-schema.js";
import type { Format, FormatOptions, Sink, Writer, WriterOptions } from "../writer.js";

export const CSV = {
  title: "CSV",
  extension: ".csv",
  hasRecords: true,
  gzip: "block",
  format: formatCsv,
  create: createCsvWriter,
} satisfies Format;

const COLUMNS = [
  ...["id", "url", "title", "author", "date", "site", "lang"],
  ...["description", "image", "license", "tags", "categories"],
  ...["registers", "machine", "words", "score", "text"],
] as const;

function createCsvWriter(sink: Sink, options: WriterOptions): Writer {
  return createFramedWriter("csv", sink, {
    ...options,
    format: formatCsv,
    opening: toCsvLine(COLUMNS),
    closing: "",
  });
}

function formatCsv(doc: Document<LabelledLine>, options: FormatOptions, words?: number): string {
  const { meta, registers, ...record } = toRecord(doc, { ...options, lines: "none" }, words);
  const kinds = registers && { registers: registers.found, machine: registers.machine };
  const values: Readonly<Record<string, unknown>> = { ...record, ...meta, ...kinds };
  return toCsvLine(COLUMNS.map((name) => toCell(values[name])));
}

function toCell(value: unknown): TableCell {
  if (typeof value === "number") return value;
  if (Array.isArray(value)) return value.join(";");
  return typeof value === "string" ? value : undefined;
}
