/** Writes the blocks of a document as XML or HTML elements; the names of the elements come from the format. */
import {
  HEADING_TAGS,
  type Document,
  type Holder,
  type InlineSpan,
  type LabelledLine,
} from "../../document.js";
import type { ShownLine } from "../shown-lines.js";
import { createResolver, isSafeTarget } from "../targets.js";
import type { FormatOptions } from "../writer.js";
import { escapeAttribute, escapeXml } from "../xml-text.js";
import {
  adoptLists,
  buildBlocks,
  isHeading,
  isItemGroup,
  isList,
  isRow,
  makeGroup,
  type Group,
  type Leaf,
  type Part,
} from "./blocks.js";
import { plainText, readInline, type Inline, type InlineWishes } from "./inline.js";
import { leaveBars } from "./code/code-bars.js";
import { raiseCode } from "./code/code-lines.js";
import { cutCells } from "./table/laid-cells.js";
import { joinCode, readCodeLines, shownCode } from "./code/code.js";
import { cutSections } from "./table/table-sections.js";
import { lowerFooter } from "./table/footer.js";
import { layTable, readNumbered } from "./table/table.js";
import { cutRow, groupCells, type Cells } from "./table/row-cells.js";
import { findNotes } from "./notes.js";
import { readListedRows } from "./table/listed-rows.js";
import { readPoint } from "./points.js";
import { raiseBullets } from "./typed-bullets.js";

interface Attributes {
  readonly [name: string]: string | number | undefined;
}

/** The name of an element in a format, and its attributes. */
export type Name = readonly [tag: string, attributes?: Attributes];

/** The elements of a format. */
export interface Vocabulary {
  /** The element of a holder; undefined if only its content is written. `note` is the label of a note. */
  holder(holder: Holder, note?: string): Name | undefined;
  heading(level: number): Name;
  /** The element around an inline span; undefined if only its content is written. */
  inline(span: InlineSpan, resolve: (href: string) => string, note?: string): Name | undefined;
  code(text: string, lang: string | undefined): string;
  /** The checkbox before a list item. */
  task(isDone: boolean): string;
  image(src: string, alt: string): string;
  formula(tex: string, isDisplay: boolean): string;
  readonly lineBreak: string;
}

/** What is needed to write a document: the elements of its format, and facts about all of its lines. */
interface Writing extends InlineWishes {
  readonly vocabulary: Vocabulary;
  readonly resolve: (href: string) => string;
  /** The labels of the notes that are shown, by id. */
  readonly notes: ReadonlyMap<string, string>;
  readonly cells: Cells;
}

/**
 * Writes the shown lines as elements. Headings must already be marked by the blocks of their lines (see
 * `correctStructure`).
 */
export function formatMarkup(
  doc: Document<LabelledLine>,
  shown: readonly ShownLine<LabelledLine>[],
  { vocabulary, links, images = "drop", documents }: MarkupOptions,
): string {
  const { holders = [] } = doc;
  return writeMarkup(raiseBullets(leaveBars(buildBlocks(doc, shown))), {
    vocabulary,
    links,
    images,
    resolve: createResolver(doc),
    notes: findNotes(doc, shown, documents),
    cells: groupCells(holders),
  });
}

interface MarkupOptions extends Pick<FormatOptions, "links" | "images" | "documents"> {
  readonly vocabulary: Vocabulary;
}

/** Writes an element; attributes without a value are left out. `inner` is markup. */
export function element([tag, attributes = {}]: Name, inner: string): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeAttribute(String(value))}"`);
  return `<${tag}${written.join("")}>${inner}</${tag}>`;
}

function writeMarkup(parts: readonly Part[], writing: Writing): string {
  const all: string[] = [];
  for (const given of parts) {
    const part = given.kind === "leaf" ? raiseCode(given) : given;
    const written = writePart(part, writing);
    if (written === "") continue;
    // Each block element ends with a line break; otherwise the last part was text of the element around it.
    const isBehindText = all.at(-1)?.endsWith("\n") === false;
    all.push(isBehindText ? `${partFrom(part, writing)}${written}` : written);
  }
  return all.join("");
}

/**
 * The separator between text of the surrounding element and a part after it: two breaks before text, and a line feed
 * before code, because some formats use the same element for code blocks and code in a line.
 */
function partFrom(part: Part, { vocabulary: { lineBreak } }: Writing): string {
  if (isBare(part)) return `${lineBreak}${lineBreak}`;
  let first: Part | undefined = part;
  while (first?.kind === "group") first = firstWritten(first);
  return first !== undefined && raiseCode(first).lines[0]?.block === "pre" ? "\n" : "";
}

/** Returns the part that is written first: what is in no row of a table comes before its rows. */
function firstWritten({ holder, parts }: Group): Part | undefined {
  return (holder.tag === "table" ? parts.find((part) => !isRow(part)) : undefined) ?? parts[0];
}

