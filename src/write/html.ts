/** Writes labelled documents as clean HTML: the structure of the text, without scripts or decoration. */
import type { Document, Holder, InlineSpan, LabelledLine } from "../document.js";
import { isContent, showLines } from "./shown-lines.js";
import { correctStructure } from "./structured/corrections.js";
import { element, formatMarkup, type Name, type Vocabulary } from "./structured/markup.js";
import { placeTitle } from "./structured/title.js";
import { isSafeTarget } from "./targets.js";
import { escapeXml } from "./xml-text.js";
import type { Format, FormatOptions, Sink, Writer, WriterOptions } from "./writer.js";

export const HTML = {
  title: "HTML",
  extension: ".html",
  otherExtensions: [".htm"],
  hasRecords: false,
  gzip: "block",
  needsStructure: true,
  needsMetadata: "brief",
  format: formatHtml,
  create: createHtmlWriter,
} satisfies Format;

/**
 * Creates an HTML writer. It omits the optional tags of `html`, `head` and `body`, so that a file can grow by further
 * articles.
 */
function createHtmlWriter(sink: Sink, options: WriterOptions): Writer {
  let hasBegun = options.hasBegun === true;
  return {
    name: "html",
    async write(doc, formatted = formatHtml(doc, options)) {
      const title = escapeXml(doc.meta.title ?? doc.id);
      const head = `<!doctype html>\n<meta charset="utf-8">\n<title>${title}</title>\n`;
      await sink.write(hasBegun ? formatted : `${head}${formatted}`);
      hasBegun = true;
    },
    close: () => Promise.resolve(),
  };
}

/** Formats one `article`: the content lines below the page's title. */
export function formatHtml(
  given: Document<LabelledLine>,
  options: Pick<FormatOptions, "links" | "images" | "documents">,
): string {
  const doc = correctStructure(given);
  const { title, shown } = placeTitle(doc, showLines(doc.lines, isContent));
  const head = title === undefined ? "" : `${element(["h1"], escapeXml(title))}\n`;
  const blocks = formatMarkup(doc, shown, { ...options, vocabulary: VOCABULARY });
  return `${element(["article", describeLanguage(doc.meta.lang)], `\n${head}${blocks}`)}\n`;
}

/** Languages that are written from right to left, unless in the Latin script. */
const RIGHT_TO_LEFT = /^(?:ar|ckb|dv|fa|he|iw|ps|sd|syr|ug|ur|yi)(?:$|-(?!latn))/i;

function describeLanguage(lang: string | undefined): NonNullable<Name[1]> {
  if (lang === undefined || !/^[\w-]{1,35}$/.test(lang)) return {};
  return RIGHT_TO_LEFT.test(lang) ? { lang, dir: "rtl" } : { lang };
}

const VOCABULARY: Vocabulary = {
  lineBreak: "<br>",
  holder: nameHolder,
  inline: nameInline,
  heading: (level) => [`h${level}`],
  code: (text, lang) =>
    `<pre>${element(["code", lang === undefined ? {} : { class: `language-${lang}` }], escapeXml(text))}</pre>\n`,
  task: (isDone) => `<input type="checkbox" disabled${isDone ? " checked" : ""}> `,
  image: (src, alt) => element(["img", { src, alt }], "").replace("></img>", ">"),
  formula: (tex, isDisplay) =>
    element(
      ["span", { class: isDisplay ? "math display" : "math inline" }],
      escapeXml(isDisplay ? `\\[${tex}\\]` : `\\(${tex}\\)`),
    ),
};

function nameHolder(holder: Holder, note?: string): Name {
  const id = note === undefined ? undefined : `note-${note}`;
  const { tag } = holder;
  if (tag === "note") return ["div", { id }];
  if (tag === "aside") return ["aside", { id, class: `admonition ${holder.alert ?? "note"}` }];
  if (tag === "panel") return ["section", { id }];
  if (tag === "li") return ["li", { id, value: holder.number }];
  if (tag !== "td" && tag !== "th") return [tag, { id }];
  const { isHeader, colSpan, rowSpan, align } = holder;
  const style = align === undefined ? undefined : `text-align: ${align}`;
  return [isHeader === true ? "th" : "td", { colspan: colSpan, rowspan: rowSpan, style }];
}

function nameInline(
  { kind, href = "" }: InlineSpan,
  resolve: (href: string) => string,
  note?: string,
): Name | undefined {
  if (kind === "link") return isSafeTarget(href) ? ["a", { href: resolve(href) }] : undefined;
  if (kind === "note")
    return note === undefined ? undefined : ["a", { href: `#note-${note}`, role: "doc-noteref" }];
  return [kind];
}
