/** Formats TEI headers: the source of a text, its metadata, and the program that extracted it. */
import { tellCount } from "../../count.js";
import type { Document, LabelledLine, Metadata, RegisterVerdict } from "../../document.js";
import { formatJson, parseJson, toFields } from "../../json.js";
import { countWords } from "../../language/words.js";
import { formatCategories, REGISTER_TAXONOMY } from "./registers.js";
import { formatText } from "../text.js";
import type { WriterOptions } from "../writer.js";
import { escapeAttribute, escapeXml, wrapMarkup } from "../xml-text.js";

/** Formats the header of one text. It names the source and the program, so that the file is self-contained. */
export function formatHeader(doc: Document<LabelledLine>, options: WriterOptions): string {
  const { title, author } = doc.meta;
  const isAlone = options.documents === "one";
  // A record may contain registers although they were not requested; the corpus header then does not define them.
  const registers = isAlone || options.registers === true ? doc.registers : undefined;
  const words = countWords(formatText(doc));
  const name = title ?? (doc.url === "" ? doc.id : doc.url);
  const notes = [
    `<note type="fingerprint">${escapeXml(options.fingerprint)}</note>`,
    ...doc.notes.map((note) => `<note type="processing">${escapeXml(note)}</note>`),
    ...formatCarried(doc),
  ].join("");
  return [
    "<teiHeader>\n<fileDesc>\n",
    `<titleStmt><title>${escapeXml(name)}</title>${wrap("author", author)}</titleStmt>\n`,
    `<extent><measure unit="word" quantity="${words}">${tellCount(words, "word")}</measure></extent>\n`,
    "<publicationStmt><p>Extracted from the source that is described below.</p></publicationStmt>\n",
    `<notesStmt>${notes}</notesStmt>\n<sourceDesc><bibl>${formatSource(doc)}</bibl></sourceDesc>\n</fileDesc>\n`,
    isAlone ? formatEncoding({ ...options, registers: registers !== undefined }) : "",
    formatProfile(doc.meta, registers),
    "</teiHeader>\n",
  ].join("");
}

function formatSource({ id, url, meta }: Document<LabelledLine>): string {
  const { title, author, date, modified, site, canonical, license, reservations = [] } = meta;
  return [
    wrap("title", title),
    wrap("author", author),
    wrap("publisher", site),
    wrap("date", date, formatWhen(date)),
    wrap("date", modified, ` type="modified"${formatWhen(modified)}`),
    url === "" ? "" : `<idno type="URI">${escapeXml(url)}</idno>`,
    wrap("idno", canonical, ' type="canonical"'),
    `<idno type="id">${escapeXml(id)}</idno>`,
    wrapMarkup("availability", formatLicence(license) + reservations.map(formatReservation).join("")),
  ].join("");
}

/** The licence by name or by URL; a URL also becomes the target. */
function formatLicence(license: string | undefined): string {
  const isAddress = license !== undefined && /^https?:\/\/\S+$/i.test(license);
  return wrap("licence", license, isAddress ? ` target="${escapeAttribute(license)}"` : "");
}

function formatReservation(use: string): string {
  return wrap("p", use, ' n="reservation"');
}

/** The fields of the text's record that have no element of their own, one note each. */
function formatCarried({ carried }: Document<LabelledLine>): string[] {
  if (carried === undefined) return [];
  return Object.entries(toFields(parseJson(carried))).map(([name, value]) =>
    wrap("note", formatValue(value), ` type="carried" n="${escapeAttribute(name)}"`),
  );
}

function formatValue(value: unknown): string {
  return typeof value === "object" && value !== null ? formatJson(value) : String(value);
}

/** The header of a corpus: what applies to all of its texts. */
export function formatCorpusHeader(options: WriterOptions): string {
  return [
    "<teiHeader>\n<fileDesc>\n<titleStmt><title>Texts extracted by Thresher</title></titleStmt>\n",
    "<publicationStmt><p>Each text names its own source.</p></publicationStmt>\n",
    "<sourceDesc><p>Web pages, and texts that others extracted from them.</p></sourceDesc>\n</fileDesc>\n",
    formatEncoding(options),
    "</teiHeader>\n",
  ].join("");
}

/** The program, and the meaning of the marks if lines are marked. */
function formatEncoding({ version, fingerprint, lines, registers }: WriterOptions): string {
  const application = `<application ident="Thresher" version="${toVersionNumber(version)}"><label>Thresher</label><desc>Pipeline fingerprint ${escapeXml(fingerprint)}</desc></application>`;
  const ofLines =
    lines === "none"
      ? ""
      : '<taxonomy><desc>What a line is; cert on a line is the probability of what its ana says.</desc><category xml:id="content"><catDesc>main content</catDesc></category><category xml:id="boilerplate"><catDesc>boilerplate</catDesc></category></taxonomy>';
  const taxonomies = ofLines + (registers === true ? REGISTER_TAXONOMY : "");
  const classes = wrapMarkup("classDecl", taxonomies);
  return `<encodingDesc><appInfo>${application}</appInfo>${classes}</encodingDesc>\n`;
}

/** TEI requires digits with at most a letter between dots (teidata.versionNumber). */
function toVersionNumber(version: string): string {
  return /^\d+(?:\.\d+){0,3}/.exec(version)?.[0] ?? "0";
}

function formatProfile(meta: Metadata, registers: RegisterVerdict | undefined): string {
  const tag = toLanguageTag(meta.lang);
  const parts = [
    wrapMarkup("abstract", wrap("p", meta.description)),
    tag === undefined ? "" : `<langUsage><language ident="${tag}">${tag}</language></langUsage>`,
    wrapMarkup(
      "textClass",
      formatKeywords(meta) + (registers === undefined ? "" : formatCategories(registers)),
    ),
  ];
  const profile = wrapMarkup("profileDesc", parts.join(""));
  return profile === "" ? "" : `${profile}\n`;
}

function formatKeywords({ tags = [], categories = [] }: Metadata): string {
  const terms = (type: string, words: readonly string[]): string =>
    words.map((word) => (word === "" ? "" : wrap("term", word, ` type="${type}"`))).join("");
  return wrapMarkup("keywords", terms("tag", tags) + terms("category", categories));
}

/** The language if it is valid for XML Schema, else undefined: a page may state anything. */
export function toLanguageTag(lang: string | undefined): string | undefined {
  return lang !== undefined && /^[a-z]{1,8}(?:-[a-z0-9]{1,8})*$/i.test(lang) ? lang : undefined;
}

const DATE = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-](?:0\d|1[0-3]):[0-5]\d)?))?/;

/** The `when` attribute: a valid calendar day for XML Schema, with the time if it is complete. */
function formatWhen(date = ""): string {
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

function wrap(tag: string, text: string | undefined, attributes = ""): string {
  return text === undefined ? "" : `<${tag}${attributes}>${escapeXml(text)}</${tag}>`;
}
