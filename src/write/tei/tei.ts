/** Writes labelled documents as TEI P5: one document as `TEI`, many as `teiCorpus`. */
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

/** A corpus is one element, so a truncated file is not well-formed and readers notice. */
function createTeiWriter(sink: Sink, options: WriterOptions): Writer {
  const isCorpus = options.documents === "many";
  return createFramedWriter("tei", sink, {
    ...options,
    // The header of a single text contains more than that of a text in a corpus, so the format has no `Formatter`.
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
