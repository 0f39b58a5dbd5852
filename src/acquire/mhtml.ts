/**
 * Takes the page out of a file in which a browser has saved it with all that it shows: MHTML (RFC 2557), which is made like an
 * e-mail of several parts (RFC 2045 and 2046).
 */
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

/** Fields by their names in lower case. */
type Header = ReadonlyMap<string, string>;

interface Part {
  readonly header: Header;
  readonly body: Buffer;
}

/** The page of the bytes; undefined where they are no such file, or where it holds no page. */
export function readMhtml(bytes: Uint8Array): SavedPage | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!/^[a-z][a-z-]{1,40}:/i.test(file.toString("latin1", 0, 48))) return undefined;
  const { header } = readPart(file);
  const type = header.get("content-type") ?? "";
  const boundary = readParameter(type, "boundary");
  if (essenceOf(type) !== "multipart/related" || boundary === undefined) return undefined;
  const pages = cutParts(file, `\n--${boundary}`).filter((part) =>
    isHtmlType(part.header.get("content-type")),
  );
  const start = readParameter(type, "start");
  const page = pages.find((part) => part.header.get("content-id") === start) ?? pages[0];
  if (page === undefined) return undefined;
  const url = page.header.get("content-location") ?? "";
  return {
    bytes: decodeBody(page),
    contentType: page.header.get("content-type") ?? "",
    ...(/^https?:/i.test(url) && { url }),
  };
}

function cutParts(file: Buffer, delimiter: string): Part[] {
  const parts: Part[] = [];
  let from = file.indexOf(delimiter, 0, "latin1");
  while (from !== -1 && parts.length < MOST_PARTS) {
    const start = file.indexOf("\n", from + delimiter.length) + 1;
    if (start === 0) break;
    from = file.indexOf(delimiter, start - 1, "latin1");
    parts.push(readPart(file.subarray(start, from === -1 ? undefined : from)));
  }
  return parts;
}

function readPart(bytes: Buffer): Part {
  const head = bytes.toString("latin1", 0, HEADER_BYTES);
  const blank = /^\r?\n|\r?\n\r?\n/.exec(head);
  const end = blank?.index ?? head.length;
  // A field goes on in lines that begin with white space.
  const fields = head
    .slice(0, end)
    .replace(/\r?\n[ \t]+/g, " ")
    .split(/\r?\n/);
  const header = new Map<string, string>();
  for (const field of fields) {
    const [, name = "", value = ""] = /^([^:\s]+):\s*(.*)$/.exec(field) ?? [];
    header.set(name.toLowerCase(), value.trim());
  }
  return { header, body: bytes.subarray(end + (blank?.[0].length ?? 0)) };
}

function readParameter(type: string, name: string): string | undefined {
  const [, quoted, plain] = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^;\\s]+))`, "i").exec(type) ?? [];
  return quoted ?? plain;
}

function decodeBody({ header, body }: Part): Uint8Array {
  const encoding = header.get("content-transfer-encoding")?.toLowerCase();
  if (encoding === "base64") return Buffer.from(body.toString("latin1"), "base64");
  if (encoding !== "quoted-printable") return body;
  const text = body.toString("latin1").replace(/=[ \t]*\r?\n/g, "");
  return Buffer.from(
    text.replace(/=([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    "latin1",
  );
}
