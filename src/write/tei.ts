/** Writes labelled documents as TEI P5: one text as a `TEI`, many as a `teiCorpus`. */
import type { Document, LabelledLine } from "../document.js";
import { countWords } from "../words.js";
import { formatBody } from "./tei-body.js";
import { formatCategories, REGISTER_TAXONOMY } from "./tei-registers.js";
import { formatText } from "./text.js";
import type { Format, Sink, Writer, WriterOptions } from "./writer.js";
import { escapeAttribute, escapeXml } from "./xml-text.js";

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

/** A corpus is one element, which `close` ends: a file that is cut short is not well-formed, and a reader notices. */
function createTeiWriter(sink: Sink, options: WriterOptions): Writer {
  const isCorpus = options.documents === "many";
  let hasBegun = options.hasBegun === true;
  const begin = async (): Promise<void> => {
    if (hasBegun) return;
    hasBegun = true;
    await sink.write(
      DECLARATION + (isCorpus ? `<teiCorpus${NAMESPACE}>\n${formatCorpusHeader(options)}` : ""),
    );
  };
  return {
    name: "tei",
    async write(doc) {
      await begin();
      await sink.write(formatTei(doc, options));
    },
    async close() {
      if (!isCorpus) return;
      await begin();
      await sink.write("</teiCorpus>\n");
    },
  };
}

function formatTei(doc: Document<LabelledLine>, options: WriterOptions): string {
  const lang = toLanguageTag(doc.meta.lang);
  const text = `<text${lang === undefined ? "" : ` xml:lang="${lang}"`}>\n${formatBody(doc, options)}\n</text>`;
  const namespace = options.documents === "one" ? NAMESPACE : "";
  return `<TEI${namespace}>\n${formatHeader(doc, options)}${text}\n</TEI>\n`;
}

/** Says where a text is from, and what made it, so that the file can be read without anything beside it. */
function formatHeader(doc: Document<LabelledLine>, options: WriterOptions): string {
  const { title, author, date, site, lang } = doc.meta;
  const words = countWords(formatText(doc));
  const name = title ?? (doc.url === "" ? doc.id : doc.url);
  const source = [
    wrap("title", title),
    wrap("author", author),
    wrap("publisher", site),
    date === undefined ? "" : `<date${formatWhen(date)}>${escapeXml(date)}</date>`,
    doc.url === "" ? "" : `<idno type="URI">${escapeXml(doc.url)}</idno>`,
    `<idno type="id">${escapeXml(doc.id)}</idno>`,
  ].join("");
  const notes = [
    `<note type="fingerprint">${escapeXml(options.fingerprint)}</note>`,
    ...doc.notes.map((note) => `<note type="processing">${escapeXml(note)}</note>`),
  ].join("");
  return [
    "<teiHeader>\n<fileDesc>\n",
    `<titleStmt><title>${escapeXml(name)}</title>${wrap("author", author)}</titleStmt>\n`,
    `<extent><measure unit="word" quantity="${words}">${words} words</measure></extent>\n`,
    "<publicationStmt><p>Extracted from the source that is described below.</p></publicationStmt>\n",
    `<notesStmt>${notes}</notesStmt>\n<sourceDesc><bibl>${source}</bibl></sourceDesc>\n</fileDesc>\n`,
    options.documents === "one" ? formatEncoding(options) : "",
    formatProfile(doc, lang),
    "</teiHeader>\n",
  ].join("");
}

/** The header above many texts: what holds for all of them. */
function formatCorpusHeader(options: WriterOptions): string {
  return [
    "<teiHeader>\n<fileDesc>\n<titleStmt><title>Texts extracted by Thresher</title></titleStmt>\n",
    "<publicationStmt><p>Each text names its own source.</p></publicationStmt>\n",
    "<sourceDesc><p>Web pages, and texts that others extracted from them.</p></sourceDesc>\n</fileDesc>\n",
    formatEncoding(options),
    "</teiHeader>\n",
  ].join("");
}

/** The program, and, where lines are marked, what the marks mean. */
function formatEncoding({ version, fingerprint, lines, registers }: WriterOptions): string {
  const application = `<application ident="Thresher" version="${toVersionNumber(version)}"><label>Thresher</label><desc>Pipeline fingerprint ${escapeXml(fingerprint)}</desc></application>`;
  const ofLines =
    lines === "none"
      ? ""
      : '<taxonomy><desc>What a line is; cert on a line is the probability of what its ana says.</desc><category xml:id="content"><catDesc>main content</catDesc></category><category xml:id="boilerplate"><catDesc>boilerplate</catDesc></category></taxonomy>';
  const taxonomies = ofLines + (registers === true ? REGISTER_TAXONOMY : "");
  const classes = taxonomies === "" ? "" : `<classDecl>${taxonomies}</classDecl>`;
  return `<encodingDesc><appInfo>${application}</appInfo>${classes}</encodingDesc>\n`;
}

/** TEI wants digits with at most a letter between dots (teidata.versionNumber). */
function toVersionNumber(version: string): string {
  return /^\d+(?:\.\d+){0,3}/.exec(version)?.[0] ?? "0";
}

function formatProfile({ registers }: Document<LabelledLine>, lang: string | undefined): string {
  const tag = toLanguageTag(lang);
  const language =
    tag === undefined ? "" : `<langUsage><language ident="${tag}">${tag}</language></langUsage>`;
  const kinds = registers === undefined ? "" : formatCategories(registers);
  return language + kinds === "" ? "" : `<profileDesc>${language}${kinds}</profileDesc>\n`;
}

/** What XML Schema takes for a language; a page may say anything. */
function toLanguageTag(lang: string | undefined): string | undefined {
  return lang !== undefined && /^[a-z]{1,8}(?:-[a-z0-9]{1,8})*$/i.test(lang) ? lang : undefined;
}

const DATE = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-](?:0\d|1[0-3]):[0-5]\d)?))?/;

/** The attribute for a date that XML Schema takes: a day that the calendar has, with its time where that is whole. */
function formatWhen(date: string): string {
  const match = DATE.exec(date);
  const day = match?.[1];
  if (day === undefined || day.startsWith("0000") || !isDay(day)) return "";
  const isWhole = match?.[2] !== undefined && match[0] === date && !Number.isNaN(Date.parse(date));
  return ` when="${escapeAttribute(isWhole ? date : day)}"`;
}

function isDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

function wrap(tag: string, text: string | undefined): string {
  return text === undefined ? "" : `<${tag}>${escapeXml(text)}</${tag}>`;
}
