/** Reads the URLs in a sitemap, a sitemap index, a feed or a plain list. */
import { TextDecoder } from "node:util";
import { accept, reject, type Outcome, type Reason } from "../../outcome.js";
import { DamagedError, decompress, isGzip } from "../packed/decompress.js";
import { findBinary } from "../page-bytes.js";
import { createEntries, readJsonFeed, type EntryList, type SitemapEntry } from "./list-entries.js";
import { createListReader } from "./list-xml.js";

export type { SitemapEntry } from "./list-entries.js";

export interface SitemapLimits {
  /** The most unpacked bytes of a list. Default 50 MiB, which the sitemap protocol allows. */
  readonly maxBytes?: number;
  /** The most URLs that are read. Default 50,000, which the protocol allows. */
  readonly maxUrls?: number;
}

export interface SitemapResult {
  /** The entries of an index are sitemaps; those of the others are pages. */
  readonly kind: "index" | "urlset" | "feed" | "text";
  readonly entries: readonly SitemapEntry[];
  /** What was left out and what was broken, in sentences. */
  readonly notes: readonly string[];
}

export const SITEMAP_LIMITS: Required<SitemapLimits> = Object.freeze({
  maxBytes: 50 * 1024 * 1024,
  maxUrls: 50_000,
});

/** Bytes from which the kind of a list is detected. */
const HEAD_BYTES = 1024;
/** Bytes of unpacked data that are decoded at once. */
const PIECE_BYTES = 1 << 16;
/** Lines that show whether a text is a list. */
const FIRST_LINES = 20;

/**
 * Reads a list from the body of a response, `bytes`, which may be packed with gzip; `url` is where it was found. From
 * broken data it returns what could be read, with a note. If it is not a list at all, it returns a reject:
 * `not-a-list`, `empty`, `binary`, or `broken-gzip` if nothing could be unpacked. Lets other work run between pieces.
 */
export async function readSitemap(
  bytes: Uint8Array,
  url: string,
  limits: SitemapLimits = {},
): Promise<Outcome<SitemapResult>> {
  const { maxBytes, maxUrls } = { ...SITEMAP_LIMITS, ...limits };
  const notes: string[] = [];
  const entries = createEntries(url, maxUrls);
  const pieces = unpack(bytes, maxBytes, notes);
  const first = await pieces.next();
  const refuse = (reason: Reason, detail?: string): Outcome<SitemapResult> =>
    reject({ id: url, url }, "acquire", reason, detail);
  const [broken] = notes;
  if (first.done === true)
    return broken === undefined ? refuse("empty", "no bytes") : refuse("broken-gzip", broken);
  const head = first.value;
  const binary = findBinary(head);
  if (binary !== undefined) return refuse("binary", binary);
  const decoder = new TextDecoder(charsetOf(head.subarray(0, HEAD_BYTES)));
  const texts = decodeAll(head, pieces, decoder);
  const opening = Buffer.from(head.subarray(0, HEAD_BYTES)).toString("latin1").replaceAll("\0", "");
  const mark = /^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)?\s*(\S?)/.exec(opening)?.[1] ?? "";
  const read = mark === "<" ? readXml : mark === "{" ? readJson : readText;
  const kind = await read(texts, { url, entries, notes });
  if (typeof kind === "object") return refuse(kind.reason, kind.detail);
  return accept({ kind, entries: entries.entries(), notes: [...notes, ...entries.notes()] });
}

/** The kind of a list, or why the text is not a list. */
type Reading = SitemapResult["kind"] | { readonly reason: Reason; readonly detail: string };
type Texts = AsyncGenerator<string>;

interface List {
  readonly url: string;
  readonly entries: EntryList;
  readonly notes: string[];
}

