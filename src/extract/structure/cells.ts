/** Reads the attributes of a table cell: whether it is a header, its colspan and rowspan, and its text alignment. */
import type { Holder } from "../../document.js";
import type { ElementNode } from "../../document/tree.js";
import { styleOf } from "../bounded-attributes.js";
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
  if (mayTell && attributes.size > 0 && isLineNumber(element)) cell.isNumber = true;
  const align = readAlign(element) ?? inheritAlign(element);
  if (align !== undefined) cell.align = align;
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
