/**
 * Writes labelled documents as Markdown (CommonMark with GitHub's tables, footnotes and alerts, and TeX between "$").
 */
import type { Document, Holder, InlineSpan, LabelledLine, SpanKind } from "../document.js";
import { createJoinedWriter } from "./joined-writers.js";
import { grade, isContent, showLines, type ShownLine } from "./shown-lines.js";
import {
  buildBlocks,
  isHeading,
  isItemGroup,
  type Group,
  type Leaf,
  type Part,
} from "./structured/blocks.js";
import { readCodeLines } from "./structured/code/code.js";
import { correctStructure } from "./structured/corrections.js";
import { formatFrontMatter } from "./structured/front-matter.js";
import { leaveBars } from "./structured/code/code-bars.js";
import { raiseCode } from "./structured/code/code-lines.js";
import { leaveKind } from "./structured/markdown/alerts.js";
import { splitCells, writeRows, writeTable } from "./structured/markdown/cells.js";
import { writeCode } from "./structured/markdown/code.js";
import { addDefinitions, writeTerms } from "./structured/markdown/definitions.js";
import { writeInline } from "./structured/markdown/inline.js";
import { writeLeaf, type Style } from "./structured/markdown/lines.js";
import {
  add,
  addAll,
  addInnerList,
  addList,
  joinBlocks,
  prefix,
  type Block,
  type ListWriting,
} from "./structured/markdown/lists.js";
import { readListedRows } from "./structured/table/listed-rows.js";
import { lowerFooter } from "./structured/table/footer.js";
import { cutSections } from "./structured/table/table-sections.js";
import { layTable, readNumbered } from "./structured/table/table.js";
import { groupCells, type Cells } from "./structured/table/row-cells.js";
import { findNotes } from "./structured/notes.js";
import { readPoint } from "./structured/points.js";
import { placeTitle } from "./structured/title.js";
import { raiseBullets } from "./structured/typed-bullets.js";
import { createResolver } from "./targets.js";
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

type Wishes = Partial<Pick<FormatOptions, "links" | "images" | "frontMatter" | "documents">>;

function format(doc: Document<LabelledLine>, options: FormatOptions): string {
  return options.lines === "all" ? formatAnnotatedMarkdown(doc, options) : formatMarkdown(doc, options);
}

/** Formats the content lines as Markdown below the page's title; links, images and front matter on request. */
export function formatMarkdown(given: Document<LabelledLine>, wishes: Wishes = {}): string {
  const doc = correctStructure(given);
  const { title, shown } = placeTitle(doc, showLines(doc.lines, isContent));
  const style = readStyle(doc, shown, wishes);
  const parts = raiseBullets(leaveBars(buildBlocks(doc, shown)));
  const blocks = writeParts(parts, startWriting(style, false));
  if (blocks.length === 0) return "";
  const head = title === undefined ? [] : [`# ${escapeTitle(title, style)}`];
  const front = wishes.frontMatter === true ? formatFrontMatter(doc) : "";
  return `${front}${[...head, joinBlocks(blocks)].join("\n\n")}\n`;
}

/** Formats all lines: content lines followed by their score, boilerplate inside comments that a renderer hides. */
export function formatAnnotatedMarkdown(given: Document<LabelledLine>, wishes: Wishes = {}): string {
  const doc = correctStructure(given);
  const shown = showLines(doc.lines, () => true).map((entry) => ({ ...entry, gap: "block" as const }));
  const style = { ...readStyle(doc, shown, wishes), notes: NO_NOTES };
  const blocks = writeParts(buildBlocks(doc, shown.map(keepTogether)), startWriting(style, true));
  return blocks.length === 0 ? "" : `${joinBlocks(blocks)}\n`;
}

