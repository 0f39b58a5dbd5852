/** Makes a page of the body of a request by its type: HTML, text, bytes, or a JSON record that may have options. */
import { decodeLatin1 } from "../../bytes/latin1.js";
import { chooseFormat, essenceOf, PAGE_FIELDS } from "../../acquire/kind.js";
import { toPage } from "../../acquire/page-bytes.js";
import { unpackBytes } from "../../acquire/packed/unpack.js";
import { readRecord } from "../../acquire/records/record.js";
import type { Page, PageFormat } from "../../document.js";
import { digitsOf, isObject, parseJson, type Fields } from "../../json.js";
import type { Outcome, PageName } from "../../outcome.js";
import { withoutUser } from "../../parse-url.js";
import type { Word } from "../options.js";
import { Problem } from "../problem.js";

/** The id of a document that has neither an id nor an address. */
export const NO_ID = "1";

/** A body that is a record, as JSON. */
export interface BodyOfRecord {
  readonly bytes: Uint8Array;
  /** What the query says about the page. */
  readonly id: string | undefined;
  readonly url: string | undefined;
  readonly maxBytes: number;
}

/** A body that is a page or a record. */
export interface BodyOfPage extends BodyOfRecord {
  readonly contentType: string | undefined;
  /** The format that the query names. */
  readonly from: PageFormat | undefined;
}

/** Checks whether the body is a record and not the page itself: any kind of JSON is (RFC 6839, 3.1). */
export function isRecord(contentType: string | undefined): boolean {
  return /^(?:application|text)\/json$|^application\/[^;]+\+json$/.test(essenceOf(contentType) ?? "");
}

/** The type of a page that a browser saved with its images (MHTML). */
const SAVED_TYPE = "multipart/related";
const FORM_TYPE = "application/x-www-form-urlencoded";
/** Bytes that distinguish a form from a page, which has spaces or tags in them. */
const FORM_BYTES = 1024;

/** Throws the problem `unsupported-type` for multipart bodies, which may be forms with files, and for JSON Lines. */
export function checkType(contentType: string | undefined): void {
  const essence = essenceOf(contentType) ?? "";
  if (essence.startsWith("multipart/") && essence !== SAVED_TYPE)
    throw new Problem("unsupported-type", `${essence}; ${SEND_PAGE}`);
  if (/^application\/(?:x-)?(?:ndjson|jsonl)$/.test(essence))
    throw new Problem("unsupported-type", `${essence}; send many records to /clean/stream`);
}

const SEND_PAGE =
  "send the page itself as the body (curl --data-binary @page.html), or in a field of application/json";

