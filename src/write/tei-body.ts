/** Formats labelled lines as the body of a TEI text: sections under their headings, paragraphs, lists, tables, code. */
import type { Document, LabelledLine } from "../document.js";
import { findLists, isContent, showLines, type ListTag, type ShownLine } from "./shown-lines.js";
import type { WriterOptions } from "./writer.js";

/** What is open while a body is written. */
interface State {
  readonly parts: string[];
  /** The levels of the headings whose sections are open, outermost first. */
  readonly sections: number[];
  /** The lists that are open, outermost first; the last item of each is open as well. */
  readonly lists: ListTag[];
}

/** Valid whatever the lines are: `div` is there even when nothing is in it. */
export function formatBody(doc: Document<LabelledLine>, lines: WriterOptions["lines"]): string {
  const state: State = { parts: ["<body>\n<div>\n"], sections: [], lists: [] };
  const isMarked = lines !== "none";
  for (const block of groupLines(showLines(doc.lines, lines === "all" ? () => true : isContent))) {
    const first = block[0];
    if (first === undefined) continue;
    if (first.block === "li") {
      for (const line of block) addItem(state, line, isMarked);
    } else {
      while (state.lists.length > 0) closeList(state);
      addBlock(state, first, block, isMarked);
    }
  }
  while (state.lists.length > 0) closeList(state);
  while (state.sections.length > 0) closeSection(state);
  if (state.parts.length === 1) state.parts.push("<p/>\n");
  state.parts.push("</div>\n</body>");
  return state.parts.join("");
}

/** Lines that one element holds: the parts of a paragraph with line breaks, the rows of a table, the chunks of a `pre`. */
function groupLines(shown: readonly ShownLine<LabelledLine>[]): LabelledLine[][] {
  const blocks: LabelledLine[][] = [];
  for (const { line, gap } of shown) {
    const open = blocks.at(-1);
    const before = open?.at(-1);
    const isSame = before?.block === line.block && (line.block === "tr" || before.path === line.path);
    // Only the chunks of one `pre` have nothing between them.
    if (open !== undefined && isSame && gap === (line.block === "pre" ? "none" : "line")) open.push(line);
    else blocks.push([line]);
  }
  return blocks;
}

function addBlock(
  state: State,
  first: LabelledLine,
  block: readonly LabelledLine[],
  isMarked: boolean,
): void {
  const { parts } = state;
  const level = /^h([1-6])$/.exec(first.block)?.[1];
  if (level !== undefined) {
    openSection(state, Number(level));
    parts.push(formatElement("head", block, isMarked));
  } else if (first.block === "tr") {
    const rows = block.map((line) => `<row${mark(line, isMarked)}>${formatCells(line.text)}</row>\n`);
    parts.push(`<table>\n${rows.join("")}</table>\n`);
  } else if (first.block === "pre") {
    parts.push(formatCode(block, isMarked));
  } else {
    const paragraph = formatElement("p", block, isMarked);
    parts.push(isQuoted(first) ? `<quote>${paragraph.trimEnd()}</quote>\n` : paragraph);
  }
}

/** TEI knows headings only at the beginning of a section, so each opens one, inside those of higher headings. */
function openSection(state: State, level: number): void {
  while ((state.sections.at(-1) ?? 0) >= level) closeSection(state);
  state.sections.push(level);
  state.parts.push("<div>\n");
}

function closeSection({ parts, sections }: State): void {
  sections.pop();
  parts.push("</div>\n");
}

function addItem(state: State, line: LabelledLine, isMarked: boolean): void {
  const { parts, lists } = state;
  const path = findLists(line.path);
  const tag = path.at(-1) ?? "ul";
  // An item whose list lies in no item that is shown is written as deep as it can be.
  const depth = Math.min(Math.max(path.length, 1), lists.length + 1);
  while (lists.length > depth || (lists.length === depth && lists.at(-1) !== tag)) closeList(state);
  if (line.continuesItem === true && lists.length === depth) {
    parts.push(`<lb/>${formatPart(line, isMarked)}`);
    return;
  }
  if (lists.length < depth) {
    lists.push(tag);
    parts.push(`<list rend="${tag === "ol" ? "numbered" : "bulleted"}">\n`);
  } else parts.push("</item>\n");
  parts.push(`<item${mark(line, isMarked)}>${escapeXml(line.text)}`);
}

function closeList({ parts, lists }: State): void {
  lists.pop();
  parts.push("</item>\n</list>\n");
}

function formatElement(tag: "p" | "head", block: readonly LabelledLine[], isMarked: boolean): string {
  const [only] = block;
  if (only !== undefined && block.length === 1)
    return `<${tag}${mark(only, isMarked)}>${escapeXml(only.text)}</${tag}>\n`;
  const texts = block.map((line) => formatPart(line, isMarked));
  return `<${tag}>${texts.join("<lb/>")}</${tag}>\n`;
}

/** One of the lines of an element; only where lines are marked does it need one of its own. */
function formatPart(line: LabelledLine, isMarked: boolean): string {
  const text = escapeXml(line.text);
  return isMarked ? `<seg${mark(line, isMarked)}>${text}</seg>` : text;
}

function formatCode(block: readonly LabelledLine[], isMarked: boolean): string {
  const [only] = block;
  const open = '<ab type="code" xml:space="preserve"';
  if (only !== undefined && block.length === 1)
    return `${open}${mark(only, isMarked)}>${escapeXml(only.text)}</ab>\n`;
  return `${open}>${block.map((line) => formatPart(line, isMarked)).join("")}</ab>\n`;
}

function formatCells(text: string): string {
  return text
    .split("\t")
    .map((cell) => `<cell>${escapeXml(cell)}</cell>`)
    .join("");
}

/** The label as what the line is analysed as, and the probability of just that. */
function mark(line: LabelledLine, isMarked: boolean): string {
  if (!isMarked) return "";
  const certainty = isContent(line) ? line.score : 1 - line.score;
  return ` ana="#${line.label}" cert="${certainty.toFixed(3)}"`;
}

function isQuoted({ path }: LabelledLine): boolean {
  return /(?:^|>)blockquote(?=[>.#[]|$)/.test(path);
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  // A bare one would be read as a line feed.
  "\r": "&#13;",
};

/** Characters that XML forbids even as references (XML 1.0, 2.2): most controls, lone surrogates, two noncharacters. */
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\p{Cs}\ufffe\uffff]/gu;

/** Any text as XML 1.0 can hold it, for content; U+FFFD replaces what XML forbids. */
export function escapeXml(text: string): string {
  return text
    .replace(/[&<>"\r]/g, (character) => ESCAPES[character] ?? character)
    .replace(FORBIDDEN, "\ufffd");
}

/** For attribute values, whose tabs and line breaks a parser would turn into spaces. */
export function escapeAttribute(text: string): string {
  return escapeXml(text).replaceAll("\t", "&#9;").replaceAll("\n", "&#10;");
}