/** Keeps images and formulas in the block of their line, so that they appear with its verdict. */
function keepTogether(entry: ShownLine<LabelledLine>): ShownLine<LabelledLine> {
  const { spans, holder } = entry.line;
  if (spans === undefined) return entry;
  const isApart = (span: InlineSpan): boolean => span.isAlone === true && span.holder !== holder;
  const moved = spans.map((span) => (isApart(span) ? { ...span, holder: holder ?? -1 } : span));
  return { ...entry, line: { ...entry.line, spans: moved, ...(holder === undefined && { holder: -1 }) } };
}

function readStyle(
  doc: Document<LabelledLine>,
  shown: readonly ShownLine<LabelledLine>[],
  { links = "drop", images = "drop", documents }: Wishes,
): Style {
  const { holders = [] } = doc;
  let cells: Cells | undefined;
  return {
    links,
    images,
    resolve: createResolver(doc),
    notes: hasSpan(shown, "note") ? findNotes(doc, shown, documents) : NO_NOTES,
    hasMath: hasSpan(shown, "math"),
    // Created on demand, because most pages have no table.
    get cells() {
      return (cells ??= groupCells(holders));
    },
  };
}

const NO_NOTES: ReadonlyMap<string, string> = new Map();

function hasSpan(shown: readonly ShownLine<LabelledLine>[], wanted: SpanKind): boolean {
  for (const { line } of shown)
    if (line.spans !== undefined) for (const { kind } of line.spans) if (kind === wanted) return true;
  return false;
}

function escapeTitle(title: string, style: Style): string {
  return writeInline([title], style).replace(/\s+/g, " ").replace(/(#+)$/, "\\$1");
}

interface Writing extends ListWriting {
  readonly style: Style;
  /** Whether the writer is outside of any list, quote or note. */
  readonly isOutermost: boolean;
}

function startWriting(style: Style, isAnnotated: boolean): Writing {
  const inner: Writing = {
    style,
    isAnnotated,
    isOutermost: false,
    write: (parts) => writeParts(parts, inner),
    writeNote: (group) => writeNote(group, inner),
  };
  return { ...inner, isOutermost: true };
}

function writeParts(parts: readonly Part[], writing: Writing): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at];
    if (part === undefined) break;
    if (part.kind === "leaf") addLeaf(blocks, raiseCode(part), writing);
    else if (isItemGroup(part)) {
      // Consecutive items outside a list form a list.
      const items = [part];
      for (let next = parts[at + 1]; isItemGroup(next); next = parts[at + 1]) {
        items.push(next);
        at += 1;
      }
      addList(blocks, items, { tag: "ul", writing });
    } else addGroup(blocks, part, writing);
  }
  return blocks;
}

function addLeaf(blocks: Block[], leaf: Leaf, { style, isAnnotated }: Writing): void {
  const isRow = leaf.lines[0]?.block === "tr";
  if (isAnnotated) for (const line of leaf.lines) add(blocks, "text", annotate(line, style));
  else if (isRow) add(blocks, "text", writeRows(leaf, style));
  else
    for (const text of writeLeaf(leaf, style)) add(blocks, isWords(leaf, text) ? "paragraph" : "text", text);
}

