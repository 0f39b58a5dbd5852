/**
 * Reads tables that are made of other elements: by their ARIA roles (WAI-ARIA 1.2), or as summaries of Javadoc, whose
 * rows exist only in CSS.
 */
import type { Holder, HolderTag } from "../../document.js";
import type { ElementNode, TreeNode } from "../../document/tree.js";
import { isBlankText } from "../around.js";
import { classOf } from "../bounded-attributes.js";
import { traitsOf } from "../lines/line-tags.js";

/** The tables of a page. The number is the holder of the last row if that row is no element, and otherwise -1. */
export type Grids = Map<ElementNode, number>;

const MAX_GRIDS = 1_000;

export const GRID_ROLES: ReadonlySet<string> = new Set(["table", "row", "cell", "columnheader", "rowheader"]);
/** Class names of a table and of its cells, in Javadoc from version 16 on. */
export const GRID_CLASS =
  /^summary-table(?:$|\s)|^(?:table-header )?col-(?:first|second|last|constructor-name)(?:$|\s)/;
const IS_LATER = /(?:^|\s)col-(?:second|last)(?:$|\s)/;

/** The part that an element plays in a table. Rows and cells count only if the table holds nothing else. */
export function findGridPart(element: ElementNode, grids: Grids): HolderTag | undefined {
  const { parent } = element;
  if (
    isSummary(element)
      ? element.children.every(isCellOfSummary)
      : roleOf(element) === "table" && isWhole(element)
  ) {
    if (grids.size >= MAX_GRIDS) return undefined;
    grids.set(element, -1);
    return "table";
  }
  if (parent === null || grids.size === 0) return undefined;
  if (grids.has(parent) && isSummary(parent)) return tagOfCell(element);
  if (roleOf(element) === "row") return isInGrid(parent, grids) ? "tr" : undefined;
  return roleOf(parent) === "row" && parent.parent !== null && isInGrid(parent.parent, grids)
    ? tagOfCell(element)
    : undefined;
}

/** The holder of a cell's row. Adds a row if the cell is the first of a row that is no element. */
export function rowOf(cell: ElementNode, outer: number, page: { holders: Holder[]; grids: Grids }): number {
  const { holders, grids } = page;
  const table = cell.parent;
  const last = table === null ? undefined : grids.get(table);
  if (table === null || last === undefined || !isSummary(table)) return outer;
  if (last >= 0 && IS_LATER.test(classOf(cell))) return last;
  holders.push({ tag: "tr", ...(outer >= 0 && { parent: outer }) });
  grids.set(table, holders.length - 1);
  return holders.length - 1;
}

function roleOf({ attributes }: ElementNode): string {
  return attributes.size === 0 ? "" : (attributes.get("role") ?? "");
}

function isSummary(element: ElementNode): boolean {
  return /^summary-table(?:$|\s)/.test(classOf(element));
}

function isCellOfSummary(node: TreeNode): boolean {
  return isBlankText(node) || (node.kind === "element" && GRID_CLASS.test(classOf(node)));
}

function tagOfCell(element: ElementNode): "td" | "th" {
  return /header$/.test(roleOf(element)) || /^table-header /.test(classOf(element)) ? "th" : "td";
}

function isInGrid(element: ElementNode, grids: Grids): boolean {
  return grids.has(element) || (element.parent !== null && grids.has(element.parent));
}

function isWhole(table: ElementNode): boolean {
  return everyChild(table, (part) => (roleOf(part) === "rowgroup" ? everyChild(part, isRow) : isRow(part)));
}

function isRow(element: ElementNode): boolean {
  return roleOf(element) === "row" && everyChild(element, isCell);
}

/** Only cells that are blocks count, because the text of inline cells is joined to one line, as in running text. */
function isCell(element: ElementNode): boolean {
  return (
    /^(?:cell|columnheader|rowheader)$/.test(roleOf(element)) && traitsOf(element.tag).block !== undefined
  );
}

function everyChild({ children }: ElementNode, test: (child: ElementNode) => boolean): boolean {
  return children.every((node) => isBlankText(node) || (node.kind === "element" && test(node)));
}
