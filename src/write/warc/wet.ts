/** Writes labelled documents as WET: WARC files whose `conversion` records hold the plain text of pages. */
import { createHash } from "node:crypto";
import type { Document, LabelledLine } from "../../document.js";
import { parseFields, toFields, tryJson, type Fields } from "../../json.js";
import { createFramedWriter } from "../joined-writers.js";
import { formatText } from "../text.js";
import type { FileOptions, Format, FormatOptions, Sink, Writer, WriterOptions } from "../writer.js";
import { digestOf, formatDate, formatRecordHead, RECORD_END, type Field } from "./warc-record.js";

export const WET = {
  title: "WET",
  extension: ".wet",
  hasRecords: true,
  gzip: "record",
  format,
  create: createWetWriter,
} satisfies Format;

/** The date of records without one. The current time would give different bytes in each run. */
const NO_DATE = "1970-01-01T00:00:00Z";

/**
 * Creates a WET writer. Each `write` to the sink is one whole record. Record ids are digests of the content, and dates
 * are those of the pages, so that the same input gives the same bytes.
 */
function createWetWriter(sink: Sink, options: WriterOptions): Writer {
  return createFramedWriter("wet", sink, { ...options, format, opening: formatInfo(options), closing: "" });
}

/** The `warcinfo` record that opens the file: the program and the fingerprint of everything that shaped the texts. */
function formatInfo(options: FileOptions): string {
  const fields: Field[] = [
    ["WARC-Type", "warcinfo"],
    ["WARC-Record-ID", toInfoId(options)],
    ["WARC-Date", NO_DATE],
    ["Content-Type", "application/warc-fields"],
  ];
  return formatRecord(fields, tellOptions(options));
}

function tellOptions({ version, fingerprint }: FileOptions): string {
  return [
    `software: Thresher/${version}\r\n`,
    "format: WARC File Format 1.0\r\n",
    "description: Main text of web pages\r\n",
    `fingerprint: ${fingerprint}\r\n`,
  ].join("");
}

function toInfoId(options: FileOptions): string {
  return toRecordId(["warcinfo", tellOptions(options)]);
}

function format(doc: Document<LabelledLine>, options: FormatOptions): string {
  const { fingerprint } = options;
  const block = formatText(doc);
  const refersTo = findRecordId(doc.id);
  const headers = listHeaders(doc);
  const languages = findLanguages(headers);
  return formatRecord(
    [
      ["WARC-Type", "conversion"],
      ["WARC-Target-URI", toUri(doc)],
      ["WARC-Date", findDate(headers) ?? toWarcDate(doc.meta.date) ?? NO_DATE],
      ["WARC-Record-ID", toRecordId([fingerprint, doc.id, doc.url, block])],
      ["WARC-Warcinfo-ID", toInfoId(options)],
      ...(refersTo === undefined ? [] : [["WARC-Refers-To", refersTo] as const]),
      ...(languages === undefined ? [] : [[LANGUAGES, languages] as const]),
      ["WARC-Block-Digest", digestOf(block)],
      ["Content-Type", "text/plain"],
    ],
    block,
  );
}

function formatRecord(fields: readonly Field[], block: string): string {
  return `${formatRecordHead("1.0", fields, Buffer.byteLength(block))}${block}${RECORD_END}`;
}

/** A UUID of version 8 (RFC 9562) made from a digest: the same content has the same id in every file. */
function toRecordId(parts: readonly (string | Uint8Array)[]): string {
  const digest = createHash("sha256");
  for (const part of parts) {
    const bytes = typeof part === "string" ? Buffer.from(part) : part;
    digest.update(`${bytes.length}:`).update(bytes);
  }
  const bytes = digest.digest().subarray(0, 16);
  bytes.writeUInt8(((bytes[6] ?? 0) & 0x0f) | 0x80, 6);
  bytes.writeUInt8(((bytes[8] ?? 0) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  const groups = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)];
  return `<urn:uuid:${groups.join("-")}>`;
}

/** The id of the record that the text was made from, if the document is named after it. */
function findRecordId(id: string): string | undefined {
  const uuid = /^<?(urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})>?$/i.exec(id)?.[1];
  return uuid === undefined ? undefined : `<${uuid}>`;
}

/** The target URI, which every conversion must have: a document without a URL gets a URN made of its id. */
function toUri({ url, id }: Document): string {
  const uri = url === "" ? `urn:x-thresher:${id}` : url;
  // Characters that could end the field, or that a URI cannot contain, are percent-encoded.
  return uri.replace(/[\p{Cc}\p{Z}\p{Cs}<>"]/gu, encodeCharacter);
}

function encodeCharacter(character: string): string {
  // A lone surrogate cannot be encoded; Buffer writes U+FFFD for it.
  return Buffer.from(character)
    .toString("hex")
    .replace(/../g, (byte) => `%${byte.toUpperCase()}`);
}

/** The fields in which crawl records state when a page was fetched. */
const DATE_FIELDS = [
  "WARC-Date",
  "warc-date",
  "warc_date",
  "date",
  "timestamp",
  "date_download", // CCNet
  "ts", // HPLT
] as const;
/** The fields that contain these fields: in OSCAR, in datatrove, in RedPajama; the last may contain the first. */
const HEADER_FIELDS = ["warc_headers", "headers", "metadata", "meta"] as const;

/** How many nested `carried` fields are searched: each pass over a corpus nests the earlier fields once more. */
const MOST_PASSES = 20;

/**
 * Lists the objects that may hold the header of the fetch: the fields of the record that the document came in, and
 * those nested in it.
 */
function listHeaders({ carried }: Document): readonly Fields[] {
  const headers: Fields[] = [];
  let json: unknown = carried;
  for (let pass = 0; pass < MOST_PASSES && json !== undefined; pass += 1) {
    // Tables store carried fields as JSON text. Text that is not JSON is another field that happens to have this name.
    const fields = toFields(typeof json === "string" ? tryJson(json) : json);
    for (const outer of [fields, parseFields(fields["meta"]) ?? {}])
      headers.push(outer, ...HEADER_FIELDS.map((name) => parseFields(outer[name]) ?? {}));
    json = fields["carried"];
  }
  return headers;
}

function findDate(headers: readonly Fields[]): string | undefined {
  for (const fields of headers)
    for (const name of DATE_FIELDS) {
      const date = toWarcDate(fields[name]);
      if (date !== undefined) return date;
    }
  return undefined;
}

const LANGUAGES = "WARC-Identified-Content-Language";

/** The languages of the page, the main one first, as the header states them. */
function findLanguages(headers: readonly Fields[]): string | undefined {
  for (const fields of headers) {
    const said = fields[LANGUAGES] ?? fields[LANGUAGES.toLowerCase()];
    if (typeof said === "string" && /^[a-z]{2,3}(?:,[a-z]{2,3}){0,9}$/.test(said)) return said;
  }
  return undefined;
}

/**
 * Formats a date to the second, in UTC; times in HTML may have no seconds. A date without a zone is read as UTC, so that
 * the result does not depend on the machine.
 */
function toWarcDate(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const match = /^(\d{4}[-/]\d\d[-/]\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/.exec(
    value,
  );
  const [, day, time = "00:00:00", zone = "Z"] = match ?? [];
  if (day === undefined) return undefined;
  const instant = new Date(`${day.replaceAll("/", "-")}T${time}${zone.replace(/^(...)(\d\d)$/, "$1:$2")}`);
  return Number.isNaN(instant.getTime()) ? undefined : formatDate(instant);
}
