/** Writes the blocks of a document as elements; what they are called is a matter of the format. */
import type { Holder, InlineSpan, LabelledLine } from "../../document.js";
import { escapeAttribute, escapeXml } from "../tei-body.js";
import { isHeading, type Group, type Leaf, type Part } from "./blocks.js";
import { plainText, readInline, type Inline, type InlineWishes } from "./inline.js";
import { isSafeTarget } from "./markdown-inline.js";
import { splitRow, type Cells } from "./markdown-table.js";

export interface Attributes {
  readonly [name: string]: string | number | undefined;
}

/** How a format calls things. */
export interface Vocabulary extends InlineWishes {
  readonly resolve: (href: string) => string;
  readonly notes: ReadonlyMap<string, number>;
  readonly cells: Cells;
  /** The element that a holder is; undefined where its parts are written without it. */
  holder(
    holder: Holder,
    number: number | undefined,
  ): readonly [tag: string, attributes?: Attributes] | undefined;
  heading(level: number): readonly [tag: string, attributes?: Attributes];
  /** An inline element around what is written already; undefined where it is written as it is. */
  inline(
    span: InlineSpan,
    number: number | undefined,
  ): readonly [tag: string, attributes?: Attributes] | undefined;
  code(text: string, lang: string | undefined): string;
  image(src: string, alt: string): string;
  formula(tex: string, isDisplay: boolean): string;
  readonly lineBreak: string;
}

export function element(tag: string, attributes: Attributes | undefined, inner: string): string {
  const written = Object.entries(attributes ?? {})
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeAttribute(String(value))}"`);
  return `<${tag}${written.join("")}>${inner}</${tag}>`;
}

export function writeMarkup(parts: readonly Part[], vocabulary: Vocabulary): string {
  return parts.map((part) => writePart(part, vocabulary)).join("");
}

function writePart(part: Part, vocabulary: Vocabulary): string {
  if (part.kind === "leaf") return writeLeaf(part, vocabulary);
  const { holder, parts } = part;
  if (holder.tag === "table") return writeTable(part, vocabulary);
  if (holder.tag === "pre" && parts.every(isCode))
    return vocabulary.code(
      codeOf(parts.flatMap((leaf) => (leaf.kind === "leaf" ? leaf.lines : []))),
      holder.lang,
    );
  // Rows and cells that are in no table are written without.
  const isLost =
    holder.tag === "tr" || holder.tag === "td" || holder.tag === "th" || holder.tag === "caption";
  const number = holder.note === undefined ? undefined : vocabulary.notes.get(holder.note);
  const named = isLost ? undefined : vocabulary.holder(holder, number);
  const isList = holder.tag === "ul" || holder.tag === "ol";
  const inner = isList ? writeItems(part, vocabulary) : writeMarkup(parts, vocabulary);
  return named === undefined ? inner : `${element(named[0], named[1], inner)}\n`;
}

/** A list holds items only. */
function writeItems({ parts }: Group, vocabulary: Vocabulary): string {
  return parts
    .map((part) => {
      const written = writePart(part, vocabulary);
      if (part.kind === "group" && part.holder.tag === "li") return written;
      const [tag, attributes] = vocabulary.holder({ tag: "li" }, undefined) ?? ["li"];
      return `${element(tag, attributes, written)}\n`;
    })
    .join("");
}

function isCode(part: Part): boolean {
  return part.kind === "leaf" && part.lines.every(({ block }) => block === "pre" || block === "li");
}

function codeOf(lines: readonly LabelledLine[]): string {
  return lines
    .map((line) => plainText(readInline({ ...line, links: [] }, { links: "drop", images: "drop" }).parts))
    .join("")
    .trimEnd();
}

/** Blocks whose text is that of the element around them. */
const BARE: ReadonlySet<string> = new Set(["li", "dt", "dd", "td", "th", "summary", "figcaption", "caption"]);

function writeLeaf({ lines }: Leaf, vocabulary: Vocabulary): string {
  const [first] = lines;
  if (first === undefined) return "";
  if (first.block === "pre") return vocabulary.code(codeOf(lines), undefined);
  if (first.block === "tr") return writeTable(tableOf(lines), vocabulary);
  const inlines = lines.map((line) => readInline(line, vocabulary));
  const drawn = (spans: readonly InlineSpan[]): string =>
    spans
      .map((span) => writeDrawn(span, vocabulary))
      .filter((text) => text !== "")
      .map((text) => `${element("p", undefined, text)}\n`)
      .join("");
  const texts = inlines
    .map(({ parts }) => writeParts(parts, vocabulary))
    .filter((text) => text.trim() !== "");
  const text = texts.join(vocabulary.lineBreak);
  const [tag, attributes] = isHeading(first) ? vocabulary.heading(Number(first.block.slice(1))) : ["p"];
  const written = text === "" ? "" : BARE.has(first.block) ? text : `${element(tag, attributes, text)}\n`;
  return `${inlines.map(({ before }) => drawn(before)).join("")}${written}${inlines.map(({ after }) => drawn(after)).join("")}`;
}