function writePart(part: Part, writing: Writing): string {
  if (part.kind === "leaf") return writeLeaf(part, writing);
  const { holder, parts } = part;
  if (holder.tag === "table") return writeTable(part, writing);
  const code = readCodeLines(part);
  if (code !== undefined) return writeCode(code, holder.lang, writing);
  const isLost = LOST.has(holder.tag);
  const note = holder.note === undefined ? undefined : writing.notes.get(holder.note);
  const named = isLost ? undefined : writing.vocabulary.holder(holder, note);
  const written = isList(part) ? writeItems(part, writing) : writeMarkup(parts, writing);
  // No empty list or item is written if all of its content was left out.
  if (written === "" && (isList(part) || isItemGroup(part))) return "";
  const inner = `${writeLead(holder, writing)}${note === undefined ? written : withoutSign(written)}`;
  return named === undefined ? inner : `${element(named, inner)}\n`;
}

/**
 * Holders without an element of their own: rows, cells and captions outside of a table, a `pre` that holds more than
 * code, and headings.
 */
const LOST: ReadonlySet<string> = new Set(["tr", "td", "th", "caption", "pre", ...HEADING_TAGS]);

/** The checkbox or the title of a tab, which comes before the content of a holder. */
function writeLead({ task, title }: Holder, { vocabulary, resolve }: Writing): string {
  if (task !== undefined) return vocabulary.task(task === "done");
  if (title === undefined) return "";
  const strong = vocabulary.inline({ kind: "strong", start: 0, end: 0 }, resolve) ?? ["strong"];
  return `${element(["p"], element(strong, escapeXml(title)))}\n`;
}

/** Removes the sign after the number of a note; the number itself, a link back, is already left out. */
function withoutSign(written: string): string {
  return written.replace(/^((?:<p>)?)[.:)\]]\s*/, "$1");
}

/** Writes the items of a list. Other parts are wrapped in items, because a list holds items only. */
function writeItems({ parts }: Group, writing: Writing): string {
  return adoptLists(parts)
    .map((part) => {
      const written = writePart(part, writing);
      if (written === "") return "";
      if (isItemGroup(part)) return written;
      return `${element(writing.vocabulary.holder({ tag: "li" }) ?? ["li"], written)}\n`;
    })
    .join("");
}

/** Writes a code block without line numbers. */
function writeCode(lines: readonly LabelledLine[], lang: string | undefined, writing: Writing): string {
  const code = joinCode(lines, shownCode).trimEnd();
  return code.trim() === "" ? "" : writing.vocabulary.code(code, lang);
}

/** Blocks whose text belongs directly into the surrounding element. */
const BARE: ReadonlySet<string> = new Set(["li", "dt", "dd", "td", "th", "summary", "figcaption", "caption"]);

function isBare(part: Part): boolean {
  return part.kind === "leaf" && BARE.has(part.lines[0]?.block ?? "");
}

function writeLeaf({ lines }: Leaf, writing: Writing): string {
  const [first] = lines;
  if (first === undefined) return "";
  if (first.block === "pre") return writeCode(lines, undefined, writing);
  if (first.block === "tr") return writeTable(tableOf(lines), writing);
  const inlines = lines.map((line) => readInline(line, writing));
  const drawn = (spans: readonly InlineSpan[]): string =>
    spans
      .map((span) => writeDrawn(span, writing))
      .filter((text) => text !== "")
      .map((text) => `${element(["p"], text)}\n`)
      .join("");
  const texts = inlines.map(({ parts }) => writeParts(parts, writing)).filter((text) => text.trim() !== "");
  const text = texts.join(writing.vocabulary.lineBreak);
  const name: Name = isHeading(first) ? writing.vocabulary.heading(Number(first.block.slice(1))) : ["p"];
  const written = text === "" ? "" : BARE.has(first.block) ? text : `${element(name, text)}\n`;
  return `${inlines.map(({ before }) => drawn(before)).join("")}${written}${inlines.map(({ after }) => drawn(after)).join("")}`;
}

function writeParts(parts: readonly Inline[], writing: Writing): string {
  return parts
    .map((part) => {
      if (typeof part === "string") return escapeXml(part);
      const { span } = part;
      if (span.kind === "drop") return "";
      if (span.kind === "math" || span.kind === "image") return writeDrawn(span, writing);
      const note = span.note === undefined ? undefined : writing.notes.get(span.note);
      const named =
        span.kind === "link" && holdsNote(part.parts, writing)
          ? undefined
          : writing.vocabulary.inline(span, writing.resolve, note);
      const inner = span.kind === "code" ? escapeXml(plainText(part.parts)) : writeParts(part.parts, writing);
      return named === undefined || inner === "" ? inner : element(named, inner);
    })
    .join("");
}

/** Whether parts hold a reference to a note that is shown, which is a link itself. */
function holdsNote(parts: readonly Inline[], writing: Writing): boolean {
  return parts.some(
    (part) =>
      typeof part === "object" && (writing.notes.has(part.span.note ?? "") || holdsNote(part.parts, writing)),
  );
}

