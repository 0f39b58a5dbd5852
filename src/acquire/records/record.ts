/** Makes a page from the fields of one record, a JSON object or a table row, and carries all other fields along. */
import type { CarriedJson, Page, ReadContent } from "../../document.js";
import {
  digitsOf,
  formatJson,
  isStrings,
  parseFields,
  parseJson,
  toFields,
  toText,
  type Fields,
} from "../../json.js";
import { normaliseLang } from "../../language/language-tag.js";
import { accept, reject, type Outcome, type PageName } from "../../outcome.js";
import { ownValue } from "../../own-value.js";
import { findForeign } from "../foreign.js";
import { chooseFormat, isMarkedHtml, PAGE_FIELDS, readableHead, SHORT_HEAD_BYTES } from "../kind.js";
import { toPage } from "../page-bytes.js";
import { readScored, SCORED_FIELDS } from "./scored-record.js";

export interface RecordPlace {
  /** The id of a record that has no id of its own. */
  readonly id: string;
  /** Its position in the input, for messages. */
  readonly at: string;
  /** The most bytes of the page; text is counted in UTF-8. */
  readonly maxBytes: number;
  /** The field that holds the page; the first usable one of `PAGE_FIELDS` when absent. */
  readonly column?: string;
  /** Set if the caller cannot choose another field, so that messages do not mention --column. */
  readonly columns?: "usual";
}

type Kind = (typeof PAGE_FIELDS)[keyof typeof PAGE_FIELDS] | "any";

/** Bytes whose charset the page itself may declare. */
interface RawContent {
  readonly kind: "raw";
  readonly bytes: Uint8Array;
  readonly format: "html" | "text";
  readonly contentType?: string;
}

type FoundContent = Exclude<ReadContent, { readonly kind: "bytes" }> | RawContent;

interface Found {
  /** The fields that the content was made from. */
  readonly names: readonly string[];
  readonly content: FoundContent;
}

/**
 * Reads the page of a record. Values are those of JSON, or bytes, which only tables have. Returns a reject if there is
 * no page, or if it is too large.
 */
export function readRecord(record: Fields, place: RecordPlace): Outcome<Page> {
  const { at, maxBytes } = place;
  const origins = listOrigins(record);
  const { of, used } = findNames(record, origins, place.id);
  const found = findContent(record, place);
  if (typeof found === "string") return reject(of, "acquire", "bad-record", `${at}: ${found}`);
  const page = judgeContent(of, found.content, { at, maxBytes });
  if (!page.ok) return page;
  const lang = findLanguage(origins);
  const isScored = found.content.kind === "scored";
  const rest = carry(record, new Set([...used, ...found.names, ...(isScored ? SCORED_FIELDS : [])]));
  const carried = isScored ? joinCarried(record["carried"], rest) : rest;
  return accept({ ...page.value, ...(lang && { lang }), ...(carried && { carried }) });
}

/** Finds the field with the page, preferably one that is not blank. Returns a string if something is wrong. */
function findContent(record: Fields, { column, columns }: RecordPlace): Found | string {
  const wanted: readonly (readonly [name: string, kind: Kind])[] =
    column === undefined ? Object.entries(PAGE_FIELDS) : [[column, "any"]];
  let blank: Found | undefined;
  for (const [name, kind] of wanted) {
    const content = toContent(ownValue(record, name), kind);
    if (content !== undefined && !isBlank(content)) return { names: [name], content };
    if (content !== undefined) blank ??= { names: [name], content };
    if (name === "lines") {
      const scored = readScored(record);
      if (scored !== undefined) return { names: [name], content: { kind: "scored", scored } };
    }
  }
  if (blank !== undefined) return blank;
  if (column === undefined && typeof record["bytes"] === "string") return decodeBytes(record);
  if (column === undefined && Array.isArray(toFields(record["log"])["entries"])) return HAR_ADVICE;
  const there = wanted.filter(([name]) => ownValue(record, name) !== undefined);
  const wrong = there.map(([name, kind]) => `${name} ${nameFault(ownValue(record, name), kind)}`);
  const what = wrong.length === 0 ? `no ${column ?? "html, text, lines or bytes"}` : wrong.join(", ");
  const others = nameOthers(record, new Set(["id", "url", ...there.map(([name]) => name)]));
  const advice = others === "" || columns === "usual" ? "" : " (--column names the field of the page)";
  return what + others + advice;
}

/** A browser's record of its requests (HTTP Archive 1.2) holds pages among scripts and images. */
const HAR_ADVICE =
  'HAR; take its pages out first: jq -c \'.log.entries[] | select(.response.content.mimeType | test("html")) | ' +
  "{url: .request.url, html: .response.content.text}' FILE | thresher - --from jsonl";

/** The most fields that a message lists if the page is not found, and the most characters of each name. */
const MOST_NAMED = 10;
const NAME_CHARS = 40;