/** Throws the problem `unsupported-type` for form fields, and for a JSON record that has only curl's default type. */
function checkForm(contentType: string | undefined, bytes: Uint8Array): void {
  if (essenceOf(contentType) !== FORM_TYPE) return;
  const head = decodeLatin1(bytes.subarray(0, FORM_BYTES));
  const isForm = /^[\w.%+*[\]-]+=[\w.%+*&=~-]*$/.test(head);
  if (isForm || (/^\s*\{\s*"/.test(head) && /"(?:html|text|lines|bytes|url)"\s*:/.test(head)))
    throw new Problem("unsupported-type", `${FORM_TYPE}; ${SEND_PAGE}`);
}

/** Reads the page in a body that is no record. Throws the problem `unsupported-type` for a form. */
export async function readPage(body: BodyOfPage): Promise<Outcome<Page>> {
  const { bytes, id, url, from, maxBytes } = body;
  const of = { id: id ?? url ?? NO_ID, url: url ?? "" };
  const unpacked = await unpackBytes(of, bytes, maxBytes);
  if (!unpacked.ok) return unpacked;
  const plain = addHeader(body.contentType, unpacked.value);
  checkForm(body.contentType, plain);
  const contentType = isTelling(body.contentType) ? body.contentType : undefined;
  const format = from ?? chooseFormat(plain, contentType);
  const type = contentType === undefined ? {} : { contentType };
  return toPage({ ...of, format, ...type }, plain, maxBytes);
}

/** Adds the `Content-Type` header that a saved file has at its beginning and HTTP has before the body (RFC 2387). */
function addHeader(contentType: string | undefined, bytes: Uint8Array): Uint8Array {
  const isBare = essenceOf(contentType) === SAVED_TYPE && decodeLatin1(bytes.subarray(0, 2)) === "--";
  return isBare ? Buffer.concat([Buffer.from(`Content-Type: ${contentType ?? ""}\r\n\r\n`), bytes]) : bytes;
}

/**
 * Types that say nothing about a page: programs send them by default (`FORM_TYPE` is curl's), or the saved page states
 * its own type.
 */
const SAYS_NOTHING: ReadonlySet<string | undefined> = new Set([
  "application/octet-stream",
  FORM_TYPE,
  SAVED_TYPE,
]);

function isTelling(contentType: string | undefined): boolean {
  return !SAYS_NOTHING.has(essenceOf(contentType));
}

export interface RecordOfPage {
  readonly words: readonly Word[];
  /** The address of a page to fetch, if the record has an address and no page. */
  readonly fetch?: PageName;
  /** Absent if the page must be fetched. */
  readonly page?: Outcome<Page>;
}

/** Returns the page and the options in a JSON body. Throws the problems `bad-json` and `bad-option`. */
export function readJson({ bytes, id, url, maxBytes }: BodyOfRecord): RecordOfPage {
  const { options, ...fields } = parseObject(bytes);
  const words = options === undefined ? [] : toWords(options);
  const named = { ...fields, ...sayOnce("id", fields, id), ...sayOnce("url", fields, url) };
  const of = { id: typeof named["id"] === "string" ? named["id"] : NO_ID, url: named["url"] };
  const hasPage = [...Object.keys(PAGE_FIELDS), "bytes"].some((name) => Object.hasOwn(named, name));
  if (!hasPage && typeof of.url === "string" && of.url !== "")
    return { words, fetch: { id: of.id === NO_ID ? withoutUser(of.url) : of.id, url: of.url } };
  const place = {
    id: typeof of.url === "string" && of.url !== "" ? of.url : NO_ID,
    at: "the body",
    maxBytes,
    columns: "usual",
  } as const;
  return { words, page: readRecord(named, place) };
}

function parseObject(bytes: Uint8Array): Fields {
  let value: unknown;
  try {
    value = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof TypeError) throw new Problem("bad-json", "not UTF-8");
    if (error instanceof SyntaxError) throw new Problem("bad-json", error.message.slice(0, 120));
    throw error;
  }
  if (!isObject(value)) throw new Problem("bad-json", "it is not an object");
  return value;
}

/** The query may add what the record leaves out, but must not contradict it. Throws the problem `bad-option`. */
function sayOnce(name: "id" | "url", fields: Fields, said: string | undefined): Fields {
  if (said === undefined || fields[name] === said) return {};
  if (fields[name] !== undefined)
    throw new Problem("bad-option", `${name} differs between the body and the query`);
  return { [name]: said };
}

/** Formats a number as the command reads it: without an exponent, and without a point if it is whole. */
function toDecimal(digits: string | undefined): string | undefined {
  const number = Number(digits);
  if (digits === undefined || !Number.isFinite(number)) return digits;
  const shortest = String(number);
  if (!shortest.includes("e")) return shortest;
  return Math.abs(number) < 1 ? number.toFixed(MOST_DECIMALS) : String(BigInt(number));
}

/** The most decimals that `toFixed` takes. */
const MOST_DECIMALS = 100;

/** Converts the options of a JSON body to words; a list becomes an option that is repeated. */
function toWords(options: unknown): Word[] {
  if (!isObject(options)) throw new Problem("bad-option", "options must be an object");
  return Object.entries(options).flatMap(([name, value]: readonly [string, unknown]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one: unknown): Word[] => {
      if (one === null) return [];
      const text =
        typeof one === "string" || typeof one === "boolean" ? String(one) : toDecimal(digitsOf(one));
      if (text === undefined)
        throw new Problem("bad-option", `${name} must be text, a number, true or false`);
      return [[name, text]];
    }),
  );
}
