/** Writes labelled documents as Markdown (CommonMark, with GitHub's tables and footnotes, and TeX between dollar signs). */
import type { Document, InlineSpan, LabelledLine, Line } from "../document.js";
import { grade, isContent, showLines, type ShownLine } from "./shown-lines.js";
import { buildBlocks, isHeading, type Group, type Leaf, type Part } from "./structured/blocks.js";
import { formatFrontMatter } from "./structured/front-matter.js";
import { readInline, type Inline, type InlineWishes } from "./structured/inline.js";
import {
  cleanTex,
  escapeStart,
  writeImage,
  writeInline,
  writeMath,
  type InlineStyle,
} from "./structured/markdown-inline.js";
import {
  groupCells,
  layTable,
  splitRow,
  type Cells,
  type Table,
  type TableCell,
} from "./structured/markdown-table.js";
import { findNotes } from "./structured/notes.js";
import { placeTitle } from "./structured/title.js";
import { createResolver } from "./targets.js";
import { createJoinedWriter } from "./text.js";
import type { Format, FormatOptions } from "./writer.js";

export const MARKDOWN = {
  title: "Markdown",
  extension: ".md",
  otherExtensions: [".markdown"],
  hasRecords: false,
  gzip: "block",
  needsStructure: true,
  needsMetadata: "brief",
  format,
  create: (sink, options) => createJoinedWriter("markdown", sink, { ...options, format }),
} satisfies Format;

type Wishes = Partial<Pick<FormatOptions, "links" | "images" | "frontMatter">>;

function format(doc: Document<LabelledLine>, options: FormatOptions): string {
  return options.lines === "all" ? formatAnnotatedMarkdown(doc, options) : formatMarkdown(doc, options);
}

/** The content lines as Markdown, below the page's title; links, images and front matter on request. */
export function formatMarkdown(doc: Document<LabelledLine>, wishes: Wishes = {}): string {
  const { title, shown } = placeTitle(doc, showLines(doc.lines, isContent));
  const style = readStyle(doc, shown, wishes);
  const blocks = writeParts(buildBlocks(doc, shown), style);
  if (blocks.length === 0) return "";
  const head = title === undefined ? [] : [`# ${escapeTitle(title, style)}`];
  const front = wishes.frontMatter === true ? formatFrontMatter(doc) : "";
  return `${front}${[...head, joinBlocks(blocks)].join("\n\n")}\n`;
}

/** All lines: content as above with its score behind it, boilerplate inside comments that a renderer hides. */
export function formatAnnotatedMarkdown(doc: Document<LabelledLine>, wishes: Wishes = {}): string {
  const shown = showLines(doc.lines, () => true).map((entry) => ({ ...entry, gap: "block" as const }));
  const style = { ...readStyle(doc, shown, wishes), notes: new Map<string, number>(), isAnnotated: true };
  const blocks = writeParts(buildBlocks(doc, shown), style);
  return blocks.length === 0 ? "" : `${joinBlocks(blocks)}\n`;
}

interface Style extends InlineStyle, InlineWishes {
  readonly cells: Cells;
  /** Every line has its verdict behind it. */
  readonly isAnnotated: boolean;
}

function readStyle(
  doc: Document<LabelledLine>,
  shown: readonly ShownLine<LabelledLine>[],
  { links = "drop", images = "drop" }: Wishes,
): Style {
  const { holders = [] } = doc;
  return {
    links,
    images,
    resolve: createResolver(doc),
    notes: findNotes(
      shown.map(({ line }) => line),
      holders,
    ),
    hasMath: shown.some(({ line: { spans } }) => spans?.some(({ kind }) => kind === "math") === true),
    cells: groupCells(holders),
    isAnnotated: false,
  };
}

function escapeTitle(title: string, style: Style): string {
  return writeInline([title], style).replace(/\s+/g, " ").replace(/(#+)$/, "\\$1");
}

/** What one part is written as; items of a list without blank lines inside may follow each other closely. */
interface Block {
  readonly text: string;
  readonly kind: "list" | "note" | "text";
}

function joinBlocks(blocks: readonly Block[]): string {
  return blocks.map(({ text }) => text).join("\n\n");
}

function writeParts(parts: readonly Part[], style: Style): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at];
    if (part === undefined) break;
    if (part.kind === "group" && part.holder.tag === "li") {
      // Items that are in no list of their own make one.
      const items = [part];
      for (let next = parts[at + 1]; isItemGroup(next); next = parts[at + 1]) {
        items.push(next);
        at += 1;
      }
      addList(blocks, items, { tag: "ul", style });
    } else if (part.kind === "leaf" && part.lines[0]?.block === "tr" && !style.isAnnotated) {
      add(blocks, "text", writeRows(part, style));
    } else if (part.kind === "leaf") for (const text of writeLeaf(part, style)) add(blocks, "text", text);
    else addGroup(blocks, part, style);
  }
  return blocks;
}

