/** Distinguishes data tables from tables that only lay out a page. */
import {
  asElement,
  attributeOf,
  hasChildren,
  textOf,
  walkTree,
  type HtmlElement,
  type HtmlNode,
} from "./html-tree.js";

/** A cell that contains one of these elements holds more than one line of text. */
const BLOCKS_IN_CELLS = new Set(
  "article aside blockquote dl fieldset form h1 h2 h3 h4 h5 h6 hr iframe menu nav ol pre section table ul".split(
    " ",
  ),
);
/** Elements of which a cell may contain one. */
const PARAGRAPHS = new Set(["p", "div", "center"]);
/** The limit for one cell, in words; a longer cell is a column of the page. */
const MAX_CELL_WORDS = 100;

interface Cell {
  readonly element: HtmlElement;
  words: number;
  paragraphs: number;
  isSimple: boolean;
}

/**
 * Returns whether a table is a data table: its role is not presentation, it has no nested table, every cell holds one
 * short block of text, and at least two rows have two filled cells. The cells of any other table are not counted as
 * cells.
 */
export function isDataTable(table: HtmlElement): boolean {
  return classifyTable(table) === "data";
}

/**
 * Returns "headed" for a table that is no data table by its cells, but has what only data has: header cells or a
 * caption. Its cells hold blocks, which Markdown writes as lines, or it has a single row of data.
 */
export function classifyTable(table: HtmlElement): "data" | "headed" | "layout" {
  if (/^(?:presentation|none)$/i.test(attributeOf(table, "role")?.trim() ?? "")) return "layout";
  const read = readRows(table);
  if (read === undefined) return "layout";
  const { rows, isHeaded } = read;
  const cells = rows.flat();
  const isPlain = cells.every((cell) => cell.isSimple && cell.paragraphs < 2 && cell.words <= MAX_CELL_WORDS);
  if (isPlain && rows.filter((row) => row.filter(({ words }) => words > 0).length > 1).length > 1)
    return "data";
  return isHeaded ? "headed" : "layout";
}

interface Rows {
  /** The cells of each row. */
  readonly rows: readonly (readonly Cell[])[];
  readonly isHeaded: boolean;
}

const HEADERS = new Set(["th", "thead", "caption"]);

/** Returns undefined if the table has a nested table. */
function readRows(table: HtmlElement): Rows | undefined {
  const rows: Cell[][] = [];
  let isHeaded = false;
  const inner: HtmlElement[] = [];
  let cell: Cell | undefined;
  const enter = (node: HtmlNode): boolean => {
    const text = textOf(node);
    if (text !== undefined && cell !== undefined)
      cell.words += text.trim().split(/\s+/).filter(Boolean).length;
    const element = asElement(node);
    if (element === undefined) return hasChildren(node);
    const { tagName } = element;
    if (HEADERS.has(tagName)) isHeaded = true;
    if (tagName === "table" && element !== table) inner.push(element);
    else if (tagName === "tr") rows.push([]);
    else if (tagName === "td" || tagName === "th") {
      cell = { element, words: 0, paragraphs: 0, isSimple: true };
      rows.at(-1)?.push(cell);
    } else if (cell !== undefined) {
      if (BLOCKS_IN_CELLS.has(tagName)) cell.isSimple = false;
      if (PARAGRAPHS.has(tagName)) cell.paragraphs += 1;
    }
    return inner.length === 0;
  };
  const leave = (node: HtmlNode): void => {
    if (cell !== undefined && asElement(node) === cell.element) cell = undefined;
  };
  walkTree(table, { enter, leave });
  return inner.length > 0 ? undefined : { rows, isHeaded };
}
