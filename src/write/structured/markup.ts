/** Writes the blocks of a document as elements; what they are called is a matter of the format. */
import { HEADING_TAGS, type Holder, type InlineSpan, type LabelledLine } from "../../document.js";
import { isSafeTarget } from "../targets.js";
import { escapeAttribute, escapeXml } from "../xml-text.js";
import {
  adoptLists,
  isHeading,
  isItemGroup,
  isList,
  isRow,
  type Group,
  type Leaf,
  type Part,
} from "./blocks.js";
import { cutLine, plainText, plainTextOf, readInline, type Inline, type InlineWishes } from "./inline.js";
import { raiseCode } from "./code-lines.js";
import { cutCells } from "./laid-cells.js";
import { joinCode, readCodeLines } from "./code.js";
import { cutSections } from "./table-sections.js";
import { layTable, readNumbered, splitRow } from "./table.js";
import type { Cells } from "./row-cells.js";
import { readPoint } from "./points.js";

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
  /** A box before an item, ticked or not. */
  task(isDone: boolean): string;
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
  let all = "";
  for (const given of parts) {
    const part = given.kind === "leaf" ? raiseCode(given) : given;
    const written = writePart(part, vocabulary);
    // All elements of blocks end with a line; what does not is a text of the element around it.
    const isBehindText = written !== "" && all !== "" && !all.endsWith("\n");
    all += isBehindText ? `${partFrom(part, vocabulary)}${written}` : written;
  }
  return all;
}

/** What stands between a text of the element around it and another one, or code, which some formats name as they do in lines. */
function partFrom(part: Part, { lineBreak }: Vocabulary): string {
  if (isBare(part)) return `${lineBreak}${lineBreak}`;
  let first: Part | undefined = part;
  while (first?.kind === "group") first = first.parts[0];
  return first !== undefined && raiseCode(first).lines[0]?.block === "pre" ? "\n" : "";
}

function writePart(part: Part, vocabulary: Vocabulary): string {
  if (part.kind === "leaf") return writeLeaf(part, vocabulary);
  const { holder, parts } = part;
  if (holder.tag === "table") return writeTable(part, vocabulary);
  const code = readCodeLines(part);
  if (code !== undefined) return writeCode(code, holder.lang, vocabulary);
  const isLost = LOST.has(holder.tag);
  const number = holder.note === undefined ? undefined : vocabulary.notes.get(holder.note);
  const named = isLost ? undefined : vocabulary.holder(holder, number);
  const written = isList(part) ? writeItems(part, vocabulary) : writeMarkup(parts, vocabulary);
  // Nothing was left but what is left out.
  if (written === "" && (isList(part) || isItemGroup(part))) return "";
  const inner = `${writeLead(holder, vocabulary)}${number === undefined ? written : withoutSign(written)}`;
  return named === undefined ? inner : `${element(named[0], named[1], inner)}\n`;
}

/** Rows and cells that are in no table are written without, and so is what is in a heading and no line of it. */
const LOST: ReadonlySet<string> = new Set(["tr", "td", "th", "caption", "pre", ...HEADING_TAGS]);

/** What a holder shows before its own text: a box to tick, or what its tab says. */
function writeLead({ task, title }: Holder, vocabulary: Vocabulary): string {
  if (task !== undefined) return vocabulary.task(task === "done");
  if (title === undefined) return "";
  const [tag, attributes] = vocabulary.inline({ kind: "strong", start: 0, end: 0 }, undefined) ?? ["strong"];
  return `${element("p", undefined, element(tag, attributes, escapeXml(title)))}\n`;
}

/** Behind the mark that leads back from a note, which is left out, some have a sign. */
function withoutSign(written: string): string {
  return written.replace(/^((?:<p>)?)[.:)\]]\s*/, "$1");
}

/** A list holds items only. */
function writeItems({ parts }: Group, vocabulary: Vocabulary): string {
  return adoptLists(parts)
    .map((part) => {
      const written = writePart(part, vocabulary);
      if (written === "") return "";
      if (isItemGroup(part)) return written;
      const [tag, attributes] = vocabulary.holder({ tag: "li" }, undefined) ?? ["li"];
      return `${element(tag, attributes, written)}\n`;
    })
    .join("");
}

/** Numbers of lines are no code, also where they are in a block of their own. */
function writeCode(lines: readonly LabelledLine[], lang: string | undefined, vocabulary: Vocabulary): string {
  const code = joinCode(lines, plainTextOf).trimEnd();
  return code.trim() === "" ? "" : vocabulary.code(code, lang);
}

/** Blocks whose text is that of the element around them. */
const BARE: ReadonlySet<string> = new Set(["li", "dt", "dd", "td", "th", "summary", "figcaption", "caption"]);

function isBare(part: Part): boolean {
  return part.kind === "leaf" && BARE.has(part.lines[0]?.block ?? "");
}

