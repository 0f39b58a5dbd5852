/** Reads pages from a WARC or WET file: one outcome for each archived response, and one for each damaged stretch. */
import { tellCount } from "../../count.js";
import { isUtf8 } from "node:buffer";
import type { Page } from "../../document.js";
import {
  readFieldReservations,
  readReservedField,
  RESERVED_FIELD,
  reserveUses,
} from "../../document/reservations.js";
import { normaliseLang } from "../../language/language-tag.js";
import { accept, reject, type Outcome, type Reject, type PageName } from "../../outcome.js";
import { chooseType, mayBePage } from "../kind.js";
import { isGzip } from "../packed/decompress.js";
import { GZIP } from "../packed/gzip.js";
import { readMembers } from "../packed/members.js";
import type { Packing, Piece } from "../packed/packing.js";
import { createZstd } from "../packed/zstd-frames.js";
import { isZstd } from "../packed/zstd.js";
import { judgePayload, toPage } from "../page-bytes.js";
import { toReject } from "../read-errors.js";
import type { Chunks } from "../streams.js";
import { isHttp, parseHttp, readBody } from "./http-answer.js";
import { firstOf } from "../header-fields.js";
import type { WarcHeader } from "./warc-header.js";
import { readWarcRecords, type WarcDamage, type WarcRecord } from "./warc-records.js";
import { isSuccess } from "../http/status.js";

export type PackingName = "gzip" | "zstd";
const packings: Readonly<Record<PackingName, () => Packing>> = { gzip: () => GZIP, zstd: createZstd };

/** Bytes of packed data that show how it is packed, and whether it holds a WARC. */
export const PACKED_BYTES = 512;

/** Returns how a file that begins with these bytes is packed, if it is. */
export function packingOf(head: Uint8Array): { readonly packing?: PackingName } {
  if (isGzip(head)) return { packing: "gzip" };
  return isZstd(head) ? { packing: "zstd" } : {};
}

export interface WarcOptions {
  /** The name of the input. A record without an id is named `<input>@<offset>`. */
  readonly input: string;
  /** The most bytes of an unpacked page. */
  readonly maxBytes: number;
  /** Whether pages are passed on unchecked, because the cleaner checks them; when absent, they are checked here. */
  readonly judges?: "later";
  /** How the bytes are packed; absent if they are not. */
  readonly packing?: PackingName;
  /** Called for each record that has no page and is not damaged: a request, a revisit, metadata. */
  readonly onPassedOver?: (type: string) => void;
  /** Called for each damaged stretch, with the number of bytes in the file that gave no record. */
  readonly onSkipped?: (bytes: number) => void;
  /** Where the chunks begin; the beginning of the file when absent. */
  readonly start?: WarcStart;
  /** Called before an outcome if another reader could start with its record. */
  readonly onStart?: (start: WarcStart) => void;
}

/** The offset of a record in a WARC file at which reading can start. */
export interface WarcStart {
  readonly offset: number;
  /** Whether a digest before it was right; only then does a wrong digest count. */
  readonly areDigestsProven: boolean;
}

/** Bytes that a block may have besides the page: the HTTP header and chunk sizes. */
const BLOCK_SLACK_BYTES = 1 << 20;
/** Types of records with a page; the others are about the crawl. */
const PAGE_RECORDS: ReadonlySet<string> = new Set(["response", "resource", "conversion"]);
const OTHER_RECORDS: ReadonlySet<string> = new Set([
  "warcinfo",
  "request",
  "metadata",
  "revisit",
  "continuation",
]);

/**
 * The beginnings of the URIs under which crawlers archive what they note about a crawl: answers of DNS and WHOIS
 * servers, logs and settings (wget, NetarchiveSuite, wpull), what a page requested (Browsertrix), who captured it (Scoop).
 */
const NOTES = /^(?:(dns|whois|metadata|urn:(?:pageinfo|x-wpull)):|file:\/\/\/(provenance-summary)\.html$)/i;

