/** Formats labelled lines as the body of a TEI text: sections with headings, paragraphs, lists, tables, code. */
import type { Document, Holder, LabelledLine } from "../../document.js";
import { isContent, showLines, type ShownLine } from "../shown-lines.js";
import { stepsOf, type ListTag } from "../structured/blocks.js";
import { correctStructure } from "../structured/corrections.js";
import { addFollowing } from "../structured/following.js";
import { lowerFooterLines } from "../structured/table/footer.js";
import { cutRow, groupCells, type Cells } from "../structured/table/row-cells.js";
import { createTeiInline, type TeiInline } from "./inline.js";
import type { FormatOptions } from "../writer.js";
import { escapeAttribute, escapeXml } from "../xml-text.js";

/** The state while a body is written. */
interface State {
  readonly parts: string[];
  readonly inline: TeiInline;
  readonly holders: readonly Holder[];
  readonly cells: Cells;
  /** Whether lines are marked with their label and probability. */
  readonly isMarked: boolean;
  /** The heading levels of the open sections, outermost first. */
  readonly sections: number[];
  /** The open lists, outermost first; the last item of each is open as well. */
  readonly lists: ListTag[];
  /** The holders whose title, if any, has been written, because a line in them was written. */
  readonly begun: Set<number>;
}

/** Formats the body. It is valid TEI for any lines: the `div` is written even when it has no content. */
export function formatBody(
  given: Document<LabelledLine>,
  options: Pick<FormatOptions, "lines" | "links" | "images">,
): string {
  const { lines } = options;
  const doc = correctStructure(given);
  const { holders = [] } = doc;
  const inline = createTeiInline(doc, options);
  const state: State = {
    ...{ parts: ["<body>\n<div>\n"], sections: [], lists: [], isMarked: lines !== "none" },
    ...{ inline, holders, cells: groupCells(holders), begun: new Set<number>() },
  };
  const shown = showLines(doc.lines, lines === "all" ? () => true : isContent);
  for (const block of groupLines(addFollowing(doc.lines, shown))) {
    const first = block[0];
    if (first === undefined) continue;
    if (first.block === "li") {
      for (const line of block) {
        addTitles(state, line);
        addItem(state, line);
      }
    } else {
      addTitles(state, first);
      while (state.lists.length > 0) closeList(state);
      addBlock(state, first, block);
    }
  }
  while (state.lists.length > 0) closeList(state);
  while (state.sections.length > 0) closeSection(state);
  if (state.parts.length === 1) state.parts.push("<p/>\n");
  state.parts.push("</div>\n</body>");
  return state.parts.join("");
}

/**
 * Groups the lines that share an element: the parts of a paragraph with line breaks, the rows of a table, the chunks of
 * a `pre`.
 */
function groupLines(shown: readonly ShownLine<LabelledLine>[]): LabelledLine[][] {
  const blocks: LabelledLine[][] = [];
  for (const { line, gap } of shown) {
    const open = blocks.at(-1);
    const before = open?.at(-1);
    const isSame = before?.block === line.block && (line.block === "tr" || before.path === line.path);
    // Only chunks of the same `pre` have no gap between them.
    if (open !== undefined && isSame && gap === (line.block === "pre" ? "none" : "line")) open.push(line);
    else blocks.push([line]);
  }
  return blocks;
}

/** Writes the labels of tabs as titles above their panels; the lines of the tabs themselves are left out. */
function addTitles(state: State, { holder }: LabelledLine): void {
  const { holders, begun, parts } = state;
  const titles: string[] = [];
  // If a holder has begun, the holders around it have, too.
  for (let id = holder; id !== undefined && !begun.has(id); id = holders[id]?.parent) {
    begun.add(id);
    const title = holders[id]?.title;
    if (title !== undefined) titles.unshift(title);
  }
  if (titles.length === 0) return;
  while (state.lists.length > 0) closeList(state);
  parts.push(...titles.map((title) => `<p><hi rend="bold">${escapeXml(title)}</hi></p>\n`));
}

function addBlock(state: State, first: LabelledLine, block: readonly LabelledLine[]): void {
  const { parts } = state;
  const level = /^h([1-6])$/.exec(first.block)?.[1];
  if (level !== undefined) {
    const head = formatElement(state, "head", block);
    if (head === "") return;
    openSection(state, Number(level));
    parts.push(head);
  } else if (first.block === "tr") {
    const rows = lowerFooterLines(block).map((line) => formatRow(state, line));
    parts.push(`<table>\n${rows.join("")}</table>\n`);
  } else if (first.block === "pre") {
    parts.push(formatCode(state, block));
  } else {
    const paragraph = formatElement(state, "p", block);
    parts.push(
      stepsOf(first).includes("blockquote") && paragraph !== ""
        ? `<quote>${paragraph.trimEnd()}</quote>\n`
        : paragraph,
    );
  }
}

