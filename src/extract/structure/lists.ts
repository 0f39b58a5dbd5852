/** Joins lists that a page generator has split: one list for each item, or for each run of items at one depth. */
import type { Holder } from "../../document.js";
import type { ElementNode } from "../../document/tree.js";
import { classOf, styleOf } from "../bounded-attributes.js";
import { findElement } from "../elements.js";

/** Lists of a page that a later list may continue, by holder index. */
export type Lists = Map<number, ElementNode>;

/** The largest number of lists that are remembered, and of holders around a line that are searched. */
const MAX_LISTS = 10_000;
const MAX_OUTER = 40;

/** The class name of a list in Google Docs, with the depth of this part of it. */
const DOCS_LIST = /(?:^|\s)lst-(kix_\w{1,40})-(\d)(?:\s|$)/;

/** Class names of Notion, which writes one list for each item. */
const NOTION_LIST = /^(?:to-do|bulleted)-list$/;

interface Page {
  readonly holders: readonly Holder[];
  readonly lists: Lists;
}

/** The place where a list begins. */
export interface ListPlace {
  readonly outer: number;
  /** The holder of the previous line. */
  readonly last: number;
  /** The number of the last item of each ordered list. */
  readonly numbers: ReadonlyMap<ElementNode, number>;
}

/** The list that this one continues, or the item that it is nested in; undefined if it is a list of its own. */
export function findListBefore(
  { holders, lists }: Page,
  element: ElementNode,
  { outer, last, numbers }: ListPlace,
): { readonly list: number } | { readonly item: number } | undefined {
  const docs = DOCS_LIST.exec(classOf(element));
  let item = -1;
  for (let id = last, step = 0; id > outer && step < MAX_OUTER; step += 1) {
    const holder = holders[id];
    const before = lists.get(id);
    if (holder?.tag === "li") item = id;
    if (before !== undefined && docs !== null) {
      const [, name, depth = ""] = DOCS_LIST.exec(classOf(before)) ?? [];
      if (name === docs[1] && depth === docs[2]) return { list: id };
      if (name === docs[1] && Number(depth) < Number(docs[2])) return item < 0 ? undefined : { item };
    } else if (before !== undefined && goesOn(before, element, numbers)) return { list: id };
    id = holder?.parent ?? -1;
  }
  return undefined;
}

/** Whether the second of two sibling lists has the next number, or both are Notion lists of the same kind. */
function goesOn(before: ElementNode, element: ElementNode, numbers: ListPlace["numbers"]): boolean {
  if (before.parent !== element.parent || before.tag !== element.tag) return false;
  if (element.tag === "ul") return NOTION_LIST.test(classOf(before)) && classOf(before) === classOf(element);
  const number = numbers.get(before) ?? 0;
  return number > 0 && element.attributes.get("start")?.trim() === String(number + 1);
}

/** Remembers a list that a later one may continue. */
export function rememberList({ lists }: Page, id: number, element: ElementNode): void {
  if (lists.size < MAX_LISTS && mayGoOn(element)) lists.set(id, element);
}

function mayGoOn(list: ElementNode): boolean {
  const names = list.tag === "ol" ? "" : classOf(list);
  return list.tag === "ol" || NOTION_LIST.test(names) || DOCS_LIST.test(names);
}

const DECIMAL = /(?:^|[;\s])list-style(?:-type)?\s*:[^;]*\bdecimal\b/i;

/** Whether the inline style of a list or an item asks for decimal numbers. */
export function isNumberedByStyle(element: ElementNode): boolean {
  return element.attributes.has("style") && DECIMAL.test(styleOf(element));
}

/** The largest number of nodes before the first item of a list. */
const MAX_BEFORE = 5;

/** Whether a list or its first item asks for decimal numbers. */
export function holdsNumbered(list: ElementNode): boolean {
  if (isNumberedByStyle(list)) return true;
  const first = list.children.slice(0, MAX_BEFORE).find((child) => child.kind === "element");
  return first?.tag === "li" && isNumberedByStyle(first);
}

/** The largest number of elements in a list that are searched for an item. */
const MAX_LOOKED = 100;

/** Whether a list has no attributes, no `li` in it, and no element with the role of a list item. */
export function isMargin({ attributes, children }: ElementNode): boolean {
  if (attributes.size > 0) return false;
  const inner = children.filter((child) => child.kind === "element");
  // Checked first because nearly all lists begin with an item.
  if (inner[0]?.tag === "li") return false;
  let looked = 0;
  const isItem = ({ tag, attributes: own }: ElementNode): boolean => {
    looked += 1;
    return looked > MAX_LOOKED || tag === "li" || own.get("role") === "listitem";
  };
  return inner.every((child) => !isItem(child) && findElement(child, isItem) === undefined);
}