/** Reads all records. The members of a packed file are read one by one. */
export async function* readWarc(chunks: Chunks, options: WarcOptions): AsyncGenerator<Outcome<Page>> {
  const { input, maxBytes, packing, start } = options;
  const at = start?.offset ?? 0;
  const pieces = packing === undefined ? wholePieces(chunks) : readMembers(chunks, packings[packing](), at);
  const passedOver = new Map<string, number>();
  const digests = { areProven: start?.areDigestsProven === true };
  let hasOutcome = start !== undefined;
  try {
    const limits = { maxBlockBytes: maxBytes + BLOCK_SLACK_BYTES, hasChecksums: packing === "gzip" };
    const records = readWarcRecords(pieces, {
      ...limits,
      digests,
      ...(packing === undefined && { start: at }),
    });
    for await (const record of records) {
      if (record.kind === "damage") options.onSkipped?.(record.skipped);
      const outcome = record.kind === "damage" ? tellDamage(record, input) : readRecord(record, options);
      if (typeof outcome === "string") {
        passedOver.set(outcome, (passedOver.get(outcome) ?? 0) + 1);
        options.onPassedOver?.(outcome);
      } else {
        hasOutcome = true;
        // A zstd file may begin with a dictionary that all its frames need, so reading cannot start later.
        if (record.kind === "record" && record.isStart && packing !== "zstd")
          options.onStart?.({ offset: record.offset, areDigestsProven: digests.areProven });
        yield outcome.ok && record.kind === "record"
          ? accept({ ...outcome.value, ...describePage(record.header) })
          : outcome;
      }
    }
  } catch (error) {
    yield toReject({ id: input, url: "" }, error);
    return;
  }
  if (hasOutcome) return;
  const counts = [...passedOver].map(([what, count]) => `${what} ${count}`).join(", ");
  const detail = counts === "" ? "no records" : `no pages, only other records: ${counts}`;
  yield reject({ id: input, url: "" }, "acquire", "empty", detail);
}

const LANGUAGES = "WARC-Identified-Content-Language";
/**
 * WARC fields that are carried along with the page: when it was fetched, its languages, why it was cut off, and the
 * record of the page if this one is a text that was extracted from it.
 */
const CARRIED_FIELDS = ["WARC-Date", LANGUAGES, "WARC-Truncated", "WARC-Refers-To"] as const;

/** Returns what the header says about its page: the main language, and fields that are carried along. */
function describePage({ fields }: WarcHeader): Pick<Page, "lang" | "carried"> {
  const carried: Record<string, string> = {};
  for (const name of CARRIED_FIELDS) {
    const value = firstOf(fields, name.toLowerCase());
    if (value !== undefined) carried[name] = value;
  }
  const lang = normaliseLang(carried[LANGUAGES] ?? "");
  const hasAny = Object.keys(carried).length > 0;
  return { ...(lang && { lang }), ...(hasAny && { carried: JSON.stringify(carried) }) };
}

async function* wholePieces(chunks: Chunks): AsyncGenerator<Piece> {
  for await (const bytes of chunks) yield { kind: "bytes", bytes, isWhole: false };
}

function tellDamage(damage: WarcDamage, input: string): Reject {
  const { offset, header, detail, skipped, skippedUnpacked } = damage;
  const counts = [
    ...(skippedUnpacked > 0 ? [tellCount(skippedUnpacked, "unpacked byte")] : []),
    ...(skipped > 0 || skippedUnpacked === 0 ? [tellCount(skipped, "byte")] : []),
  ];
  const told = `${input} at byte ${offset}: ${detail}; ${counts.join(" and ")} skipped`;
  return reject(nameRecord(header, `${input}@${offset}`), "acquire", "broken-warc", told);
}

function nameRecord(header: WarcHeader | undefined, place: string): PageName {
  const id = header?.id ?? "";
  return { id: id === "" ? place : id, url: header?.url ?? "" };
}

/**
 * Reads the page of a record. Returns the record's type as a string if it has no page and is not expected to have one.
 */