function isItemGroup(part: Part | undefined): part is Group {
  return part?.kind === "group" && part.holder.tag === "li";
}

function add(blocks: Block[], kind: Block["kind"], text: string): void {
  if (text !== "") blocks.push({ kind, text });
}

function addGroup(blocks: Block[], group: Group, style: Style): void {
  const { tag, note } = group.holder;
  const number = note === undefined ? undefined : style.notes.get(note);
  if (number !== undefined) add(blocks, "note", writeNote(number, group, style));
  else if (tag === "ul" || tag === "ol") addInnerList(blocks, group, { tag, style });
  else if (tag === "blockquote")
    add(blocks, "text", prefix(joinBlocks(writeParts(group.parts, style)), "> "));
  else if (tag === "table" && !style.isAnnotated) addTable(blocks, group, style);
  else if (tag === "pre" && group.parts.every(isCode) && !style.isAnnotated)
    add(blocks, "text", writeCode(codeOf(group.parts), group.holder.lang));
  else blocks.push(...writeParts(group.parts, style));
}

/** A blank line keeps the bar of its quote, or the quote would end there, and has no other space at its end. */
function prefix(text: string, mark: string, first = mark): string {
  const blank = mark.trimEnd();
  return first + text.replace(/\n(?=(\n?))/g, (_, next) => `\n${next === "" ? mark : blank}`);
}

function writeNote(number: number, group: Group, style: Style): string {
  const text = joinBlocks(writeParts(group.parts, style));
  return text === "" ? "" : prefix(text, "    ", `[^${number}]: `);
}

/* Lists. */

interface ListStyle {
  readonly tag: "ul" | "ol";
  readonly style: Style;
}

/** A list of which only an inner list is shown gives its place to that one. */
function addInnerList(blocks: Block[], { parts }: Group, list: ListStyle): void {
  const [only, other] = parts;
  const isGroup = other === undefined && only?.kind === "group";
  if (isGroup && (isList(only) || (only.holder.tag === "li" && isHollow(only)))) {
    const inner = isList(only) ? only : only.parts[0];
    if (inner?.kind === "group") {
      addInnerList(blocks, inner, { ...list, tag: inner.holder.tag === "ol" ? "ol" : "ul" });
      return;
    }
  }
  addList(blocks, parts, list);
}

function isHollow({ parts: [only, other] }: Group): boolean {
  return other === undefined && only?.kind === "group" && isList(only);
}

/** What is in the list that is all of an item. */
function innerOf({ parts: [only] }: Group): readonly Part[] {
  return only?.kind === "group" ? only.parts : [];
}

function addList(blocks: Block[], parts: readonly Part[], { tag, style }: ListStyle): void {
  const before = blocks.at(-1);
  const isBeside = before?.kind === "list" && (tag === "ul" ? /^- / : /^\d+\. /).test(before.text);
  const marker = tag === "ul" ? (isBeside ? "* " : "- ") : isBeside ? ") " : ". ";
  let items: { text: string; isTight: boolean }[] = [];
  let number = 0;
  const flush = (): void => {
    const glue = items.every(({ isTight }) => isTight) ? "\n" : "\n\n";
    add(blocks, "list", items.map(({ text }) => text).join(glue));
    items = [];
  };
  for (const part of flattenItems(parts)) {
    const note = part.kind === "group" ? part.holder.note : undefined;
    if (part.kind === "group" && note !== undefined && style.notes.has(note)) {
      flush();
      addGroup(blocks, part, style);
      continue;
    }
    const inner = part.kind === "group" && part.holder.tag === "li" ? part.parts : [part];
    number = part.kind === "group" ? (part.holder.number ?? number + 1) : number + 1;
    const mark = tag === "ul" ? marker : `${String(Math.max(0, number))}${marker}`;
    const item = writeItem(writeParts(inner, style), mark);
    if (item !== undefined) items.push(item);
  }
  flush();
}

