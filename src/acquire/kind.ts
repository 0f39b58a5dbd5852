/**
 * Detects from the first bytes and the name of an input what it is: an HTML page, plain text, or one of several kinds
 * of records.
 */
import type { PageFormat } from "../document.js";
import { decodeLatin1 } from "../bytes/latin1.js";
import { tryJson } from "../json.js";
import { ownValue } from "../own-value.js";
import { findForeignMarkup } from "./foreign.js";

export const INPUT_KINDS = ["html", "text", "jsonl", "json", "warc", "wet", "wacz", "parquet"] as const;

/** The kinds of inputs, as `--from` names them. */
export type InputKind = (typeof INPUT_KINDS)[number];

/** Bytes from which the kind is detected. */
export const HEAD_BYTES = 65_536;
/**
 * Bytes in which nearly every page declares its format. Checking a longer head of every page would cost more than
 * everything else here.
 */
export const SHORT_HEAD_BYTES = 2_048;

const KIND_OF_EXTENSION: Readonly<Record<string, InputKind>> = {
  html: "html",
  htm: "html",
  xhtml: "html",
  mhtml: "html",
  mht: "html",
  webarchive: "html",
  txt: "text",
  jsonl: "jsonl",
  ndjson: "jsonl",
  json: "json",
  warc: "warc",
  wet: "wet",
  wacz: "wacz",
  parquet: "parquet",
};

/** Names the extensions of the files that a directory is searched for. */
export const SEARCHED_EXTENSIONS = `${Object.keys(KIND_OF_EXTENSION)
  .map((extension) => `.${extension}`)
  .filter(isSearchedFor)
  .join(" ")}, or with .gz or .zst`;

/** Returns the extension in lower case, without a `.gz`, `.zst` or `.zstd` after it. */
export function extensionOf(name: string): string | undefined {
  return /\.([a-z]+)(?:\.(?:gz|zstd?))?$/i.exec(name)?.[1]?.toLowerCase();
}

/** Returns the kind that a file name suggests; undefined if its extension is unknown. */
export function kindOfName(name: string): InputKind | undefined {
  const extension = extensionOf(name);
  return extension === undefined ? undefined : ownValue(KIND_OF_EXTENSION, extension);
}

const TABLES: ReadonlySet<string | undefined> = new Set(["csv", "tsv", "conllu", "vrt"]);

/** Checks for the names of tables that cannot be read as records: of values, or of the words of texts. */
export function isTableName(name: string): boolean {
  return TABLES.has(extensionOf(name));
}

/**
 * Checks whether a file found in a directory is read. Plain `.json` is not, because most are settings; packed ones hold
 * records.
 */
export function isSearchedFor(name: string): boolean {
  const kind = kindOfName(name);
  return kind !== undefined && (kind !== "json" || !/\.json$/i.test(name));
}

/**
 * Types by which a server says that it does not know the type (WHATWG MIME Sniffing, 7.1), and a wildcard that some
 * servers send for that.
 */
const UNKNOWN_TYPES: ReadonlySet<string> = new Set([
  "*/*",
  "application/unknown",
  "application/x-unknown-content-type",
  "unknown/unknown",
]);

/** Returns the type without its parameters, in lower case; undefined if it is missing, malformed or an unknown type. */
export function essenceOf(contentType: string | undefined): string | undefined {
  const essence = contentType?.split(";", 1)[0]?.trim().toLowerCase();
  if (essence === undefined || UNKNOWN_TYPES.has(essence)) return undefined;
  return /^[^\s/]+\/[^\s/]+$/.test(essence) ? essence : undefined;
}

/** Returns the last value of a repeated Content-Type that is a type, as browsers do; undefined if there is none. */
export function chooseType(values: readonly string[]): string | undefined {
  return values.findLast((value) => essenceOf(value) !== undefined);
}

/** The last type is that of WAP pages, for early phones that could not show other pages. */
const HTML_TYPES: ReadonlySet<string> = new Set([
  "text/html",
  "application/xhtml+xml",
  "application/vnd.wap.xhtml+xml",
]);

