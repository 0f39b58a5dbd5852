/** Builds a tree of nested parts from a line's text, links and spans. */
import type { InlineSpan, Line, Link } from "../../document.js";
import { isHeading } from "./blocks.js";
import type { Writable } from "../../writable.js";

export type Inline = string | InlineNode;

export interface InlineNode {
  readonly span: InlineSpan;
  readonly parts: Inline[];
}

interface InlineLine {
  /** Images and formulas that are written on their own, before and after the line. */
  readonly before: readonly InlineSpan[];
  readonly parts: readonly Inline[];
  readonly after: readonly InlineSpan[];
}

/** What a writer leaves out of a line. */
export interface InlineWishes {
  readonly links: "drop" | "keep";
  readonly images: "drop" | "keep";
}

interface Builder {
  readonly text: string;
  readonly root: Inline[];
  readonly open: InlineNode[];
  at: number;
}

const NONE: readonly InlineSpan[] = Object.freeze([]);

/** Reads the parts of a line, without those that the writer does not wish. */
export function readInline(line: InlineText, { links, images }: InlineWishes): InlineLine {
  // A quick path for most lines.
  if (line.spans === undefined && (links === "drop" || line.links === undefined))
    return { before: NONE, parts: [line.text], after: NONE };
  const inside: InlineSpan[] = [];
  let alone: InlineSpan[] | undefined;
  if (links === "keep" && line.links !== undefined)
    for (const link of line.links) if (!isPermalink(link, line)) inside.push({ kind: "link", ...link });
  for (const span of line.spans ?? []) {
    if (span.kind === "image" && (images === "drop" || (span.src === undefined && links === "drop")))
      continue;
    const shown = span.kind === "image" && links === "drop" ? withoutLink(span) : span;
    if (span.isAlone === true) (alone ??= []).push(shown);
    else inside.push(shown);
  }
  const parts = nest(line.text, inside);
  if (alone === undefined) return { before: NONE, parts, after: NONE };
  return {
    before: alone.filter(({ end }) => end === 0),
    parts,
    after: alone.filter(({ end }) => end > 0),
  };
}

function withoutLink(image: InlineSpan): InlineSpan {
  if (image.href === undefined) return image;
  const bare: Writable<InlineSpan> = { ...image };
  delete bare.href;
  return bare;
}

/** Whether a whole heading is a link to itself or back to the table of contents, which is useful only on the page. */
function isPermalink({ start, end, href }: Link, { text, block }: InlineText): boolean {
  return (
    href.startsWith("#") && start === 0 && end === text.length && block !== undefined && isHeading({ block })
  );
}

function nest(text: string, spans: InlineSpan[]): Inline[] {
  if (spans.length === 0) return [text];
  if (spans.length > 1) sortForNesting(spans);
  const builder: Builder = { text, root: [], open: [], at: 0 };
  for (const span of spans) {
    if (span.start < builder.at && span.kind === "drop") continue;
    closeBefore(builder, span);
    addText(builder, span.start);
    if (span.start === span.end) addDrawn(builder, span);
    else openNode(builder, span);
  }
  while (builder.open.length > 0) close(builder);
  addText(builder, text.length);
  return trimEnds(builder.root);
}

/**
 * Sorts outer spans before inner ones. An image precedes a link that begins at the same place, unless it is in that
 * link.
 */
function sortForNesting(spans: InlineSpan[]): void {
  const links = new Map<number, string | undefined>();
  if (spans.some(({ kind }) => kind === "image"))
    for (const { kind, start, href } of spans) if (kind === "link") links.set(start, href);
  const isBeside = ({ kind, start, href }: InlineSpan): boolean =>
    kind === "image" && links.has(start) && links.get(start) !== href;
  spans.sort((a, b) => a.start - b.start || Number(isBeside(b)) - Number(isBeside(a)) || b.end - a.end);
}

function partsOf({ open, root }: Builder): Inline[] {
  return open.at(-1)?.parts ?? root;
}

function closeBefore(builder: Builder, span: InlineSpan): void {
  const { open } = builder;
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    if (top.span.end > span.start || (top.span.end === span.start && isInLink(span, top.span))) return;
    close(builder);
  }
}

/** Whether an element without text at the end of a link belongs to the link. */
function isInLink({ kind, start, end, href }: InlineSpan, link: InlineSpan): boolean {
  return start === end && link.kind === "link" && (kind !== "image" || href === link.href);
}

function openNode(builder: Builder, span: InlineSpan): void {
  const outer = builder.open.at(-1)?.span;
  const end = outer === undefined ? span.end : Math.min(span.end, outer.end);
  if (end <= span.start || builder.open.some((node) => node.span.kind === span.kind)) return;
  const siblings = partsOf(builder);
  const node: InlineNode = { span: { ...span, end }, parts: [] };
  // Adjacent spans of the same kind are joined, because an editor has split them.
  const last = siblings.at(-1);
  const isSpaced = typeof last === "string" && last.trim() === "" && PHRASES.has(span.kind);
  const before = isSpaced ? siblings.at(-2) : last;
  if (typeof before === "object" && isCut(before.span, node.span, isSpaced ? last.length : 0)) {
    if (isSpaced) before.parts.push(last);
    siblings.splice(isSpaced ? -2 : -1, 2, { span: { ...before.span, end }, parts: before.parts });
    builder.open.push({ span: node.span, parts: before.parts });
    return;
  }
  siblings.push(node);
  builder.open.push(node);
}

