/** Writes labelled documents as XML with the elements that Trafilatura uses: head, list, hi, ref, graphic. */
import type { Document, Holder, InlineSpan, LabelledLine } from "../document.js";
import { createFramedWriter } from "./joined-writers.js";
import { isContent, showLines } from "./shown-lines.js";
import { correctStructure } from "./structured/corrections.js";
import { element, formatMarkup, type Name, type Vocabulary } from "./structured/markup.js";
import { isSafeTarget } from "./targets.js";
import { escapeXml } from "./xml-text.js";
import type { Format, FormatOptions, Sink, Writer, WriterOptions } from "./writer.js";

export const XML = {
  title: "XML",
  extension: ".xml",
  hasRecords: true,
  gzip: "block",
  needsStructure: true,
  format: formatXml,
  create: createXmlWriter,
} satisfies Format;

/** Creates an XML writer. One document is the root element; many documents are in one root element. */
function createXmlWriter(sink: Sink, options: WriterOptions): Writer {
  const isMany = options.documents === "many";
  return createFramedWriter("xml", sink, {
    ...options,
    format: formatXml,
    opening: `<?xml version="1.0" encoding="UTF-8"?>\n${isMany ? "<documents>\n" : ""}`,
    closing: isMany ? "</documents>\n" : undefined,
  });
}

/** Formats one document. Metadata and registers are attributes of `doc`. */
export function formatXml(
  given: Document<LabelledLine>,
  options: Pick<FormatOptions, "links" | "images" | "documents">,
): string {
  const doc = correctStructure(given);
  const { id, url, registers } = doc;
  const { title, author, date, site, lang, description, image, license, tags, categories } = doc.meta;
  const attributes = {
    ...{ id, url: url === "" ? undefined : url, title, author, date, sitename: site, language: lang },
    ...{ description, image, license, tags: tags?.join(";"), categories: categories?.join(";") },
    ...(registers && { registers: registers.found.join(";"), machine: String(registers.machine) }),
  };
  const shown = showLines(doc.lines, isContent);
  const blocks = formatMarkup(doc, shown, { ...options, vocabulary: VOCABULARY });
  return `${element(["doc", attributes], `\n<main>\n${blocks}</main>\n`)}\n`;
}

const VOCABULARY: Vocabulary = {
  lineBreak: "<lb/>",
  holder: nameHolder,
  inline: nameInline,
  heading: (level) => ["head", { rend: `h${level}` }],
  code: (text, lang) => `${element(["code", { lang, "xml:space": "preserve" }], escapeXml(text))}\n`,
  task: () => "",
  image: (src, alt) => element(["graphic", { src, alt }], ""),
  formula: (tex, isDisplay) =>
    element(["formula", { notation: "TeX", rend: isDisplay ? "display" : undefined }], escapeXml(tex)),
};

const NAMES: Readonly<Partial<Record<Holder["tag"], string>>> = {
  blockquote: "quote",
  tr: "row",
  table: "table",
  figure: "figure",
  figcaption: "figDesc",
  summary: "p",
};

function nameHolder({ tag, isHeader, colSpan, task }: Holder, note?: string): Name | undefined {
  const id = note === undefined ? undefined : `note-${note}`;
  if (tag === "note") return ["note", { "xml:id": id }];
  if (tag === "aside") return ["quote", { rend: "admonition" }];
  if (tag === "li") return ["item", { "xml:id": id, rend: task === undefined ? undefined : `task-${task}` }];
  if (tag === "ul" || tag === "ol" || tag === "dl") return ["list", { rend: tag }];
  if (tag === "dt" || tag === "dd") return ["item", { "xml:id": id, rend: tag }];
  if (tag === "td" || tag === "th")
    return ["cell", { role: isHeader === true ? "head" : undefined, span: colSpan }];
  const name = NAMES[tag];
  return name === undefined ? undefined : [name];
}

const REND: Readonly<Partial<Record<InlineSpan["kind"], string>>> = {
  em: "#i",
  strong: "#b",
  code: "#t",
  sub: "#sub",
  sup: "#sup",
};

function nameInline(
  { kind, href = "" }: InlineSpan,
  resolve: (href: string) => string,
  note?: string,
): Name | undefined {
  if (kind === "link") return isSafeTarget(href) ? ["ref", { target: resolve(href) }] : undefined;
  if (kind === "note") return note === undefined ? undefined : ["ref", { target: `#note-${note}` }];
  if (kind === "del") return ["del"];
  const rend = REND[kind];
  return rend === undefined ? undefined : ["hi", { rend }];
}
