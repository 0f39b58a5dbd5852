/**
 * Tells from the first bytes and the name of an input what it is: an HTML page, plain text, or records of one kind or
 * another.
 */
import type { PageFormat } from "../document.js";
import { decodeLatin1 } from "../bytes/latin1.js";
import { tryJson } from "../json.js";
import { ownValue } from "../own-value.js";
import { findForeignMarkup } from "./foreign.js";

export const INPUT_KINDS = ["html", "text", "jsonl", "json", "warc", "wet", "parquet"] as const;
export type InputKind = (typeof INPUT_KINDS)[number];

/** Bytes from which a kind is told. */
export const HEAD_BYTES = 65_536;
/**
 * Bytes in which nearly every page says what it is: looking at a longer head of every page would cost more than all
 * else here.
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
  parquet: "parquet",
};

/** Extensions of the files that a directory is searched for, each also with `.gz` or `.zst`. */
export const EXTENSIONS: readonly string[] = Object.keys(KIND_OF_EXTENSION).filter((one) =>
  isSearchedFor(`.${one}`),
);

/** In lower case; `.gz` and `.zst` are looked through. */
export function extensionOf(name: string): string | undefined {
  return /\.([a-z]+)(?:\.(?:gz|zst))?$/i.exec(name)?.[1]?.toLowerCase();
}

/** What a file name promises. */
export function kindOfName(name: string): InputKind | undefined {
  const extension = extensionOf(name);
  return extension === undefined ? undefined : ownValue(KIND_OF_EXTENSION, extension);
}

/** Whether a name promises a table of records that is not read. */
export function isTableName(name: string): boolean {
  const extension = extensionOf(name);
  return extension === "csv" || extension === "tsv";
}

/** Whether a file of a directory is looked into: most `.json` are settings, but those that are packed hold records. */
export function isSearchedFor(name: string): boolean {
  const kind = kindOfName(name);
  return kind !== undefined && (kind !== "json" || !/\.json$/i.test(name));
}

/** Types by which a server says that it does not know (WHATWG MIME Sniffing, 7.1), and the one that some mean by it. */
const UNKNOWN_TYPES: ReadonlySet<string> = new Set([
  "*/*",
  "application/unknown",
  "application/x-unknown-content-type",
  "unknown/unknown",
]);

/** Returns the type without its parameters, in lower case; undefined where it is missing, not a type or says nothing. */
export function essenceOf(contentType: string | undefined): string | undefined {
  const essence = contentType?.split(";", 1)[0]?.trim().toLowerCase();
  if (essence === undefined || UNKNOWN_TYPES.has(essence)) return undefined;
  return /^[^\s/]+\/[^\s/]+$/.test(essence) ? essence : undefined;
}

/** The last one is that of pages for phones, of the time before they could show others. */
const HTML_TYPES: ReadonlySet<string> = new Set([
  "text/html",
  "application/xhtml+xml",
  "application/vnd.wap.xhtml+xml",
]);

/** Types that are pages; XML is one only if it says inside that it is HTML. */
const PAGE_TYPES: ReadonlySet<string> = new Set([
  ...HTML_TYPES,
  "text/plain",
  "text/markdown",
  "text/x-markdown",
]);
const XML_TYPES: ReadonlySet<string> = new Set(["text/xml", "application/xml"]);

/** Whether what comes with this type is a page of HTML. */
export function isHtmlType(contentType: string | undefined): boolean {
  return HTML_TYPES.has(essenceOf(contentType) ?? "");
}

/** Whether a page may come with this type, or with none. */
export function mayBePage(contentType: string | undefined): boolean {
  const essence = essenceOf(contentType);
  return essence === undefined || PAGE_TYPES.has(essence) || XML_TYPES.has(essence);
}

/** Whether this is XML without a sign of being a page: its source is not worth reading as text. */
export function isBareXml(format: PageFormat, contentType: string | undefined): boolean {
  return format === "text" && XML_TYPES.has(essenceOf(contentType) ?? "");
}

/**
 * Chooses HTML or plain text: by the bytes where they are clear, then by the type, then by weaker signs in the bytes.
 */
export function chooseFormat(bytes: Uint8Array, contentType?: string): PageFormat {
  const essence = essenceOf(contentType);
  const hint = essence === undefined ? undefined : HTML_TYPES.has(essence) ? "html" : "text";
  return isMarkedHtml(readableHead(bytes, SHORT_HEAD_BYTES)) ? "html" : formatOf(readableHead(bytes), hint);
}