const JOINED: ReadonlySet<string> = new Set(["em", "strong", "del", "sub", "sup"]);

/** Kinds of spans that are joined even with a space between them. */
const PHRASES: ReadonlySet<string> = new Set(["em", "strong", "del"]);

function isCut(a: InlineSpan, b: InlineSpan, space: number): boolean {
  return a.kind === b.kind && a.end + space === b.start && JOINED.has(a.kind);
}

function close(builder: Builder): void {
  const node = builder.open.at(-1);
  if (node === undefined) return;
  addText(builder, node.span.end);
  builder.open.pop();
  if (node.span.kind === "drop" || node.parts.length === 0) partsOf(builder).pop();
}

function addText(builder: Builder, end: number): void {
  if (end <= builder.at) return;
  const parts = partsOf(builder);
  const text = builder.text.slice(builder.at, end);
  builder.at = end;
  // A dropped span between two spaces leaves one space.
  const last = parts.at(-1);
  const isDouble = typeof last === "string" && last.endsWith(" ") && text.startsWith(" ");
  if (isDouble || text !== "") parts.push(isDouble ? text.slice(1) : text);
}

/** Adds an element without text, with the whitespace that was around it. */
function addDrawn(builder: Builder, span: InlineSpan): void {
  const { text, at } = builder;
  const parts = partsOf(builder);
  const isApart = span.kind === "image";
  const hasBefore = isApart || span.spaces === "before" || span.spaces === "both";
  const hasAfter = isApart || span.spaces === "after" || span.spaces === "both";
  const last = parts.at(-1);
  const isSpaced = typeof last === "string" ? last.endsWith(" ") : text.charAt(at - 1) === " ";
  if (hasBefore && at > 0 && !isSpaced) parts.push(" ");
  const isLinked = builder.open.some((node) => node.span.kind === "link");
  parts.push({ span: isLinked && isApart ? withoutLink(span) : span, parts: [] });
  if (text.charAt(at) === " ") builder.at += 1;
  if (hasAfter && at < text.length) parts.push(" ");
}

/** Removes whitespace at the ends of a line, which a dropped span may leave there. */
function trimEnds(parts: Inline[]): Inline[] {
  trimEnd(parts, 0, (text) => text.trimStart());
  trimEnd(parts, -1, (text) => text.trimEnd());
  return parts.filter((part) => part !== "");
}

function trimEnd(parts: Inline[], at: 0 | -1, trim: (text: string) => string): void {
  for (let inner = parts; inner.length > 0;) {
    const end = inner.at(at);
    if (typeof end === "string") {
      inner[at === 0 ? 0 : inner.length - 1] = trim(end);
      return;
    }
    inner = end?.parts ?? [];
  }
}

/** The text of a line without images, formulas and dropped spans (line numbers of code). */
export function plainTextOf(line: InlineText): string {
  return plainText(readInline({ ...line, links: [] }, { links: "drop", images: "drop" }).parts);
}

/** The text of the parts, without dropped spans. */
export function plainText(parts: readonly Inline[]): string {
  return parts.map((part) => (typeof part === "string" ? part : plainText(part.parts))).join("");
}

type InlineText = Pick<Line, "text" | "links" | "spans"> & Partial<Pick<Line, "block">>;

/** Cuts a line to one cell of a row; `range` is the cell's place in the text, in characters. */
export function cutLine<L extends InlineText>(line: L, range: readonly [number, number]): L {
  return { ...line, ...cutText(line, range) };
}

/** Writes a text without links and spans before a line. */
export function leadLine<L extends InlineText>(line: L, lead: string): L {
  const move = <T extends { start: number; end: number }>(span: T): T => ({
    ...span,
    start: span.start + lead.length,
    end: span.end + lead.length,
  });
  const { text, links, spans } = line;
  return {
    ...line,
    text: lead + text,
    ...(spans !== undefined && { spans: spans.map(move) }),
    ...(links !== undefined && { links: links.map(move) }),
  };
}

/** Like `cutLine`, but returns only the text, and the links and spans in it. */
export function cutText(
  { text, links, spans }: InlineText,
  [start, end]: readonly [number, number],
): InlineText {
  const isInside = (span: { start: number; end: number }): boolean => span.start >= start && span.end <= end;
  const move = <T extends { start: number; end: number }>(span: T): T => ({
    ...span,
    start: span.start - start,
    end: span.end - start,
  });
  return {
    text: text.slice(start, end),
    ...(spans !== undefined && { spans: spans.filter(isInside).map(move) }),
    ...(links !== undefined && { links: links.filter(isInside).map(move) }),
  };
}