function writeParts(parts: readonly Inline[], vocabulary: Vocabulary): string {
  return parts
    .map((part) => {
      if (typeof part === "string") return escapeXml(part);
      const { span } = part;
      if (span.kind === "drop") return "";
      if (span.kind === "math" || span.kind === "image") return writeDrawn(span, vocabulary);
      const number = span.note === undefined ? undefined : vocabulary.notes.get(span.note);
      const named =
        span.kind === "link" && holdsNote(part.parts, vocabulary)
          ? undefined
          : vocabulary.inline(span, number);
      const inner =
        span.kind === "code" ? escapeXml(plainText(part.parts)) : writeParts(part.parts, vocabulary);
      return named === undefined || inner === "" ? inner : element(named[0], named[1], inner);
    })
    .join("");
}

/** A reference to a note that is shown is a link by itself. */
function holdsNote(parts: readonly Inline[], vocabulary: Vocabulary): boolean {
  return parts.some(
    (part) =>
      typeof part === "object" &&
      (vocabulary.notes.has(part.span.note ?? "") || holdsNote(part.parts, vocabulary)),
  );
}

function writeDrawn(
  { kind, src = "", alt = "", tex = "", isDisplay }: InlineSpan,
  vocabulary: Vocabulary,
): string {
  if (kind === "math") return vocabulary.formula(tex, isDisplay === true);
  return isSafeTarget(src) ? vocabulary.image(vocabulary.resolve(src), alt) : "";
}

/** Rows whose table is not known. */
function tableOf(lines: readonly LabelledLine[]): Group {
  const parts = lines.map((line): Group => ({
    kind: "group",
    holder: { tag: "tr" },
    id: -1,
    parts: [{ kind: "leaf", lines: [line] }],
  }));
  return { kind: "group", holder: { tag: "table" }, id: -1, parts };
}

/** What is in a table and in no row comes before it, where a parser would put it. */
function writeTable({ holder, parts }: Group, vocabulary: Vocabulary): string {
  const rows = parts.filter((part): part is Group => part.kind === "group" && part.holder.tag === "tr");
  const others = parts.filter((part) => !rows.includes(part as Group)); // a leaf is no row
  const written = rows.map((row) => writeRow(row, vocabulary)).filter((row) => row !== "");
  const before = writeMarkup(others, vocabulary);
  const captioned =
    before !== "" && !before.startsWith("<") ? `${element("p", undefined, before)}\n` : before;
  const [tag, attributes] = vocabulary.holder(holder, undefined) ?? ["table"];
  return `${captioned}${written.length === 0 ? "" : `${element(tag, attributes, `\n${written.join("")}`)}\n`}`;
}

function writeRow(row: Group, vocabulary: Vocabulary): string {
  const { cells } = vocabulary;
  const ids = cells.byRow.get(row.id) ?? [];
  const name = (holder: Holder): readonly [string, Attributes?] =>
    vocabulary.holder(holder, undefined) ?? ["td"];
  const contents: string[] = [];
  const own = new Map<number, string>();
  for (const part of row.parts) {
    if (part.kind === "group") own.set(part.id, writeMarkup(part.parts, vocabulary));
    else
      for (const line of part.lines)
        contents.push(
          ...splitRow(line).map(({ range = [0, 0] }) => writeParts(cut(line, range, vocabulary), vocabulary)),
        );
  }
  const holders =
    ids.length === 0
      ? contents.map((): Holder => ({ tag: "td" }))
      : ids.map((id) => cells.holders[id] ?? { tag: "td" as const });
  const written = holders.map((holder, at) => {
    const inner = own.get(ids[at] ?? -1) ?? contents[at] ?? "";
    const [tag, attributes] = name(holder);
    return element(tag, attributes, inner.trim());
  });
  const [tag, attributes] = vocabulary.holder({ tag: "tr" }, undefined) ?? ["tr"];
  return written.length === 0 ? "" : `${element(tag, attributes, written.join(""))}\n`;
}

function cut(
  line: LabelledLine,
  [start, end]: readonly [number, number],
  wishes: InlineWishes,
): readonly Inline[] {
  const isInside = (span: { start: number; end: number }): boolean => span.start >= start && span.end <= end;
  const move = <T extends { start: number; end: number }>(span: T): T => ({
    ...span,
    start: span.start - start,
    end: span.end - start,
  });
  const text = line.text.slice(start, end);
  const spans = (line.spans ?? []).filter(isInside).map(move);
  const links = (line.links ?? []).filter(isInside).map(move);
  return readInline({ ...line, text, spans, links }, wishes).parts;
}
