/** Writes labelled documents as WET: WARC files whose `conversion` records hold the plain text of pages. */
import { createHash } from "node:crypto";
import type { Document, LabelledLine } from "../../document.js";
import { toFields, tryJson, type Fields } from "../../json.js";
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

/** The date where none is known: with a clock, each run would write other bytes. */
const NO_DATE = "1970-01-01T00:00:00Z";

/**
 * Each `write` to the sink is one whole record. Record ids are digests of what they name, and dates are those of the
 * pages, so that the same input gives the same bytes.
 */
function createWetWriter(sink: Sink, options: WriterOptions): Writer {
  return createFramedWriter("wet", sink, { ...options, format, opening: formatInfo(options), closing: "" });
}

/** The record that opens the file: what made it, and the fingerprint of all that shaped the texts. */
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

/** A UUID of version 8 (RFC 9562), made from a digest: the same content has the same id wherever it is written. */
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

/** The id of the record that the text was made from, where the document is named after it. */
function findRecordId(id: string): string | undefined {
  const uuid = /^<?(urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})>?$/i.exec(id)?.[1];
  return uuid === undefined ? undefined : `<${uuid}>`;
}

/** Every conversion must name a URI: for what came from no URL it is one made of the id. */
function toUri({ url, id }: Document): string {
  const uri = url === "" ? `urn:x-thresher:${id}` : url;
  // What could end the field, or what no URI holds, is written as its bytes.
  return uri.replace(/[\p{Cc}\p{Z}\p{Cs}<>"]/gu, encodeCharacter);
}

function encodeCharacter(character: string): string {
  // A lone surrogate has no bytes; a buffer takes U+FFFD for it.
  return Buffer.from(character)
    .toString("hex")
    .replace(/../g, (byte) => `%${byte.toUpperCase()}`);
}

/** Where records of crawls say when a page was fetched. */
const DATE_FIELDS = [
  "WARC-Date",
  "warc-date",
  "warc_date",
  "date",
  "timestamp",
  "date_download", // CCNet
  "ts", // HPLT
] as const;
/** Fields that hold such fields: of OSCAR, of datatrove, of RedPajama. */
const HEADER_FIELDS = ["warc_headers", "metadata", "meta"] as const;

/** Passes over one corpus that are looked through: each puts what its records carried into `carried` again. */
const MOST_PASSES = 20;

/** What may be the header of the fetch: the fields of the record that the document came in, and those it carried. */
function listHeaders({ carried }: Document): readonly Fields[] {
  const headers: Fields[] = [];
  let json: unknown = carried;
  for (let pass = 0; pass < MOST_PASSES && json !== undefined; pass += 1) {
    // Tables hold what was carried as text; a text that is no JSON is a field of the same name that others had.
    const fields = toFields(typeof json === "string" ? tryJson(json) : json);
    headers.push(fields, ...HEADER_FIELDS.map((name) => toFields(fields[name])));
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

/** The languages of the page, the main one first, as the header said them. */
function findLanguages(headers: readonly Fields[]): string | undefined {
  for (const fields of headers) {
    const said = fields[LANGUAGES] ?? fields[LANGUAGES.toLowerCase()];
    if (typeof said === "string" && /^[a-z]{2,3}(?:,[a-z]{2,3}){0,9}$/.test(said)) return said;
  }
  return undefined;
}

/** To the second, in UTC. A date without a zone is taken for UTC: what it means must not depend on where this runs. */
function toWarcDate(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/.exec(value);
  const [, day, time = "00:00:00", zone = "Z"] = match ?? [];
  if (day === undefined) return undefined;
  const instant = new Date(`${day}T${time}${zone.replace(/^(...)(\d\d)$/, "$1:$2")}`);
  return Number.isNaN(instant.getTime()) ? undefined : formatDate(instant);
}