/** An item of which only an inner list is shown gives its place to the items of that one. */
function flattenItems(parts: readonly Part[]): Part[] {
  return parts.flatMap((part): Part[] => {
    if (part.kind === "leaf") return [part];
    const isInner = isList(part) || (part.holder.tag === "li" && isHollow(part));
    return isInner ? flattenItems(isList(part) ? part.parts : innerOf(part)) : [part];
  });
}

function isList({ holder: { tag } }: Group): boolean {
  return tag === "ul" || tag === "ol";
}

/** Text and the lists below it follow each other closely; anything else is set apart. */
function writeItem(
  blocks: readonly Block[],
  mark: string,
): { readonly text: string; readonly isTight: boolean } | undefined {
  if (blocks.length === 0) return undefined;
  const isTight = blocks.every(({ kind, text }, at) =>
    at === 0 ? kind === "text" : kind === "list" && /^(?:[-*]|1[.)]) /.test(text),
  );
  const text = blocks.map((block) => block.text).join(isTight ? "\n" : "\n\n");
  return { text: prefix(text, " ".repeat(mark.length), mark), isTight };
}

/* Lines. */

/** The blocks that the lines of a leaf are: one, as a rule, and those of what is drawn without text. */
function writeLeaf({ lines }: Leaf, style: Style): string[] {
  const [first] = lines;
  if (first === undefined) return [];
  if (style.isAnnotated) return lines.map((line) => annotate(line, style));
  if (first.block === "pre") return [writeCode(lines, undefined)];
  const inlines = lines.map((line) => ({ line, ...readInline(line, style) }));
  const written = inlines.flatMap(({ parts }) => {
    const text = writeInline(isHeading(first) ? withoutStrong(parts) : parts, style);
    return text.trim() === "" ? [] : [text];
  });
  const text = isHeading(first) ? writeHeading(first, written) : written.map(escapeStart).join("  \n");
  return [
    ...inlines.flatMap(({ before }) => before.map((span) => writeAlone(span, style))),
    ...(text === "" ? [] : [text]),
    ...inlines.flatMap(({ after }) => after.map((span) => writeAlone(span, style))),
  ].filter((block) => block !== "");
}