/**
 * Opens a section for a heading: TEI allows headings only at the start of a section, so each opens one, nested by
 * level.
 */
function openSection(state: State, level: number): void {
  while ((state.sections.at(-1) ?? 0) >= level) closeSection(state);
  state.sections.push(level);
  state.parts.push("<div>\n");
}

function closeSection({ parts, sections }: State): void {
  sections.pop();
  parts.push("</div>\n");
}

function addItem(state: State, line: LabelledLine): void {
  const { parts, lists, inline } = state;
  const text = inline.write(line);
  if (text === "" && !state.isMarked) return;
  const path = stepsOf(line).filter((step) => step !== "blockquote");
  const tag = path.at(-1) ?? "ul";
  // If the outer lists of an item are not shown, it is nested as deep as possible.
  const depth = Math.min(Math.max(path.length, 1), lists.length + 1);
  while (lists.length > depth || (lists.length === depth && lists.at(-1) !== tag)) closeList(state);
  if (line.continuesItem === true && lists.length === depth) {
    parts.push(`<lb/>${toPart(state, line, text)}`);
    return;
  }
  if (lists.length < depth) {
    lists.push(tag);
    parts.push(`<list rend="${tag === "ol" ? "numbered" : "bulleted"}">\n`);
  } else parts.push("</item>\n");
  parts.push(`<item${mark(state, line)}>${text}`);
}

function closeList({ parts, lists }: State): void {
  lists.pop();
  parts.push("</item>\n</list>\n");
}

function formatElement(state: State, tag: "p" | "head", block: readonly LabelledLine[]): string {
  const texts = block
    .map((line) => [line, state.inline.write(line)] as const)
    .filter(([, text]) => text !== "" || state.isMarked);
  const [only] = texts;
  if (only === undefined) return "";
  if (texts.length === 1) return `<${tag}${mark(state, only[0])}>${only[1]}</${tag}>\n`;
  return `<${tag}>${texts.map(([line, text]) => toPart(state, line, text)).join("<lb/>")}</${tag}>\n`;
}

/** Formats one line of an element; it needs a `seg` of its own only when lines are marked. */
function toPart(state: State, line: LabelledLine, text: string): string {
  return state.isMarked ? `<seg${mark(state, line)}>${text}</seg>` : text;
}

function formatCode(state: State, block: readonly LabelledLine[]): string {
  const { inline, holders } = state;
  const [first] = block;
  const lang = first?.holder === undefined ? undefined : holders[first.holder]?.lang;
  const language = lang === undefined ? "" : ` subtype="${escapeAttribute(lang)}"`;
  const open = `<ab type="code"${language} xml:space="preserve"`;
  if (first !== undefined && block.length === 1)
    return `${open}${mark(state, first)}>${inline.writePlain(first)}</ab>\n`;
  return `${open}>${block.map((line) => toPart(state, line, inline.writePlain(line))).join("")}</ab>\n`;
}

/** Formats a table row. A header row is marked as labels, and so is a header cell in another row. */
function formatRow(state: State, line: LabelledLine): string {
  const cells = cutRow(line);
  const holders = cellsOf(state, line, cells.length);
  const isHead =
    isHeader(state, line.holder) || (holders.length > 0 && holders.every((id) => isHeader(state, id)));
  const written = cells.map(
    (cell, at) => `<cell${describeCell(state, holders[at], isHead)}>${state.inline.write(cell)}</cell>`,
  );
  return `<row${isHead ? LABEL : ""}${mark(state, line)}>${written.join("")}</row>\n`;
}

const LABEL = ' role="label"';

/** The holders of a row's cells, if there are as many as texts. */
function cellsOf({ cells }: State, { holder }: LabelledLine, count: number): readonly number[] {
  const found = holder === undefined ? undefined : cells.byRow.get(holder);
  return found?.length === count ? found : [];
}

function describeCell({ holders }: State, id: number | undefined, isInHead: boolean): string {
  const { isHeader: isLabel = false, colSpan = 1 } = holders[id ?? -1] ?? {};
  return `${isLabel && !isInHead ? LABEL : ""}${colSpan > 1 ? ` cols="${colSpan}"` : ""}`;
}

function isHeader({ holders }: State, id: number | undefined): boolean {
  return id !== undefined && holders[id]?.isHeader === true;
}

/** The label as `ana`, and the probability of that label as `cert`. */
function mark({ isMarked }: State, line: LabelledLine): string {
  if (!isMarked) return "";
  const certainty = isContent(line) ? line.score : 1 - line.score;
  return ` ana="#${line.label}" cert="${certainty.toFixed(3)}"`;
}