function writeLeaf({ lines }: Leaf, vocabulary: Vocabulary): string {
  const [first] = lines;
  if (first === undefined) return "";
  if (first.block === "pre") return writeCode(lines, undefined, vocabulary);
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
  { kind, start, end, src = "", alt = "", href, tex = "", isDisplay }: InlineSpan,
  vocabulary: Vocabulary,
): string {
  if (kind === "math") return vocabulary.formula(tex, isDisplay === true);
  if (!isSafeTarget(src)) return "";
  const image = vocabulary.image(vocabulary.resolve(src), alt);
  const named =
    href === undefined ? undefined : vocabulary.inline({ kind: "link", start, end, href }, undefined);
  return named === undefined ? image : element(named[0], named[1], image);
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
function writeTable(table: Group, vocabulary: Vocabulary): string {
  const { holder, parts } = table;
  const rows = parts.filter(isRow);
  const number = holder.note === undefined ? undefined : vocabulary.notes.get(holder.note);
  if (number !== undefined) {
    const [tag, attributes] = vocabulary.holder({ tag: "note" }, number) ?? ["div"];
    return `${element(tag, attributes, withoutSign(writeCells(parts, vocabulary)))}\n`;
  }
  const point = readPoint(table);
  if (point !== undefined) return writeLeaf(point, vocabulary);
  if (holder.isLayout === true) return writeCells(parts, vocabulary);
  if (!isHeaded(table, vocabulary)) {
    const laid = layTable(table, vocabulary.cells);
    // A table that names no headers, and whose cells hold other blocks, only lays them out.
    if (typeof laid !== "object") {
      const sections = laid === undefined ? cutSections(table, vocabulary.cells) : undefined;
      return sections === undefined ? writeCells(parts, vocabulary) : writeMarkup(sections, vocabulary);
    }
    const code = readNumbered(laid);
    if (code !== undefined) return vocabulary.code(code, vocabulary.cells.holders[holder.parent ?? -1]?.lang);
  }
  const others = parts.filter((part) => !rows.includes(part as Group)); // a leaf is no row
  const written = rows.map((row) => writeRow(row, vocabulary)).filter((row) => row !== "");
  const [tag, attributes] = vocabulary.holder(holder, undefined) ?? ["table"];
  const captioned = writeCells(others, vocabulary);
  return `${captioned}${written.length === 0 ? "" : `${element(tag, attributes, `\n${written.join("")}`)}\n`}`;
}

function writeCells(parts: readonly Part[], vocabulary: Vocabulary): string {
  return parts.map((part) => writeApart(part, vocabulary)).join("");
}

function isHeaded({ parts }: Group, { cells }: Vocabulary): boolean {
  return parts.some(
    (part) =>
      part.kind === "group" &&
      (part.holder.tag === "caption" ||
        part.holder.isHeader === true ||
        cells.byRow.get(part.id)?.some((id) => cells.holders[id]?.isHeader === true) === true),
  );
}

/** What is in a table that only lays out, or in no row of its table: texts of their own. */
function writeApart(part: Part, vocabulary: Vocabulary): string {
  if (part.kind === "group") {
    const { tag } = part.holder;
    const isPart = tag === "tr" || tag === "td" || tag === "th" || tag === "caption";
    return isPart
      ? part.parts.map((inner) => writeApart(inner, vocabulary)).join("")
      : writePart(part, vocabulary);
  }
  const [first] = part.lines;
  if (first?.block === "tr")
    return part.lines
      .flatMap(cutCells)
      .map((cell) => writeParts(readInline(cell, vocabulary).parts, vocabulary))
      .map((text) => (text === "" ? "" : `${element("p", undefined, text)}\n`))
      .join("");
  return writeLeaf(
    isBare(part) ? { ...part, lines: part.lines.map((line) => ({ ...line, block: "p" as const })) } : part,
    vocabulary,
  );
}

function writeRow(row: Group, vocabulary: Vocabulary): string {
  const { cells } = vocabulary;
  const ids = cells.byRow.get(row.id) ?? [];
  const name = (holder: Holder): readonly [string, Attributes?] =>
    vocabulary.holder(holder, undefined) ?? ["td"];
  const contents: string[] = [];
  const own = new Map<number, string>();
  for (const part of row.parts) {
    if (part.kind === "group")
      own.set(part.id, `${own.get(part.id) ?? ""}${writeMarkup(part.parts, vocabulary)}`);
    else
      for (const line of part.lines)
        contents.push(
          ...splitRow(line).map(({ range = [0, 0] }) =>
            writeParts(readInline(cutLine(line, range), vocabulary).parts, vocabulary),
          ),
        );
  }
  const holders =
    ids.length === 0
      ? contents.map((): Holder => ({ tag: "td" }))
      : ids.map((id) => cells.holders[id] ?? { tag: "td" as const });
  const written = holders.map((holder, at) => {
    const inner = `${contents[at] ?? ""}${own.get(ids[at] ?? -1) ?? ""}`;
    const [tag, attributes] = name(holder);
    return element(tag, attributes, inner.trim());
  });
  const [tag, attributes] = vocabulary.holder({ tag: "tr" }, undefined) ?? ["tr"];
  return written.length === 0 ? "" : `${element(tag, attributes, written.join(""))}\n`;
}