function readRecord(
  { header, block, offset, isLasting }: WarcRecord,
  { input, maxBytes, judges }: WarcOptions,
): Outcome<Page> | string {
  const { type, length, fields } = header;
  if (!PAGE_RECORDS.has(type)) return OTHER_RECORDS.has(type) ? type : "of an unknown type";
  const of = nameRecord(header, `${input}@${offset}`);
  const recordType = firstOf(fields, "content-type");
  const isAnswer = type === "response" && /^application\/http\b/i.test(recordType ?? "application/http");
  const [, scheme, name] = NOTES.exec(header.url) ?? [];
  const notes = scheme ?? name;
  if (notes !== undefined) return `${type} of ${notes.toLowerCase()}`;
  if (block === undefined) return reject(of, "acquire", "too-large", `a record of ${length} bytes`);
  // Bytes in a moving window are copied, and so are bytes that would keep a much larger buffer in memory.
  const settle = (bytes: Uint8Array): Uint8Array =>
    (isLasting || bytes.buffer !== block.buffer) && bytes.length * 2 >= bytes.buffer.byteLength
      ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      : new Uint8Array(bytes);
  const options = { maxBytes, judges, settle };
  if (firstOf(fields, "warc-segment-number") !== undefined)
    return reject(of, "acquire", "bad-record", "one segment of a record that was split");
  if (type === "conversion" && /^text\/plain\b/i.test(recordType ?? ""))
    return toTextPage(of, block, maxBytes);
  if (isAnswer || (type === "response" && isHttp(block))) return readAnswer(of, { header, block }, options);
  return readPayload(of, { body: block, contentType: recordType }, options);
}

function readAnswer(
  of: PageName,
  { header, block }: { readonly header: WarcHeader; readonly block: Uint8Array },
  options: Judging,
): Outcome<Page> {
  if (block.length === 0) return reject(of, "acquire", "empty", "no bytes");
  const answer = parseHttp(block);
  if (typeof answer === "string") return reject(of, "acquire", "bad-record", answer);
  const { status, fields } = answer;
  // The message says "archived", because fetching again cannot change this response.
  if (!isSuccess(status)) return reject(of, "acquire", "http-status", `archived HTTP ${status}`);
  const contentType =
    chooseType(fields.get("content-type") ?? []) ?? firstOf(header.fields, "warc-identified-payload-type");
  if (!mayBePage(contentType)) return reject(of, "acquire", "unsupported-type", contentType);
  const isTruncated = firstOf(header.fields, "warc-truncated") !== undefined;
  const body = readBody(fields, answer.body, { maxBytes: options.maxBytes, isTruncated });
  if (!body.ok) return reject(of, "acquire", body.reason, body.detail);
  return reserveUses(
    readPayload(of, { body: body.bytes, contentType }, options),
    readFieldReservations((name) => fields.get(name)),
    readReservedField(firstOf(header.fields, RESERVED_FIELD.toLowerCase()) ?? ""),
  );
}

interface Judging {
  readonly maxBytes: number;
  readonly judges: WarcOptions["judges"];
  /** Returns the same bytes, copied if they could change later. */
  readonly settle: (bytes: Uint8Array) => Uint8Array;
}

interface Body {
  readonly body: Uint8Array;
  readonly contentType: string | undefined;
}

function readPayload(
  of: PageName,
  { body, contentType }: Body,
  { maxBytes, judges, settle }: Judging,
): Outcome<Page> {
  if (!mayBePage(contentType)) return reject(of, "acquire", "unsupported-type", contentType);
  if (body.length > maxBytes) return toPage({ ...of, format: "html" }, undefined, maxBytes);
  const payload = { bytes: settle(body), ...(contentType === undefined ? {} : { contentType }) };
  if (judges === undefined) return judgePayload(of, payload);
  return accept({ ...of, content: { kind: "bytes", ...payload, isUnseen: true } });
}

/** Makes a page of plain text from the block of a WET record, whose text was extracted from a page. */
function toTextPage(of: PageName, block: Uint8Array, maxBytes: number): Outcome<Page> {
  const isLong = block.length > maxBytes;
  const isExtracted = isUtf8(block);
  const page = toPage({ ...of, format: "text", isExtracted }, isLong ? undefined : block, maxBytes);
  if (!page.ok) return page;
  if (isExtracted) return accept({ ...of, content: { kind: "text", text: new TextDecoder().decode(block) } });
  // WET is UTF-8. Other text keeps its bytes, and its charset is detected as for any other page. The block is in a
  // moving window, so it is copied.
  return toPage({ ...of, format: "text" }, new Uint8Array(block), maxBytes);
}
