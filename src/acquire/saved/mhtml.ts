/**
 * Extracts the page from MHTML (RFC 2557): a file in which a browser saved the page with its images and styles, built
 * like an e-mail with several parts (RFC 2045 and 2046).
 */
import { codeUnit } from "../../code-unit.js";
import { decodeLatin1 } from "../../bytes/latin1.js";
import { firstOf, parseFields, splitHeader, type Fields } from "../header-fields.js";
import { essenceOf, isHtmlType } from "../kind.js";

export interface SavedPage {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** The URL of the page, if the file has it. */
  readonly url?: string;
}

/** The most bytes that the header of the file, or of a part, may take. */
const HEADER_BYTES = 16_384;
/** The most parts that are read: the page is among the first. */
const MOST_PARTS = 100;

/** A part decoded as Latin-1: one character per byte. */
interface Part {
  readonly fields: Fields;
  readonly body: string;
}

/** Returns the page in the bytes; undefined if they are not MHTML or hold no page. */
export function readMhtml(bytes: Uint8Array): SavedPage | undefined {
  if (!/^[a-z][a-z-]{1,40}:/i.test(decodeLatin1(bytes.subarray(0, 48)))) return undefined;
  const file = readPart(decodeLatin1(bytes.subarray(0, HEADER_BYTES)));
  // Internet Explorer saved a page without images as a file of one part.
  const isPage = isHtmlType(typeOf(file)) && file.fields.has("mime-version");
  const page = isPage ? readPart(decodeLatin1(bytes)) : findPage(bytes, typeOf(file));
  if (page === undefined) return undefined;
  const url = firstOf(page.fields, "content-location") ?? "";
  return { bytes: decodeBody(page), contentType: typeOf(page), ...(/^https?:/i.test(url) && { url }) };
}

/** Finds the page among the parts of a file, whose type is `type`. */
function findPage(bytes: Uint8Array, type: string): Part | undefined {
  const boundary = readParameter(type, "boundary");
  if (essenceOf(type) !== "multipart/related" || boundary === undefined) return undefined;
  const pages = cutParts(decodeLatin1(bytes), `\n--${boundary}`).filter((part) => isHtmlType(typeOf(part)));
  const start = readParameter(type, "start");
  const named = pages.find(({ fields }) => start !== undefined && firstOf(fields, "content-id") === start);
  return named ?? pages[0];
}

function typeOf({ fields }: Part): string {
  return firstOf(fields, "content-type") ?? "";
}

function cutParts(file: string, delimiter: string): Part[] {
  const parts: Part[] = [];
  let from = file.indexOf(delimiter);
  while (from !== -1 && parts.length < MOST_PARTS) {
    const start = file.indexOf("\n", from + delimiter.length) + 1;
    if (start === 0) break;
    from = file.indexOf(delimiter, start - 1);
    parts.push(readPart(file.slice(start, from === -1 ? undefined : from)));
  }
  return parts;
}

function readPart(part: string): Part {
  const head = part.slice(0, HEADER_BYTES);
  const blank = /^\r?\n|\r?\n\r?\n/.exec(head);
  const end = blank?.index ?? head.length;
  const fields = parseFields(splitHeader(head.slice(0, end)));
  return { fields, body: part.slice(end + (blank?.[0].length ?? 0)) };
}

function readParameter(type: string, name: string): string | undefined {
  const [, quoted, plain] = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^;\\s]+))`, "i").exec(type) ?? [];
  return quoted ?? plain;
}

function decodeBody({ fields, body }: Part): Uint8Array {
  const encoding = firstOf(fields, "content-transfer-encoding")?.toLowerCase();
  if (encoding === "base64") return toBytes(decodeBase64(body));
  return toBytes(encoding === "quoted-printable" ? decodeQuoted(body) : body);
}

/** Decodes base64, also if the file was cut off: four characters are three bytes, so one left over is dropped. */
function decodeBase64(body: string): string {
  const text = body.replace(/[^A-Za-z\d+/]/g, "");
  return atob(text.slice(0, text.length - (text.length % 4 === 1 ? 1 : 0)));
}

function decodeQuoted(body: string): string {
  return body
    .replace(/=[ \t]*\r?\n/g, "")
    .replace(/=([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function toBytes(latin1: string): Uint8Array {
  const bytes = new Uint8Array(latin1.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = codeUnit(latin1, at);
  return bytes;
}