/** Unpacks bytes into non-empty pieces, and adds notes on damage and on the limit. */
async function* unpack(bytes: Uint8Array, maxBytes: number, notes: string[]): AsyncGenerator<Uint8Array> {
  const packed = inPieces(bytes);
  const plain = isGzip(bytes) ? decompress(packed, "gzip", { maxBytes, isSalvaged: true }) : packed;
  let left = maxBytes;
  try {
    for await (const piece of plain) {
      if (piece.length > 0) yield piece.subarray(0, left);
      left -= piece.length;
      if (left > 0) continue;
      if (left < 0) notes.push(`only the first ${maxBytes} bytes were read`);
      return;
    }
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error;
    notes.push(`the compressed data is damaged: ${error.message}`);
  }
}

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    yield bytes.subarray(at, at + PIECE_BYTES);
    // Fifty megabytes take seconds, so other work gets a turn in between.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/**
 * Detects the charset by a byte order mark, or by an XML declaration; otherwise UTF-8. URLs are ASCII in nearly every
 * charset.
 */
function charsetOf(head: Uint8Array): string {
  const text = Buffer.from(head).toString("latin1");
  if (/^(?:\u00ff\u00fe|<\0)/.test(text)) return "utf-16le";
  if (/^(?:\u00fe\u00ff|\0<)/.test(text)) return "utf-16be";
  // A declaration that can be read as ASCII is not in UTF-16, even if it says so.
  const declared = /^\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([\w-]{1,40})["']/.exec(text)?.[1] ?? "utf-8";
  try {
    const { encoding } = new TextDecoder(declared);
    return encoding.startsWith("utf-16") ? "utf-8" : encoding;
  } catch (error) {
    if (error instanceof RangeError) return "utf-8";
    throw error;
  }
}

async function* decodeAll(head: Uint8Array, rest: AsyncGenerator<Uint8Array>, decoder: TextDecoder): Texts {
  yield decoder.decode(head, { stream: true });
  for await (const piece of rest) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

async function readXml(texts: Texts, { url, entries, notes }: List): Promise<Reading> {
  const reader = createListReader(entries, url);
  for await (const text of texts) {
    reader.write(text);
    if (entries.isFull() || reader.isOver()) break;
  }
  const { kind, root, problem } = reader.end();
  if (kind === undefined)
    return { reason: "not-a-list", detail: root === undefined ? "XML without an element" : `<${root}>` };
  if (problem !== undefined && !entries.isFull()) notes.push(`broken XML: ${problem}`);
  return kind;
}

async function readJson(texts: Texts, { entries }: List): Promise<Reading> {
  const parts: string[] = [];
  for await (const text of texts) parts.push(text);
  const drafts = readJsonFeed(parts.join(""));
  if (drafts === undefined) return { reason: "not-a-list", detail: "JSON that is broken or not a feed" };
  for (const draft of drafts) entries.add(draft);
  return "feed";
}

/** Reads one URL per line. A text is a list if its first URL is absolute. */
async function readText(texts: Texts, { entries, notes }: List): Promise<Reading> {
  let rest = "";
  const seen = { lines: 0, isList: false };
  const take = (line: string): boolean => {
    const text = line.trim();
    seen.lines += 1;
    if (text === "" || text.startsWith("#")) return seen.lines < FIRST_LINES || seen.isList;
    seen.isList ||= /^https?:\/\/\S+$/i.test(text);
    // A line with spaces is a sentence, not a URL.
    if (seen.isList && /\s/.test(text)) entries.refuse(text);
    else if (seen.isList) entries.add({ url: text, fallback: undefined, lastModified: undefined });
    return seen.isList;
  };
  for await (const text of texts) {
    const parts = (rest + text).split(/\r\n|[\r\n]/);
    rest = parts.pop() ?? "";
    if (!parts.every(take)) return NOT_A_LIST;
    if (entries.isFull()) return "text";
    if (rest.length > PIECE_BYTES) {
      if (!seen.isList) return NOT_A_LIST;
      // The line is longer than any URL, so the rest of it need not be kept.
      rest = rest.slice(0, PIECE_BYTES);
    }
  }
  // If the list was cut off, its last line may be half a URL.
  if (notes.length === 0) take(rest);
  return seen.isList ? "text" : NOT_A_LIST;
}

const NOT_A_LIST: Reading = { reason: "not-a-list", detail: "text that does not begin with a URL" };
