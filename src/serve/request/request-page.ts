/** Makes a page of the body of a request, by its type: HTML, text, bytes, or a JSON record that may bring options. */
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

/** The name of a document that brings none. */
export const NO_ID = "1";

export interface BodyOfPage {
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
  /** What the query says of the page. */
  readonly id: string | undefined;
  readonly url: string | undefined;
  readonly from: PageFormat | undefined;
  readonly maxBytes: number;
}

/** Whether the body is a record and not the page itself: JSON of any kind is (RFC 6839, 3.1). */
export function isRecord(contentType: string | undefined): boolean {
  return /^(?:application|text)\/json$|^application\/[^;]+\+json$/.test(essenceOf(contentType) ?? "");
}

/** What a browser makes of a page that it saves with its images (MHTML). */
const SAVED_TYPE = "multipart/related";
const FORM_TYPE = "application/x-www-form-urlencoded";
/** So much of a body tells a form from a page, which has spaces or tags before. */
const FORM_BYTES = 1024;

/** Throws the problem `unsupported-type` for a body that may hold many pages, or none in a form that is read. */
export function checkType(contentType: string | undefined): void {
  const essence = essenceOf(contentType) ?? "";
  if (essence.startsWith("multipart/") && essence !== SAVED_TYPE)
    throw new Problem("unsupported-type", `${essence}; ${SEND_PAGE}`);
  if (/^application\/(?:x-)?(?:ndjson|jsonl)$/.test(essence))
    throw new Problem("unsupported-type", `${essence}; many records go to /clean/stream`);
}

const SEND_PAGE =
  "the page itself is the body (curl --data-binary @page.html), or a field of application/json";

/** Throws the problem `unsupported-type` for the fields of a form, and for JSON, where curl has named the type and not the client. */
function checkForm(contentType: string | undefined, bytes: Uint8Array): void {
  if (essenceOf(contentType) !== FORM_TYPE) return;
  const head = decodeLatin1(bytes.subarray(0, FORM_BYTES));
  const isForm = /^[\w.%+*[\]-]+=[\w.%+*&=~-]*$/.test(head);
  if (isForm || (/^\s*\{\s*"/.test(head) && /"(?:html|text|lines|bytes|url)"\s*:/.test(head)))
    throw new Problem("unsupported-type", `${FORM_TYPE}; ${SEND_PAGE}`);
}

/** The page in a body that is one. Throws the problem `unsupported-type` for a form. */
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

/** A file has in its head what HTTP has before the body (RFC 2387). */
function addHeader(contentType: string | undefined, bytes: Uint8Array): Uint8Array {
  const isBare = essenceOf(contentType) === SAVED_TYPE && decodeLatin1(bytes.subarray(0, 2)) === "--";
  return isBare ? Buffer.concat([Buffer.from(`Content-Type: ${contentType ?? ""}\r\n\r\n`), bytes]) : bytes;
}

/** What programs send where they are told no type says nothing; the second one is curl's. A saved page says itself what it is. */
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
  /** The address of a page that is to be fetched: the record has one, and no page. */
  readonly fetch?: PageName;
  /** Absent where it is to be fetched. */
  readonly page?: Outcome<Page>;
}

/** The page and the options in a JSON body. Throws the problems `bad-json` and `bad-option`. */
export function readJson({
  bytes,
  id,
  url,
  maxBytes,
}: Omit<BodyOfPage, "from" | "contentType">): RecordOfPage {
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
  if (!isObject(value)) throw new Problem("bad-json", "it is no object");
  return value;
}

/** The query may say what the record leaves out, but nothing else than it. */
function sayOnce(name: "id" | "url", fields: Fields, said: string | undefined): Fields {
  if (said === undefined || fields[name] === said) return {};
  if (fields[name] !== undefined)
    throw new Problem("bad-option", `${name} is another one in the body than in the query`);
  return { [name]: said };
}

/** A number as the command reads it: without an exponent, and without a point where it is whole. */
function toDecimal(digits: string | undefined): string | undefined {
  const number = Number(digits);
  if (digits === undefined || !Number.isFinite(number)) return digits;
  const shortest = String(number);
  if (!shortest.includes("e")) return shortest;
  return Math.abs(number) < 1 ? number.toFixed(MOST_DECIMALS) : String(BigInt(number));
}

/** As many as JavaScript writes. */
const MOST_DECIMALS = 100;

/** The options of a JSON body as words: a list is an option that is given many times. */
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
