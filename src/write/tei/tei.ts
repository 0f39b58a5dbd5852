/** Writes labelled documents as TEI P5: one text as a `TEI`, many as a `teiCorpus`. */
import type { Document, LabelledLine } from "../../document.js";
import { formatBody } from "./body.js";
import { formatCorpusHeader, formatHeader, toLanguageTag } from "./header.js";
import { createFramedWriter } from "../joined-writers.js";
import type { Format, Sink, Writer, WriterOptions } from "../writer.js";

export const TEI = {
  title: "TEI",
  extension: ".xml",
  hasRecords: true,
  gzip: "block",
  needsStructure: true,
  create: createTeiWriter,
} satisfies Format;

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = ' xmlns="http://www.tei-c.org/ns/1.0"';

/** A corpus is one element: a file that is cut short is not well-formed, and a reader notices. */
function createTeiWriter(sink: Sink, options: WriterOptions): Writer {
  const isCorpus = options.documents === "many";
  return createFramedWriter("tei", sink, {
    ...options,
    // A text by itself says more than one of many, so the format has no `Formatter`.
    format: (doc) => formatTei(doc, options),
    opening: DECLARATION + (isCorpus ? `<teiCorpus${NAMESPACE}>\n${formatCorpusHeader(options)}` : ""),
    closing: isCorpus ? "</teiCorpus>\n" : undefined,
  });
}

function formatTei(doc: Document<LabelledLine>, options: WriterOptions): string {
  const lang = toLanguageTag(doc.meta.lang);
  const text = `<text${lang === undefined ? "" : ` xml:lang="${lang}"`}>\n${formatBody(doc, options)}\n</text>`;
  const namespace = options.documents === "one" ? NAMESPACE : "";
  return `<TEI${namespace}>\n${formatHeader(doc, options)}${text}\n</TEI>\n`;
}