function writeDrawn(
  { kind, start, end, src = "", alt = "", href, tex = "", isDisplay }: InlineSpan,
  { vocabulary, resolve }: Writing,
): string {
  if (kind === "math") return vocabulary.formula(tex, isDisplay === true);
  if (!isSafeTarget(src)) return "";
  // A video without a poster is written as a link with its title.
  const image = src === "" ? escapeXml(alt) : vocabulary.image(resolve(src), alt);
  const named =
    href === undefined ? undefined : vocabulary.inline({ kind: "link", start, end, href }, resolve);
  if (named === undefined) return src === "" ? "" : image;
  return element(named, image);
}

/** Builds a table from rows that belong to no known table. */
function tableOf(lines: readonly LabelledLine[]): Group {
  const rows = lines.map((line) => makeGroup({ tag: "tr" }, [{ kind: "leaf", lines: [line] }]));
  return makeGroup({ tag: "table" }, rows);
}

/** Writes a table. Parts in no row are written before it, where an HTML parser would put them. */
function writeTable(given: Group, writing: Writing): string {
  const table = lowerFooter(given);
  const { holder, parts } = table;
  const rows = parts.filter(isRow);
  const note = holder.note === undefined ? undefined : writing.notes.get(holder.note);
  if (note !== undefined) {
    const name = writing.vocabulary.holder({ tag: "note" }, note) ?? ["div"];
    return `${element(name, withoutSign(writeCells(parts, writing)))}\n`;
  }
  const point = readPoint(table);
  if (point !== undefined) return writeMarkup(point, writing);
  const listed = readListedRows(table);
  if (listed !== undefined) return writePart(listed, writing);
  if (holder.isLayout === true) return writeCells(parts, writing);
  if (!isHeaded(table, writing)) {
    const laid = layTable(table, writing.cells);
    // A table without headers whose cells hold other blocks is used for layout only.
    if (typeof laid !== "object") {
      const sections = laid === undefined ? cutSections(table, writing.cells) : undefined;
      return sections === undefined ? writeCells(parts, writing) : writeMarkup(sections, writing);
    }
    const code = readNumbered(laid);
    if (code !== undefined)
      return writing.vocabulary.code(code, writing.cells.holders[holder.parent ?? -1]?.lang);
  }
  const others = parts.filter((part) => !isRow(part));
  const written = rows.map((row) => writeRow(row, writing)).filter((row) => row !== "");
  const name = writing.vocabulary.holder(holder) ?? ["table"];
  const captioned = writeCells(others, writing);
  return `${captioned}${written.length === 0 ? "" : `${element(name, `\n${written.join("")}`)}\n`}`;
}

function writeCells(parts: readonly Part[], writing: Writing): string {
  return parts.map((part) => writeApart(part, writing)).join("");
}

function isHeaded({ parts }: Group, { cells }: Writing): boolean {
  return parts.some(
    (part) =>
      part.kind === "group" &&
      (part.holder.tag === "caption" ||
        part.holder.isHeader === true ||
        cells.byRow.get(part.id)?.some((id) => cells.holders[id]?.isHeader === true) === true),
  );
}

/** Writes a part of a layout table, or a part of a table that is in no row, as blocks of text. */
function writeApart(part: Part, writing: Writing): string {
  if (part.kind === "group") {
    const { tag } = part.holder;
    const isPart = tag === "tr" || tag === "td" || tag === "th" || tag === "caption";
    return isPart ? part.parts.map((inner) => writeApart(inner, writing)).join("") : writePart(part, writing);
  }
  const [first] = part.lines;
  if (first?.block === "tr")
    return part.lines
      .flatMap(cutCells)
      .map((cell) => writeParts(readInline(cell, writing).parts, writing))
      .map((text) => (text === "" ? "" : `${element(["p"], text)}\n`))
      .join("");
  return writeLeaf(
    isBare(part) ? { ...part, lines: part.lines.map((line) => ({ ...line, block: "p" as const })) } : part,
    writing,
  );
}

function writeRow(row: Group, writing: Writing): string {
  const { cells, vocabulary } = writing;
  const ids = cells.byRow.get(row.id) ?? [];
  const contents: string[] = [];
  const own = new Map<number, string>();
  for (const part of row.parts) {
    if (part.kind === "group")
      own.set(part.id, `${own.get(part.id) ?? ""}${writeMarkup(part.parts, writing)}`);
    else
      for (const line of part.lines)
        for (const cell of cutRow(line)) contents.push(writeParts(readInline(cell, writing).parts, writing));
  }
  const holders =
    ids.length === 0
      ? contents.map((): Holder => ({ tag: "td" }))
      : ids.map((id) => cells.holders[id] ?? { tag: "td" as const });
  const written = holders.map((holder, at) => {
    const inner = `${contents[at] ?? ""}${own.get(ids[at] ?? -1) ?? ""}`;
    return element(vocabulary.holder(holder) ?? ["td"], inner.trim());
  });
  if (written.length === 0) return "";
  return `${element(vocabulary.holder({ tag: "tr" }) ?? ["tr"], written.join(""))}\n`;
}
