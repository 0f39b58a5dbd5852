/** Reads the attributes of a table cell: whether it is a header, its colspan and rowspan, and its text alignment. */
import type { Holder } from "../../document.js";
import type { ElementNode, TreeNode } from "../../document/tree.js";
import { findAround } from "../around.js";
import { classOf, styleOf } from "../bounded-attributes.js";
import { isLineNumber } from "./left-out.js";
import type { Writable } from "../../writable.js";

const MAX_SPAN = 1_000;

/** Sets the fields of a cell. `mayTell`: the cell may hold a line number of code. */
export function describeCell(cell: Writable<Holder>, element: ElementNode, mayTell: boolean): void {
  const { attributes } = element;
  if (attributes.size > 0) {
    const colSpan = readSpan(attributes.get("colspan"));
    const rowSpan = readSpan(attributes.get("rowspan"));
    if (colSpan > 1) cell.colSpan = colSpan;
    if (rowSpan > 1) cell.rowSpan = rowSpan;
  }
  if (cell.tag === "th") cell.isHeader = true;
  if (mayTell && attributes.size > 0 && isNumberCell(element)) cell.isNumber = true;
  const align = readAlign(element) ?? inheritAlign(element);
  if (align !== undefined) cell.align = align;
}

/** Class names of a cell with code beside the numbers of its lines: of Hexo and Pygments, Rouge ("rouge-code"), Hugo. */
const CODE_CELL = /(?:^|[\s-])(?:code|lntd)(?:$|\s)/;
/** The most elements from a `pre` to the cell around it, and back. */
const MAX_TO_CELL = 3;
/** Rows with more nodes are not searched. */
const MAX_IN_ROW = 20;

/** Whether a cell holds the numbers of the lines of code beside it. */
export function isNumberCell(cell: ElementNode): boolean {
  return isLineNumber(cell) && (cell.attributes.has("data-line-number") || isBesideCode(cell));
}

/** Whether a `pre` with nothing but numbers is in a cell beside one with code. */
export function isInNumberCell(pre: ElementNode): boolean {
  const cell = cellOf(pre);
  return cell !== undefined && isBesideCode(cell);
}

function cellOf(pre: ElementNode): ElementNode | undefined {
  return findAround(pre, ({ tag }) => tag === "td", MAX_TO_CELL);
}

/** Whether a `pre` is in a cell that is named as code. */
export function isInCodeCell(pre: ElementNode): boolean {
  const cell = cellOf(pre);
  return cell !== undefined && CODE_CELL.test(classOf(cell));
}

function isBesideCode(cell: ElementNode): boolean {
  const row = cell.parent?.tag === "tr" ? cell.parent.children : [];
  return row.length <= MAX_IN_ROW && row.some((other) => other !== cell && holdsCode(other));
}

/** Whether a cell is named as code, or the first element in it is a `pre` or `code`. */
function holdsCode(cell: TreeNode): boolean {
  if (cell.kind !== "element") return false;
  let inner: ElementNode | undefined = cell;
  for (let depth = 0; inner !== undefined && depth <= MAX_TO_CELL; depth += 1) {
    if (inner.tag === "pre" || inner.tag === "code") return true;
    inner = inner.children.find((child) => child.kind === "element");
  }
  return CODE_CELL.test(classOf(cell));
}

function readSpan(value: string | undefined): number {
  const span = value === undefined ? undefined : /^\s*(\d{1,6})/.exec(value)?.[1];
  return span === undefined ? 1 : Math.min(MAX_SPAN, Math.max(1, Number(span)));
}

/** Rows and row groups pass their alignment on to their cells. Browsers ignore the alignment of a `col`. */
function inheritAlign({ parent: row }: ElementNode): Holder["align"] {
  if (row?.tag !== "tr") return undefined;
  const group = row.parent;
  const own = readAlign(row);
  if (own !== undefined || group === null || group.attributes.size === 0) return own;
  return GROUPS.has(group.tag) ? readAlign(group) : undefined;
}

const GROUPS: ReadonlySet<string> = new Set(["thead", "tbody", "tfoot"]);

/** CSS takes precedence over the attribute, as in browsers; `data-align` is written by WordPress. */
function readAlign(element: ElementNode): Holder["align"] {
  const { attributes } = element;
  if (attributes.size === 0) return undefined;
  const style = styleOf(element);
  const styled = style === "" ? undefined : /(?:^|[;\s])text-align\s*:\s*(\w+)/i.exec(style)?.[1];
  switch ((styled ?? attributes.get("align") ?? attributes.get("data-align"))?.trim().toLowerCase()) {
    case "left":
    case "start":
      return "left";
    case "center":
    case "middle":
      return "center";
    case "right":
    case "end":
      return "right";
  }
  return undefined;
}
