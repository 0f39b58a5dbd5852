/** The writers by name. */
import type { Document, LabelledLine } from "../document.js";
import { createJsonlWriter, formatJsonl } from "./jsonl.js";
import { createMarkdownWriter, formatForMarkdown } from "./markdown.js";
import { createParquetWriter } from "./parquet.js";
import { createTeiWriter } from "./tei.js";
import { createTextWriter, formatForText } from "./text.js";
import { createWetWriter, formatWet } from "./warc/wet.js";
import type { FormatOptions, Formatter, WriterFactory } from "./writer.js";

export interface Format {
  readonly create: WriterFactory;
  readonly extension: string;
  /** What one gzip member holds where the file name ends with `.gz`; "none" where the format packs its own data. */
  readonly gzip: "block" | "record" | "none";
}

export const writers = {
  text: { create: createTextWriter, extension: ".txt", gzip: "block" },
  markdown: { create: createMarkdownWriter, extension: ".md", gzip: "block" },
  jsonl: { create: createJsonlWriter, extension: ".jsonl", gzip: "block" },
  tei: { create: createTeiWriter, extension: ".xml", gzip: "block" },
  wet: { create: createWetWriter, extension: ".wet", gzip: "record" },
  parquet: { create: createParquetWriter, extension: ".parquet", gzip: "none" },
} satisfies Record<string, Format>;

export type WriterName = keyof typeof writers;

/** The formats in which what a file holds of a document does not depend on that file. */
const formatters = {
  text: formatForText,
  markdown: formatForMarkdown,
  jsonl: formatJsonl,
  wet: formatWet,
} satisfies Partial<Record<WriterName, Formatter>>;

/** How documents are formatted where they are cleaned; plain values, which another process can be told. */
export interface Form extends FormatOptions {
  readonly to: keyof typeof formatters;
}

export function isFormatted(to: WriterName | undefined): to is Form["to"] {
  return to !== undefined && Object.hasOwn(formatters, to);
}

/** What the writer of the format takes in place of the lines. */
export function formatDocument(doc: Document<LabelledLine>, form: Form, words: number): string {
  return formatters[form.to](doc, form, words);
}