function isWords({ lines: [first] }: Leaf, text: string): boolean {
  return first !== undefined && first.block !== "pre" && !isHeading(first) && !/^(?:\$\$\n|!\[)/.test(text);
}

function addGroup(blocks: Block[], group: Group, writing: Writing): void {
  const { parts, holder } = group;
  const { tag } = holder;
  const note = writing.writeNote(group);
  const code = readCodeLines(group);
  if (note !== undefined) add(blocks, "note", note);
  else if (tag === "ul" || tag === "ol") addInnerList(blocks, group, { tag, writing });
  else if (tag === "blockquote") add(blocks, "text", quote(writing.write(parts)));
  else if (writing.isAnnotated) addAll(blocks, writeParts(parts, writing));
  else if (tag === "aside") add(blocks, "text", writeAside(group, writing));
  else if (tag === "dl") addDefinitions(blocks, group, writing);
  else if (tag === "summary" || tag === "dt") addAll(blocks, writeTerms(parts, writing));
  else if (tag === "panel") addPanel(blocks, group, writing);
  else if (tag === "table") addTable(blocks, group, writing);
  else if (code !== undefined) add(blocks, "text", writeCode(code, holder.lang));
  else addAll(blocks, writeParts(parts, writing));
}

/**
 * Writes an aside: as an alert at the top level, else as a quote, because GitHub renders a nested alert as a quote that
 * begins with "[!NOTE]".
 */
function writeAside({ holder: { alert = "note" }, parts }: Group, writing: Writing): string {
  const blocks = writing.write(parts);
  const below = leaveKind(blocks, alert);
  if (!writing.isOutermost || below.length === 0) return quote(blocks);
  const glue = below[0]?.kind === "paragraph" ? "\n" : "\n\n";
  return prefix(`[!${alert.toUpperCase()}]${glue}${joinBlocks(below)}`, "> ");
}

function quote(blocks: readonly Block[]): string {
  const text = joinBlocks(blocks);
  return text === "" ? "" : prefix(text, "> ");
}

/** Writes the label of the tab above the panel's content. */
function addPanel(blocks: Block[], { holder: { title = "" }, parts }: Group, writing: Writing): void {
  const written = writeParts(parts, writing);
  if (written.length > 0 && title !== "")
    add(blocks, "paragraph", `**${escapeTitle(title, writing.style)}**`);
  addAll(blocks, written);
}

/** The sign after a link back to the reference, which is left out, or a number of the note that is no link. */
const LABEL =
  /^(?:\\?[.:)\]]|(?:\\\[\d{1,3}\]|<sup>\d{1,3}<\/sup>|\d{1,3}\\[.)]|\(\d{1,3}\))[.:]?(?=\s|\p{L}))\s*/u;

function writeNote({ holder, parts }: Group, { style, write }: Writing): string | undefined {
  const label = holder.note === undefined ? undefined : style.notes.get(holder.note);
  if (label === undefined) return undefined;
  const text = joinBlocks(write(holder.tag === "table" ? parts.map(splitCells) : parts)).replace(LABEL, "");
  return text === "" ? "" : prefix(text, "    ", `[^${label}]: `);
}

/** Formats one line with its verdict; boilerplate is a comment with verdict and text. */
function annotate(line: LabelledLine, style: Style): string {
  const verdict = [line.score.toFixed(3), grade(line.score), line.label, line.why].filter(Boolean).join(" ");
  if (!isContent(line)) return `<!-- ${verdict}: ${line.text.replace(/--(!?)>/g, "--$1&gt;")} -->`;
  const leaf: Leaf = { kind: "leaf", lines: [line] };
  const blocks = line.block === "tr" ? [writeRows(leaf, style)] : writeLeaf(leaf, style);
  return `${blocks.join("\n\n")}\n<!-- ${verdict} -->`;
}

function addTable(blocks: Block[], given: Group, writing: Writing): void {
  const group = lowerFooter(given);
  const { holder, parts } = group;
  const { style } = writing;
  const point = readPoint(group);
  if (point !== undefined) {
    addAll(blocks, writeParts(point, writing));
    return;
  }
  const listed = readListedRows(group);
  if (listed !== undefined) {
    addInnerList(blocks, listed, { tag: listed.holder.tag === "ol" ? "ol" : "ul", writing });
    return;
  }
  const table = layTable(group, style.cells);
  if (table === undefined || table === "column") {
    const laid = table === "column" ? parts.map(splitCells) : (cutSections(group, style.cells) ?? parts);
    addAll(blocks, writeParts(laid, writing));
    return;
  }
  for (const caption of table.captions)
    for (const text of writeLeaf(caption, style)) add(blocks, "text", text);
  const code = readNumbered(table);
  if (code === undefined) add(blocks, "text", writeTable(table, style));
  else add(blocks, "text", writeCode([{ text: code }], findLanguage(holder, style)));
}

/** The language of the `pre` around a table with line numbers. */
function findLanguage({ parent }: Holder, { cells: { holders } }: Style): string | undefined {
  return parent === undefined ? undefined : holders[parent]?.lang;
}
