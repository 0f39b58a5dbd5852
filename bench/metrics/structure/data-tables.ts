/** Tells tables of data from tables that lay a page out. */
import { asElement, attributeOf, textOf, walkTree, type HtmlElement, type HtmlNode } from "./html-tree.js";

/** A cell with any of these holds more than one line of text. */
const BLOCKS_IN_CELLS = new Set(
  "article aside blockquote dl fieldset form h1 h2 h3 h4 h5 h6 hr iframe menu nav ol pre section table ul".split(
    " ",
  ),
);
/** What a cell may hold one of. */
const PARAGRAPHS = new Set(["p", "div", "center"]);
/** Words of one cell; more is a column of a page. */
const MAX_CELL_WORDS = 100;

interface Cell {
  readonly element: HtmlElement;
  words: number;
  paragraphs: number;
  isSimple: boolean;
}

/**
 * A table is data if it is not said to be presentation, has no table inside, and has two rows of two filled cells, all of
 * which hold one short block of text. The cells of a table that is none are no cells.
 */
export function isDataTable(table: HtmlElement): boolean {
  if (/^(?:presentation|none)$/i.test(attributeOf(table, "role")?.trim() ?? "")) return false;
  const rows = readRows(table);
  if (rows === undefined) return false;
  const cells = rows.flat();
  const isPlain = cells.every((cell) => cell.isSimple && cell.paragraphs < 2 && cell.words <= MAX_CELL_WORDS);
  return isPlain && rows.filter((row) => row.filter(({ words }) => words > 0).length > 1).length > 1;
}

/** The cells of each row; undefined where a table is inside. */
function readRows(table: HtmlElement): Cell[][] | undefined {
  const rows: Cell[][] = [];
  const inner: HtmlElement[] = [];
  let cell: Cell | undefined;
  const enter = (node: HtmlNode): boolean => {
    const text = textOf(node);
    if (text !== undefined && cell !== undefined)
      cell.words += text.trim().split(/\s+/).filter(Boolean).length;
    const element = asElement(node);
    if (element === undefined) return "childNodes" in node;
    const { tagName } = element;
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
  return inner.length > 0 ? undefined : rows;
}