/** Lists the other fields, one of which may hold the page. */
function nameOthers(record: Fields, known: ReadonlySet<string>): string {
  const names = Object.keys(record).filter((name) => !known.has(name));
  if (names.length === 0) return "";
  const shown = names.slice(0, MOST_NAMED).map((name) => {
    return name.length > NAME_CHARS ? `${name.slice(0, NAME_CHARS)}…` : name;
  });
  if (names.length > MOST_NAMED) shown.push("…");
  return `; there are ${shown.join(", ")}`;
}

/** Decodes base64, as JSON holds bytes, together with their content type. */
function decodeBytes({ bytes: encoded, contentType }: Fields): Found | string {
  if (typeof encoded !== "string" || !/^[\w+/-]*={0,2}$/.test(encoded)) return "bytes is not base64";
  const bytes = Buffer.from(encoded, "base64");
  const type = typeof contentType === "string" ? contentType : undefined;
  const format = chooseFormat(bytes, type);
  return {
    names: ["bytes", "contentType"],
    content: { kind: "raw", bytes, format, ...(type === undefined ? {} : { contentType: type }) },
  };
}

function toContent(value: unknown, kind: Kind): FoundContent | undefined {
  if (kind === "lines" || (kind === "any" && Array.isArray(value)))
    return isStrings(value) ? { kind: "lines", lines: value } : undefined;
  if (value instanceof Uint8Array) {
    const format = kind === "any" ? chooseFormat(value) : nameFormat(kind, value);
    // A view would keep the whole page of the table in memory.
    return { kind: "raw", bytes: value.slice(), format };
  }
  if (typeof value !== "string") return undefined;
  const format =
    kind === "any" ? chooseFormat(Buffer.from(value.slice(0, HEAD_CHARS))) : nameFormat(kind, value);
  return format === "html" ? { kind: "html", html: value } : { kind: "text", text: value };
}

function nameFormat(kind: "html" | "text" | "text or html", value: string | Uint8Array): "html" | "text" {
  if (kind !== "text or html") return kind;
  const isText = typeof value === "string";
  const head = isText ? value.slice(0, SHORT_HEAD_BYTES).trimStart() : readableHead(value, SHORT_HEAD_BYTES);
  return isMarkedHtml(head) ? "html" : "text";
}

function isBlank(content: FoundContent): boolean {
  return content.kind === "raw" ? content.bytes.length === 0 : areBlank(listTexts(content));
}

function areBlank(texts: readonly string[]): boolean {
  return texts.every((text) => !/\S/.test(text));
}

/** Characters from which HTML is detected in a field whose name does not say what it holds. */
const HEAD_CHARS = 16_384;

function judgeContent(
  of: PageName,
  content: FoundContent,
  { at, maxBytes }: { readonly at: string; readonly maxBytes: number },
): Outcome<Page> {
  if (content.kind === "raw") {
    const { bytes, format, contentType } = content;
    const told = { format, ...(contentType === undefined ? {} : { contentType }) };
    const outcome = toPage({ ...of, ...told }, bytes.length > maxBytes ? undefined : bytes, maxBytes);
    if (outcome.ok) return outcome;
    return { ...outcome, detail: outcome.detail === undefined ? at : `${at}: ${outcome.detail}` };
  }
  const texts = listTexts(content);
  const most = texts.reduce((sum, text) => sum + text.length * MOST_BYTES_PER_UNIT, 0);
  // Counts the bytes only if they could be too many: counting takes a tenth as long as parsing the record.
  const size = most > maxBytes ? texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) : 0;
  if (size > maxBytes)
    return reject(of, "acquire", "too-large", `${at}: ${size} bytes, more than ${maxBytes}`);
  if (areBlank(texts)) return reject(of, "acquire", "empty", at);
  const foreign = content.kind === "html" ? findForeign(content.html) : undefined;
  if (foreign !== undefined) return reject(of, "acquire", "not-a-page", `${at}: ${foreign}`);
  return accept({ ...of, content });
}

/** The most UTF-8 bytes for one UTF-16 code unit. */
const MOST_BYTES_PER_UNIT = 3;

function listTexts(content: Exclude<FoundContent, RawContent>): readonly string[] {
  if (content.kind === "scored") return content.scored.lines.map(({ text }) => text);
  if (content.kind === "lines") return content.lines;
  return [content.kind === "html" ? content.html : content.text];
}

/**
 * Finds the id and URL: the record's own, those of the WARC record that the text is from, or the URL in the metadata of
 * datatrove or RedPajama, in HPLT's field `u`, or in Trafilatura's `source`.
 */