function writeHeading({ block }: Line, texts: readonly string[]): string {
  const text = texts.join(" ").replace(/(?<=\s|^)(#+)$/, "\\$1");
  return text === "" ? "" : `${"#".repeat(Number(block.slice(1)))} ${text}`;
}

/** A heading is strong as it is. */
function withoutStrong(parts: readonly Inline[]): readonly Inline[] {
  const [only, other] = parts;
  return other === undefined && typeof only === "object" && only.span.kind === "strong" ? only.parts : parts;
}

function writeAlone(span: InlineSpan, style: Style): string {
  if (span.kind === "image") return writeImage(span, style);
  if (span.kind !== "math") return "";
  return span.isDisplay === true ? `$$\n${cleanTex(span.tex ?? "")}\n$$` : writeMath(span);
}

/** A line by itself with its verdict; boilerplate is nothing but its verdict. */
function annotate(line: LabelledLine, style: Style): string {
  const verdict = [line.score.toFixed(3), grade(line.score), line.label, line.why].filter(Boolean).join(" ");
  if (!isContent(line)) return `<!-- ${verdict}: ${line.text.replace(/--(!?)>/g, "--$1&gt;")} -->`;
  const leaf: Leaf = { kind: "leaf", lines: [line] };
  const blocks =
    line.block === "tr" ? [writeRows(leaf, style)] : writeLeaf(leaf, { ...style, isAnnotated: false });
  return `${blocks.join("\n\n")}\n<!-- ${verdict} -->`;
}

/* Code. */

function isCode(part: Part): part is Leaf {
  return part.kind === "leaf" && part.lines.every(({ block }) => block === "pre" || block === "li");
}

function codeOf(parts: readonly Part[]): LabelledLine[] {
  return parts.flatMap((part) => (part.kind === "leaf" ? part.lines : []));
}

/** A fence longer than any run of backticks inside (CommonMark 0.31, 4.5). */
function writeCode(lines: readonly LabelledLine[], lang: string | undefined): string {
  const code = lines.map(withoutDropped).join("").trimEnd();
  if (code.trim() === "") return "";
  let longest = 2;
  for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}${lang ?? ""}\n${code}\n${fence}`;
}

/** Code has no numbers of lines; a line that began with one begins behind it. */
function withoutDropped({ text, spans = [] }: Line): string {
  let code = "";
  let at = 0;
  for (const { kind, start, end } of spans) {
    if (kind !== "drop" || start < at) continue;
    code += text.slice(at, start);
    at = end;
  }
  return code + text.slice(at);
}

/* Tables. */

function addTable(blocks: Block[], group: Group, style: Style): void {
  const table = layTable(group, style.cells);
  if (table === undefined) {
    blocks.push(...writeParts(group.parts, style));
    return;
  }
  for (const caption of table.captions)
    for (const text of writeLeaf(caption, style)) add(blocks, "text", text);
  const code = writeNumbered(table);
  add(blocks, "text", code ?? writeTable(table, style));
}

/** Code in a table, with the numbers of its lines in the first column, is code. */
function writeNumbered({ rows }: Table): string | undefined {
  const texts = rows
    .filter(({ cells }) => cells.length > 0)
    .map(({ cells: [number, code] }) => {
      const [line] = number?.lines ?? [];
      const end = number?.range?.[1];
      const isNumber = line?.spans?.some(
        (span) => span.kind === "drop" && span.start === 0 && span.end === end,
      );
      return isNumber === true
        ? code?.range === undefined
          ? ""
          : (line?.text.slice(...code.range) ?? "")
        : undefined;
    });
  if (texts.length === 0 || texts.includes(undefined)) return undefined;
  const line: Pick<LabelledLine, "text"> = { text: texts.join("\n") };
  return writeCode([{ ...NO_LINE, ...line }], undefined);
}

const NO_LINE: LabelledLine = Object.freeze({
  text: "",
  block: "pre",
  path: "",
  linkChars: 0,
  breakBefore: "block",
  score: 1,
  label: "content",
});

/** Rows whose table is not known: the first serves as the header, because GitHub's tables must have one. */
function writeRows({ lines }: Leaf, style: Style): string {
  const rows = lines.map((line) => ({ cells: splitRow(line), isHeader: false }));
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  return writeTable({ rows, width, captions: [] }, style);
}

/**
 * The header is as wide as the widest row, because a renderer drops what goes beyond. Shorter rows are filled up by the
 * renderer: here that would be quadratic.
 */
function writeTable({ rows, width }: Table, style: Style): string {
  const lines = rows.map(({ cells }) => cells.map((cell) => writeCell(cell, style)));
  const [header = [], ...body] = lines;
  const head = [...header, ...Array<string>(Math.max(0, width - header.length)).fill("")];
  const shown = [head, ...body.filter((row) => row.some((cell) => cell !== ""))];
  if (shown.length === 1 && head.every((cell) => cell === "")) return "";
  const [first = "", ...others] = shown.map((row) => `| ${row.join(" | ")} |`);
  return [first, `|${" --- |".repeat(width)}`, ...others].join("\n");
}

function writeCell({ lines, range }: TableCell, style: Style): string {
  const texts = lines.flatMap((line) => {
    const { text, spans = [], links = [] } = line;
    const [start, end] = range ?? [0, text.length];
    const part = text.slice(start, end);
    // Text has no space at its start: what has is code, and keeps it as code only.
    if (/^ {2}.*[^ ]/.test(part)) return [writeIndented(part)];
    const isInside = (span: { start: number; end: number }): boolean =>
      span.start >= start && span.end <= end;
    const move = <T extends { start: number; end: number }>(span: T): T => ({
      ...span,
      start: span.start - start,
      end: span.end - start,
    });
    const cell = {
      ...line,
      text: part,
      spans: spans.filter(isInside).map(move),
      links: links.filter(isInside).map(move),
    };
    const { before, parts, after } = readInline(cell, style);
    const drawn = [...before, ...after].map((span) =>
      span.kind === "image" ? writeImage(span, style) : writeMath(span),
    );
    return [...drawn, writeInline(parts, style)].filter((written) => written !== "");
  });
  return texts.join("<br>").replace(/\|/g, "\\|").replaceAll("\n", " ");
}

function writeIndented(code: string): string {
  const longest = code.match(/`+/g)?.reduce((most, run) => Math.max(most, run.length), 0) ?? 0;
  const fence = "`".repeat(longest + 1);
  return `${fence}${code}${code.endsWith("`") ? " " : ""}${fence}`;
}
