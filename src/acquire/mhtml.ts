/**
 * Takes the page out of a file in which a browser has saved it with all that it shows: MHTML (RFC 2557), which is made like an
 * e-mail of several parts (RFC 2045 and 2046).
 */
import { codeUnit } from "../code-unit.js";
import { decodeLatin1 } from "../bytes/latin1.js";
import { firstOf, parseFields, splitHeader, type Fields } from "./header-fields.js";
import { essenceOf, isHtmlType } from "./kind.js";

export interface SavedPage {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Where the page was, if the file says it. */
  readonly url?: string;
}

/** Bytes within which the header of the file, or of a part, ends. */
const HEADER_BYTES = 16_384;
/** Parts that are looked at: the page is among the first. */
const MOST_PARTS = 100;

/** In Latin-1: a character each byte. */
interface Part {
  readonly fields: Fields;
  readonly body: string;
}

/** The page of the bytes; undefined where they are no such file, or where it holds no page. */
export function readMhtml(bytes: Uint8Array): SavedPage | undefined {
  if (!/^[a-z][a-z-]{1,40}:/i.test(decodeLatin1(bytes.subarray(0, 48)))) return undefined;
  const type = typeOf(readPart(decodeLatin1(bytes.subarray(0, HEADER_BYTES))));
  const boundary = readParameter(type, "boundary");
  if (essenceOf(type) !== "multipart/related" || boundary === undefined) return undefined;
  const pages = cutParts(decodeLatin1(bytes), `\n--${boundary}`).filter((part) => isHtmlType(typeOf(part)));
  const start = readParameter(type, "start");
  const page = pages.find(({ fields }) => firstOf(fields, "content-id") === start) ?? pages[0];
  if (page === undefined) return undefined;
  const url = firstOf(page.fields, "content-location") ?? "";
  return { bytes: decodeBody(page), contentType: typeOf(page), ...(/^https?:/i.test(url) && { url }) };
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

/** Up to where the file was cut off, if it was: four characters are three bytes. */
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