function findNames(
  record: Fields,
  origins: readonly Fields[],
  fallback: string,
): { readonly of: PageName; readonly used: readonly string[] } {
  const used: string[] = [];
  let id = toId(record["id"]);
  if (id !== undefined) used.push("id");
  id ??= findText(origins, RECORD_ID) ?? fallback;
  let url = typeof record["url"] === "string" ? record["url"] : undefined;
  if (url !== undefined) used.push("url");
  url ||= findText(origins, TARGET_URI) ?? findText(origins, ["url"]);
  const { u, source } = record;
  for (const other of [u, source])
    if (typeof other === "string" && /^https?:\/\//i.test(other)) url ||= other;
  return { of: { id, url: url ?? "" }, used };
}

/**
 * Lists the objects in which other tools state the origin of a text: the record, its metadata, which tables may hold as
 * JSON text, and the header of its WARC record, which OSCAR keeps beside the text, and within `meta` on the hub.
 */
function listOrigins(record: Fields): readonly Fields[] {
  const origins = [record];
  for (const value of [record["metadata"], record["meta"]])
    if (value !== undefined) origins.push(parseFields(value) ?? {});
  for (const { warc_headers, headers } of [...origins])
    for (const value of [warc_headers, headers]) if (isNest(value)) origins.push(toFields(value));
  return origins;
}

/** The spellings of the fields of a WARC header. */
const RECORD_ID = ["warc-record-id", "WARC-Record-ID", "warc_record_id"] as const;
const TARGET_URI = ["warc-target-uri", "WARC-Target-URI", "warc_target_uri"] as const;
const LANGUAGES = [
  "warc-identified-content-language",
  "WARC-Identified-Content-Language",
  "warc_identified_content_language",
] as const;
/** The fields in which a record, or its metadata, states the language; the last two are those of GlotCC and HPLT 1. */
const LANGUAGE_FIELDS = ["lang", "language", "identification-language", "document_lang"] as const;

function findText(among: readonly Fields[], names: readonly string[]): string | undefined {
  for (const fields of among)
    for (const name of names) {
      const text = toText(fields[name]);
      if (text !== undefined) return text;
    }
  return undefined;
}

/**
 * Finds the language that the record states: in a field of its own (the first of several is the main one), in the
 * result of a classifier or another field of its metadata, or in the header of the WARC record.
 */
function findLanguage(origins: readonly Fields[]): string | undefined {
  for (const fields of origins) {
    const label = toFields(fields["identification"])["label"];
    for (const stated of [label, ...LANGUAGE_FIELDS.map((name) => fields[name])]) {
      const main: unknown = Array.isArray(stated) ? stated[0] : stated;
      const tag = typeof main === "string" ? normaliseLang(main) : undefined;
      if (tag !== undefined) return tag;
    }
  }
  return normaliseLang(findText(origins, LANGUAGES) ?? "");
}

function toId(id: unknown): string | undefined {
  return toText(id) ?? digitsOf(id);
}

/** Levels of nested arrays and objects that are carried along; writing thousands of levels would fail. */
const MAX_DEPTH = 100;

/** Collects, unchanged, the fields that have a value and were not used. */
function carry(record: Fields, used: ReadonlySet<string>): CarriedJson | undefined {
  const rest = Object.entries(record).filter(
    ([name, value]) => !used.has(name) && value !== null && value !== undefined && value !== "",
  );
  if (rest.length === 0) return undefined;
  return formatJson(
    Object.fromEntries(
      rest.map(([name, value]) => [
        name,
        isShallow(value) ? value : `(nested more than ${MAX_DEPTH} deep, not carried along)`,
      ]),
    ),
  );
}

/** Merges what an earlier run carried along with the fields that were added to the record since. */
function joinCarried(carried: unknown, rest: CarriedJson | undefined): CarriedJson | undefined {
  const before = carry(parseFields(carried) ?? { carried }, new Set());
  const fields = [before, rest].map((json) => (json === undefined ? {} : toFields(parseJson(json))));
  const all = Object.fromEntries(fields.flatMap((one) => Object.entries(one)));
  return Object.keys(all).length === 0 ? undefined : formatJson(all);
}

function isShallow(value: unknown): boolean {
  let level = [value].filter(isNest);
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1)
    level = level.flatMap((item) => Object.values<unknown>({ ...item })).filter(isNest);
  return level.length === 0;
}

function isNest(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function nameFault(value: unknown, kind: Kind): string {
  if (value === null) return "is null";
  if (digitsOf(value) !== undefined) return "is a number";
  if (Array.isArray(value)) return kind === "lines" || kind === "any" ? nameLines(value) : "is an array";
  return typeof value === "object" ? "is an object" : `is a ${typeof value}`;
}

/** Explains what is wrong with `lines`: they must be strings, or objects that an earlier run has scored. */
function nameLines(lines: readonly unknown[]): string {
  return lines.length > 0 && lines.every(isNest)
    ? "is an array of objects that do not all have a text and a score from 0 to 1"
    : "is an array of values that are not all strings";
}
