/**
 * Lists the output formats by name. To add one: a file with its `Format`, a line below, and a test. File names,
 * compression, the choices of `--to`, and how runs and crawls write the format follow from the fields of its `Format`.
 */
import type { Document, LabelledLine } from "../document.js";
import { CSV } from "./tables/csv.js";
import { HTML } from "./html.js";
import { JSON_FORMAT } from "./json.js";
import { JSONL } from "./jsonl.js";
import { MARKDOWN } from "./markdown.js";
import { PARQUET } from "./tables/parquet.js";
import { TEI } from "./tei/tei.js";
import { TEXT } from "./text.js";
import { WET } from "./warc/wet.js";
import { XML } from "./xml.js";
import type { Format, FormatOptions, Formatter } from "./writer.js";

const ALL = {
  text: TEXT,
  markdown: MARKDOWN,
  jsonl: JSONL,
  json: JSON_FORMAT,
  html: HTML,
  // Both formats use the extension .xml; a file name alone selects the first.
  tei: TEI,
  xml: XML,
  csv: CSV,
  wet: WET,
  parquet: PARQUET,
} satisfies Record<string, Format>;

export type WriterName = keyof typeof ALL;
export const writers: Readonly<Record<WriterName, Format>> = ALL;
// The keys of the literal are the names.
export const WRITER_NAMES = Object.keys(ALL) as readonly WriterName[];

/** The file name extensions that select a format. */
export function extensionsOf(format: WriterName): readonly string[] {
  const { extension, otherExtensions = [] }: Format = writers[format];
  return [extension, ...otherExtensions];
}

/** Finds a format by its name or a file extension: "markdown", ".md", "md"; ignores case. */
export function findWriter(word: string): WriterName | undefined {
  const wanted = word.toLowerCase();
  const end = wanted.startsWith(".") ? wanted : `.${wanted}`;
  const named = WRITER_NAMES.find((name) => name === wanted);
  return named ?? WRITER_NAMES.find((name) => extensionsOf(name).includes(end));
}

/** The formats that have a `Formatter`. */
type FormattedName = {
  [Name in WriterName]: (typeof ALL)[Name] extends { readonly format: Formatter } ? Name : never;
}[WriterName];

/** The formats that a record can contain beside its text: those that express more than text. */
export const RECORD_FORMATS = ["markdown", "html", "xml"] as const satisfies readonly FormattedName[];
export type RecordFormat = (typeof RECORD_FORMATS)[number];

/** How documents are formatted by the worker that cleans them; a plain object, which can be sent to another process. */
export interface Form extends Omit<FormatOptions, "formatted"> {
  readonly to: FormattedName;
  readonly formattedAs?: RecordFormat;
}

/** Whether a format has a `Formatter`, so that workers can format its documents. */
export function isFormatted(to: WriterName | undefined): to is FormattedName {
  return to !== undefined && writers[to].format !== undefined;
}

/** Formats a document into the string that the format's writer takes instead of the lines. */
export function formatDocument(doc: Document<LabelledLine>, form: Form, words?: number): string {
  const { to, formattedAs } = form;
  // A record has a document of its own.
  const one = { ...form, documents: "one" } as const;
  const formatted = formattedAs === undefined ? {} : { formatted: ALL[formattedAs].format(doc, one) };
  return ALL[to].format(doc, { ...form, ...formatted }, words);
}
