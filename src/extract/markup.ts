/** Counts the markup around each line of a document and on the whole page. */
import type { Document, Line } from "../document.js";
import type { DocumentType, LineMarkup, MarkedDocument, MarkedLine } from "../document/markup-counts.js";
import type { Writable } from "../writable.js";

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

type Counts = Writable<LineMarkup>;

interface Account {
  readonly scan: TagScan;
  /** Characters of all markup so far. */
  chars: number;
  /** Counts of the tags since the last line or the start of the block. */
  open: Counts;
  /** Counts of the line before; undefined once its block has ended. */
  last: Counts | undefined;
}

/**
 * Adds the counts of markup to each line and to the document. They are 0 for a line without a span in the source, and
 * for one whose span is before its predecessor's.
 */
export function countMarkup(document: Document, html: string): MarkedDocument {
  const scan = startTagScan(html);
  const account: Account = { scan, chars: 0, open: startBlock(-1, false), last: undefined };
  const lines = document.lines.map((line) => countLine(line, account));
  readUntil(account, html.length);
  return { ...document, lines, markup: { type: readDocumentType(html), chars: account.chars } };
}

function startBlock(emptyBlocks: number, isAfterClosing: boolean): Counts {
  return { chars: 0, opening: 0, closing: 0, emptyBlocks, isAfterClosing };
}

function countLine(line: Line, account: Account): MarkedLine {
  const { span } = line;
  if (span !== undefined) readUntil(account, span[0]);
  const markup = { ...account.open, emptyBlocks: Math.max(0, account.open.emptyBlocks) };
  if (span !== undefined) readInside(account, span[1], markup);
  // Tags that follow in the same block count for the next line of the block, or for this line if it is the last.
  account.open = startBlock(-1, markup.isAfterClosing);
  account.last = markup;
  return { ...line, markup };
}

/** Counts the tags inside a line's own text. Containers among them, as in a table row, start no new block. */
function readInside(account: Account, end: number, markup: Counts): void {
  const { scan } = account;
  while (scan.start < end) {
    addTag(markup, scan);
    account.chars += scan.end - scan.start;
    nextTag(scan);
  }
}

/** Counts the tags before an offset: of the last line's block, of empty blocks, and of the next line's block. */
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

/** Characters in which the doctype is searched: a byte order mark, an XML declaration and comments may precede it. */
const HEAD = 2000;

/** Reads the type from the doctype; "other" if there is none, or if it is of another kind. */
export function readDocumentType(html: string): DocumentType {
  const stated = /<!doctype\s([^>]{0,300})>/i.exec(html.slice(0, HEAD))?.[1]?.toLowerCase();
  if (stated === undefined) return "other";
  if (/^\s*html\s*(?:system\s+["']about:legacy-compat["']\s*)?$/.test(stated)) return "html5";
  if (stated.includes("xhtml")) return "xhtml";
  return /\bhtml 4/.test(stated) ? "html4" : "other";
}

/* Scans HTML source for tags and comments in order, without a tree: where markup is, not what it means. */

interface TagScan {
  readonly html: string;
  /** Offsets of the markup that was found last; after the last piece both are the length of the source. */
  start: number;
  end: number;
  /** The tag name in lower case, cut to MAX_NAME; "" for a comment, a doctype and the like. */
  name: string;
  isClosing: boolean;
  /** Names of skipped elements that have no closing tag from here on. */
  readonly unclosed: Set<string>;
}

/** Characters of a tag name that are read; no name that is compared is longer. */
const MAX_NAME = 12;

/** Elements whose content is skipped: whether a page has it inline says nothing about its text. */
const SKIPPED: ReadonlyMap<string, RegExp> = new Map(
  ["script", "style", "svg"].map((name) => [name, new RegExp(`</${name}[\\s/>]`, "gi")]),
);

const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const MARK = 0x21;
const QUESTION = 0x3f;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const EQUALS = 0x3d;
const SPACE = 0x20;

/** Starts a scan, which is at the first tag or comment then. */
export function startTagScan(html: string): TagScan {
  const scan: TagScan = { html, start: 0, end: 0, name: "", isClosing: false, unclosed: new Set() };
  nextTag(scan);
  return scan;
}

/**
 * Moves to the next tag or comment. Skips scripts, styles and SVG drawings with their own tags. Looks at each character
 * a bounded number of times, whatever the source.
 */
export function nextTag(scan: TagScan): void {
  const { html } = scan;
  let from = scan.end;
  for (;;) {
    const start = html.indexOf("<", from);
    if (start < 0) break;
    const next = html.charCodeAt(start + 1);
    const isClosing = next === SLASH;
    if (isLetter(isClosing ? html.charCodeAt(start + 2) : next)) {
      const end = endOfTag(html, start + 1);
      const name = nameAt(html, isClosing ? start + 2 : start + 1);
      const skipped = isClosing ? undefined : endOfSkipped(scan, name, end);
      if (skipped === undefined) {
        found(scan, start, end, name, isClosing);
        return;
      }
      from = skipped;
    } else if (next === MARK || next === QUESTION || isClosing) {
      found(scan, start, endOfOther(html, start), "", false);
      return;
    } else from = start + 1;
  }
  found(scan, html.length, html.length, "", false);
}

function found(scan: TagScan, start: number, end: number, name: string, isClosing: boolean): void {
  scan.start = start;
  scan.end = end;
  scan.name = name;
  scan.isClosing = isClosing;
}

function isLetter(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a);
}

function nameAt(html: string, start: number): string {
  let end = start;
  while (end - start < MAX_NAME && isNamePart(html.charCodeAt(end))) end += 1;
  return html.slice(start, end).toLowerCase();
}

function isNamePart(unit: number): boolean {
  return unit > SPACE && unit !== GREATER && unit !== SLASH && unit !== LESS;
}

/**
 * Returns the offset after a tag. A `>` in a quoted value does not end it. A tag without an end takes the rest of the
 * source, as in the standard.
 */
function endOfTag(html: string, from: number): number {
  let isValue = false;
  for (let at = from; at < html.length; at += 1) {
    const unit = html.charCodeAt(at);
    if (unit === GREATER) return at + 1;
    if (isValue && (unit === QUOTE || unit === APOSTROPHE)) {
      const close = html.indexOf(unit === QUOTE ? '"' : "'", at + 1);
      if (close < 0) break;
      at = close;
      isValue = false;
    } else if (unit === EQUALS) isValue = true;
    else if (unit > SPACE) isValue = false;
  }
  return html.length;
}

/** Comments end at `-->`; doctypes, instructions and wrong tags at the next `>`. */
function endOfOther(html: string, start: number): number {
  const isComment = html.startsWith("<!--", start);
  // `<!-->` and `<!--->` are whole comments.
  const end = isComment ? html.indexOf("-->", start + 2) : html.indexOf(">", start);
  return end < 0 ? html.length : end + (isComment ? 3 : 1);
}

/** Returns the offset after a skipped element; undefined for any other tag, or if the element is never closed. */
function endOfSkipped({ html, unclosed }: TagScan, name: string, end: number): number | undefined {
  const close = SKIPPED.get(name);
  if (close === undefined || unclosed.has(name)) return undefined;
  if (name === "svg" && html.charCodeAt(end - 2) === SLASH) return end;
  close.lastIndex = end;
  const match = close.exec(html);
  if (match === null) {
    unclosed.add(name);
    return undefined;
  }
  const last = html.indexOf(">", match.index);
  return last < 0 ? html.length : last + 1;
}
