/** A document and its source into the same document with what markup stands around each line, and on the page. */
import type { Document, DocumentType, Line, LineMarkup } from "../document.js";
import { nextTag, startTagScan, type TagScan } from "./tag-scan.js";

/** The tags at which one block ends and the next one begins (Schäfer 2016, footnote 9). */
export const CONTAINERS: ReadonlySet<string> = new Set([
  "article",
  "blockquote",
  "div",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "li",
  "p",
  "section",
  "td",
]);

type Counts = { -readonly [K in keyof LineMarkup]: LineMarkup[K] };

interface Account {
  readonly scan: TagScan;
  /** Of all markup until here. */
  chars: number;
  /** Of the block that is open and has no line yet. */
  open: Counts;
  /** The line before, as long as its block is open. */
  last: Counts | undefined;
}

/** Lines without a place in the source have none, and so have those that stand before their predecessor. */
export function countMarkup(document: Document, html: string): Document {
  const scan = startTagScan(html);
  const account: Account = { scan, chars: 0, open: startBlock(-1, false), last: undefined };
  const lines = document.lines.map((line) => countLine(line, account));
  readUntil(account, html.length);
  return { ...document, lines, markup: { type: readDocumentType(html), chars: account.chars } };
}

function startBlock(emptyBlocks: number, isAfterClosing: boolean): Counts {
  return { chars: 0, opening: 0, closing: 0, emptyBlocks, isAfterClosing };
}

function countLine(line: Line, account: Account): Line {
  const { span } = line;
  if (span !== undefined) readUntil(account, span[0]);
  const markup = { ...account.open, emptyBlocks: Math.max(0, account.open.emptyBlocks) };
  if (span !== undefined) readInside(account, span[1], markup);
  // What follows in the same block is of this line, or, if one comes, of the next.
  account.open = startBlock(-1, markup.isAfterClosing);
  account.last = markup;
  return { ...line, markup };
}

/** The tags of a line's own text: containers among them, as in the row of a table, part nothing. */
function readInside(account: Account, end: number, markup: Counts): void {
  const { scan } = account;
  while (scan.start < end) {
    addTag(markup, scan);
    account.chars += scan.end - scan.start;
    nextTag(scan);
  }
}

/** The tags before a place: those of the block that the last line is in, those of empty blocks, those of the next. */
function readUntil(account: Account, place: number): void {
  const { scan } = account;
  while (scan.start < place) {
    if (CONTAINERS.has(scan.name)) {
      if (account.last !== undefined) joinCounts(account.last, account.open);
      account.last = undefined;
      account.open = startBlock(account.open.emptyBlocks + 1, scan.isClosing);
    }
    addTag(account.open, scan);
    account.chars += scan.end - scan.start;
    nextTag(scan);
  }
  if (place === scan.html.length && account.last !== undefined) joinCounts(account.last, account.open);
}

function addTag(counts: Counts, { start, end, name, isClosing }: TagScan): void {
  counts.chars += end - start;
  if (name === "") return;
  if (isClosing) counts.closing += 1;
  else counts.opening += 1;
}

function joinCounts(to: Counts, { chars, opening, closing }: Counts): void {
  to.chars += chars;
  to.opening += opening;
  to.closing += closing;
}

/** How far into a page its type may stand: behind a byte order mark, an XML declaration, comments. */
const HEAD = 2000;

export function readDocumentType(html: string): DocumentType {
  const stated = /<!doctype\s([^>]{0,300})>/i.exec(html.slice(0, HEAD))?.[1]?.toLowerCase();
  if (stated === undefined) return "other";
  if (/^\s*html\s*(?:system\s+["']about:legacy-compat["']\s*)?$/.test(stated)) return "html5";
  if (stated.includes("xhtml")) return "xhtml";
  return /\bhtml 4/.test(stated) ? "html4" : "other";
}