/** Types of pages. XML is a page only if its content says that it is HTML. */
const PAGE_TYPES: ReadonlySet<string> = new Set([
  ...HTML_TYPES,
  "text/plain",
  "text/markdown",
  "text/x-markdown",
]);
const XML_TYPES: ReadonlySet<string> = new Set(["text/xml", "application/xml"]);

/** Checks whether this type is HTML or XHTML. */
export function isHtmlType(contentType: string | undefined): boolean {
  return HTML_TYPES.has(essenceOf(contentType) ?? "");
}

/** Checks whether content of this type, or without a type, may be a page. */
export function mayBePage(contentType: string | undefined): boolean {
  const essence = essenceOf(contentType);
  return essence === undefined || PAGE_TYPES.has(essence) || XML_TYPES.has(essence);
}

/** Checks for XML that does not look like a page: its source is not worth reading as text. */
export function isBareXml(format: PageFormat, contentType: string | undefined): boolean {
  return format === "text" && XML_TYPES.has(essenceOf(contentType) ?? "");
}

/** Chooses HTML or plain text: by the bytes if they are clear, then by the type, then by weaker signs in the bytes. */
export function chooseFormat(bytes: Uint8Array, contentType?: string): PageFormat {
  const essence = essenceOf(contentType);
  const hint = essence === undefined ? undefined : HTML_TYPES.has(essence) ? "html" : "text";
  return isMarkedHtml(readableHead(bytes, SHORT_HEAD_BYTES)) ? "html" : formatOf(readableHead(bytes), hint);
}

/**
 * Chooses the kind of an input, which may also hold records. `hint` is the kind that its name suggests. `column` is the
 * record field that holds the page, if its name is not a usual one.
 */
export function chooseKind(head: Uint8Array, hint: InputKind | undefined, column?: string): InputKind {
  if (isParquet(head)) return "parquet";
  if (isWacz(head)) return "wacz";
  const text = readableHead(head);
  if (isRecord(text, column) || (head.length >= HEAD_BYTES && isCutRecord(text))) return "jsonl";
  if (isWarc(text)) return "warc";
  if (isJson(text, column)) return "json";
  if (hint === undefined || hint === "html" || hint === "text") return formatOf(text, hint);
  return isMarkedHtml(text) ? "html" : hint;
}

/** Checks whether one input of this kind holds many documents. */
export function isOfMany(kind: InputKind | undefined): boolean {
  return kind !== undefined && kind !== "html" && kind !== "text";
}

/** Whether the pages of an input of this kind are in named fields or columns. */
export function hasFields(kind: InputKind): boolean {
  return kind === "jsonl" || kind === "json" || kind === "parquet";
}

/** Checks whether a head must be from records, so that a slow pipe need not send more before the kind is known. */
export function isSurelyRecords(head: Uint8Array, column?: string): boolean {
  const text = readableHead(head);
  return text.includes("\n") && (isRecord(text, column) || isWarc(text));
}

function isWarc(text: string): boolean {
  return /^WARC\/\d\.\d{1,3}\r?\n/.test(text);
}

/** Checks for the magic bytes, followed by the first byte of a page header or of the footer. */
function isParquet(head: Uint8Array): boolean {
  return /^PAR1[\x00-\x1f]/.test(decodeLatin1(head.subarray(0, 5)));
}

/** Checks for the header of the first member of a zip file. */
export function isZip(head: Uint8Array): boolean {
  return decodeLatin1(head.subarray(0, 4)) === "PK\x03\x04";
}

/** Checks for a zip file whose first member is where only a WACZ has one. Others are recognised by their names. */
function isWacz(head: Uint8Array): boolean {
  const name = decodeLatin1(head.subarray(30, 64));
  return isZip(head) && /^(?:archive\/[^]|indexes\/|pages\/|datapackage)/.test(name);
}

/** A byte order mark, decoded as Latin-1. */
const MARK = /^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/;

