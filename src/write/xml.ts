/** Writes labelled documents as XML with the elements that users of Trafilatura know: head, list, hi, ref, graphic. */
import type { Document, Holder, InlineSpan, LabelledLine } from "../document.js";
import { createFramedWriter } from "./joined-writers.js";
import { isContent, showLines } from "./shown-lines.js";
import { buildBlocks } from "./structured/blocks.js";
import { leaveBars } from "./structured/code-bars.js";
import { raiseHeadings } from "./structured/headings.js";
import { element, writeMarkup, type Attributes, type Vocabulary } from "./structured/markup.js";
import { groupCells } from "./structured/row-cells.js";
import { findNotes } from "./structured/notes.js";
import { leaveWhole } from "./structured/whole-emphasis.js";
import { createResolver, isSafeTarget } from "./targets.js";
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

/** One document is the root; many are in one element. */
function createXmlWriter(sink: Sink, options: WriterOptions): Writer {
  const isMany = options.documents === "many";
  return createFramedWriter("xml", sink, {
    ...options,
    format: formatXml,
    opening: `<?xml version="1.0" encoding="UTF-8"?>\n${isMany ? "<documents>\n" : ""}`,
    closing: isMany ? "</documents>\n" : undefined,
  });
}

/** What the page says of itself, and what kind of text it is, is in the attributes of `doc`. */
export function formatXml(
  given: Document<LabelledLine>,
  { links, images = "drop" }: Pick<FormatOptions, "links" | "images">,
): string {
  const doc = raiseHeadings(leaveWhole(given));
  const { holders = [], id, url, registers } = doc;
  const { title, author, date, site, lang, description, image, license, tags, categories } = doc.meta;
  const attributes = {
    ...{
      id,
      url: url === "" ? undefined : url,
      title,
      author,
      date,
      sitename: site,
      language: lang,
      description,
      image,
    },
    ...{ license, tags: tags?.join(";"), categories: categories?.join(";") },
    ...(registers && { registers: registers.found.join(";"), machine: String(registers.machine) }),
  };
  const resolve = createResolver(doc);
  const shown = showLines(doc.lines, isContent);
  const vocabulary: Vocabulary = {
    ...WORDS,
    links,
    images,
    resolve,
    notes: findNotes(
      shown.map(({ line }) => line),
      holders,
    ),
    cells: groupCells(holders),
    inline: (span, number) => nameInline(span, number, resolve),
  };
  const blocks = writeMarkup(leaveBars(buildBlocks(doc, shown)), vocabulary);
  return `${element("doc", attributes, `\n<main>\n${blocks}</main>\n`)}\n`;
}

const WORDS: Omit<Vocabulary, "links" | "images" | "resolve" | "notes" | "cells" | "inline"> = {
  lineBreak: "<lb/>",
  holder: nameHolder,
  heading: (level) => ["head", { rend: `h${level}` }],
  code: (text, lang) => `${element("code", { lang, "xml:space": "preserve" }, escapeXml(text))}\n`,
  task: () => "",
  image: (src, alt) => element("graphic", { src, alt }, ""),
  formula: (tex, isDisplay) =>
    element("formula", { notation: "TeX", rend: isDisplay ? "display" : undefined }, escapeXml(tex)),
};

const NAMES: Readonly<Partial<Record<Holder["tag"], string>>> = {
  blockquote: "quote",
  tr: "row",
  table: "table",
  figure: "figure",
  figcaption: "figDesc",
  summary: "p",
};

function nameHolder(
  { tag, isHeader, colSpan, task }: Holder,
  number: number | undefined,
): readonly [string, Attributes?] | undefined {
  const id = number === undefined ? undefined : `note-${number}`;
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
  number: number | undefined,
  resolve: (href: string) => string,
): readonly [string, Attributes?] | undefined {
  if (kind === "link") return isSafeTarget(href) ? ["ref", { target: resolve(href) }] : undefined;
  if (kind === "note") return number === undefined ? undefined : ["ref", { target: `#note-${number}` }];
  if (kind === "del") return ["del"];
  const rend = REND[kind];
  return rend === undefined ? undefined : ["hi", { rend }];
}