/**
 * Chooses the kind of an input, which may also hold records; `hint` is what its name promises, and `column` the field of
 * records that holds the page, where its name is none of the usual ones.
 */
export function chooseKind(head: Uint8Array, hint: InputKind | undefined, column?: string): InputKind {
  if (isParquet(head)) return "parquet";
  const text = readableHead(head);
  if (isRecord(text, column) || (head.length >= HEAD_BYTES && isCutRecord(text))) return "jsonl";
  if (isWarc(text)) return "warc";
  if (isJson(text, column)) return "json";
  if (hint === undefined || hint === "html" || hint === "text") return formatOf(text, hint);
  return isMarkedHtml(text) ? "html" : hint;
}

/** Kinds of which one input holds many documents. */
export function isOfMany(kind: InputKind | undefined): boolean {
  return kind !== undefined && kind !== "html" && kind !== "text";
}

/** Whether a head can be nothing but records: then a slow pipe need not wait for more. */
export function isSurelyRecords(head: Uint8Array, column?: string): boolean {
  const text = readableHead(head);
  return text.includes("\n") && (isRecord(text, column) || isWarc(text));
}

function isWarc(text: string): boolean {
  return /^WARC\/\d\.\d{1,3}\r?\n/.test(text);
}

/** Looks for the magic bytes, and for the first of a page header or of the footer. */
function isParquet(head: Uint8Array): boolean {
  return /^PAR1[\x00-\x1f]/.test(decodeLatin1(head.subarray(0, 5)));
}

/** A byte order mark, decoded as Latin-1. */
const MARK = /^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/;

/** Decodes the head as Latin-1, without NULs: enough for ASCII markup in any charset, UTF-16 included. */
export function readableHead(bytes: Uint8Array, most = HEAD_BYTES): string {
  return decodeLatin1(bytes.subarray(0, most)).replaceAll("\0", "").replace(MARK, "").trimStart();
}

/**
 * The fields that hold a page, and as what: HTML says more than lines, lines more than text. The last two are how OSCAR
 * and CCNet name theirs; others have HTML there, which is told by what it says of itself.
 */
export const PAGE_FIELDS = {
  html: "html",
  lines: "lines",
  text: "text",
  content: "text or html",
  raw_content: "text or html",
} as const;

const PAGE_FIELD = new RegExp(`[{,]\\s*"(?:${Object.keys(PAGE_FIELDS).join("|")})"\\s*:`);

/** The head is decoded as Latin-1, and so must be the name that is looked for. */
function hasPageField(text: string, column: string | undefined): boolean {
  if (PAGE_FIELD.test(text)) return true;
  return (
    column !== undefined && text.includes(decodeLatin1(new TextEncoder().encode(JSON.stringify(column))))
  );
}

/**
 * Whether the first line opens a JSON object that holds a page, or is an object before a second line that opens one: a record
 * may be without a page.
 */
function isRecord(text: string, column: string | undefined): boolean {
  const [line = "", second] = text.split("\n", 2);
  if (!/^\{\s*"/.test(line)) return false;
  return (
    hasPageField(line, column) ||
    (second !== undefined && tryJson(line) !== undefined && /^\{\s*"/.test(second))
  );
}

/** Whether nothing but a long object is there yet: what holds the page may come late in it. */
function isCutRecord(text: string): boolean {
  return /^\{\s*"[^"\\]{1,99}"\s*:/.test(text) && !text.includes("\n");
}

/** Whether it opens an array of objects, or an object over many lines, that hold pages. */
function isJson(text: string, column: string | undefined): boolean {
  return /^(?:\[\s*\{|\{[^\S\n]*\n)\s*"/.test(text) && hasPageField(text, column);
}

function formatOf(text: string, hint: PageFormat | undefined): PageFormat {
  if (isMarkedHtml(text)) return "html";
  // The source of a feed is not worth reading as text: where no type is stated, it counts as a page and is refused
  // there.
  return hint ?? (isLikelyHtml(text) || findForeignMarkup(text) !== undefined ? "html" : "text");
}

/** Comments and processing instructions that may come before a page; more than these are not looked through. */
const MAX_PREAMBLE = 20;

/**
 * Whether a head without white space before it says itself that it is HTML: by a doctype, or by one of the elements that
 * only a page has.
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

/** Closing tags, in a head, from which a fragment without a stated type counts as HTML. */
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