/** Decodes the head as Latin-1 without NULs: enough for ASCII markup in any charset, UTF-16 included. */
export function readableHead(bytes: Uint8Array, most = HEAD_BYTES): string {
  return decodeLatin1(bytes.subarray(0, most)).replaceAll("\0", "").replace(MARK, "").trimStart();
}

/**
 * The record fields that hold a page, best first: HTML says more than lines, and lines more than text. OSCAR and CCNet
 * use the last two names for text. Others put HTML there, so the content decides.
 */
export const PAGE_FIELDS = {
  html: "html",
  lines: "lines",
  text: "text",
  content: "text or html",
  raw_content: "text or html",
} as const;

const PAGE_FIELD = new RegExp(`[{,]\\s*"(?:${Object.keys(PAGE_FIELDS).join("|")})"\\s*:`);

/** The head is decoded as Latin-1, so the column name has to be, too. */
function hasPageField(text: string, column: string | undefined): boolean {
  if (PAGE_FIELD.test(text)) return true;
  return (
    column !== undefined && text.includes(decodeLatin1(new TextEncoder().encode(JSON.stringify(column))))
  );
}

/**
 * Checks whether the first line opens a JSON object with a page field, or is a whole JSON object followed by a line
 * that opens another one: a record may have no page.
 */
function isRecord(text: string, column: string | undefined): boolean {
  const [line = "", second] = text.split("\n", 2);
  if (!/^\{\s*"/.test(line)) return false;
  return (
    hasPageField(line, column) ||
    (second !== undefined && tryJson(line) !== undefined && /^\{\s*"/.test(second))
  );
}

/** Checks whether the head is only the beginning of a long object, whose page field may come later. */
function isCutRecord(text: string): boolean {
  return /^\{\s*"[^"\\]{1,99}"\s*:/.test(text) && !text.includes("\n");
}

/** Checks whether the text opens an array of objects, or an object over many lines, with page fields. */
function isJson(text: string, column: string | undefined): boolean {
  return /^(?:\[\s*\{|\{[^\S\n]*\n)\s*"/.test(text) && hasPageField(text, column);
}

function formatOf(text: string, hint: PageFormat | undefined): PageFormat {
  if (isMarkedHtml(text)) return "html";
  // The source of a feed is not worth reading as text. Without a type it counts as HTML here, and the check for foreign
  // markup refuses it later.
  return hint ?? (isLikelyHtml(text) || findForeignMarkup(text) !== undefined ? "html" : "text");
}

/** The most comments and processing instructions before a page that are skipped. */
const MAX_PREAMBLE = 20;

/**
 * Checks whether a head declares itself as HTML, by a doctype or an element that only a page has. The head must have no
 * leading whitespace.
 */
export function isMarkedHtml(text: string): boolean {
  let rest = text;
  for (let i = 0; i < MAX_PREAMBLE; i += 1) {
    const end = rest.startsWith("<!--") ? "-->" : rest.startsWith("<?") ? ">" : undefined;
    if (end === undefined) break;
    const at = rest.indexOf(end);
    if (at === -1) return false;
    rest = rest.slice(at + end.length).trimStart();
  }
  return /^<(?:!doctype\s+html|html|head|body)(?=[\s>/])/i.test(rest);
}

/** Closing tags from which a fragment without a type counts as HTML. */
const MIN_CLOSING_TAGS = 3;

function isLikelyHtml(text: string): boolean {
  const closing =
    /<\/(?:a|p|b|i|em|strong|span|div|li|ul|ol|td|tr|table|h[1-6]|title|script|style|section|article|main|nav|header|footer)\s*>/gi;
  let count = 0;
  while (count < MIN_CLOSING_TAGS && closing.test(text)) count += 1;
  if (count >= MIN_CLOSING_TAGS) return true;
  return /^<(?:!--|meta|title|link|script|style|div|p|h1|table|article|section|main|header|nav|ul|ol|br|a|b|iframe)(?=[\s>/-])/i.test(
    text,
  );
}
