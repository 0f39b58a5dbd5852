/** Pairs the tabs of a page with what is behind each of them, by their roles, or by the names that MkDocs gives them. */
import { isHeadingTag } from "../../document.js";
import type { ElementNode } from "../../tree.js";
import { findElement, textOf } from "../elements.js";

/** Tabs of a list, and elements that are looked at for what is behind them, at most. */
const MAX_TABS = 30;
const MAX_LOOKED = 3_000;
/** Elements around a list of tabs that may hold what is behind them. */
const MAX_OUTER = 2;
const MAX_TITLE = 100;
/** Pairs of a page, beyond which none is looked for. */
const MAX_PAIRS = 1_000;

interface Names {
  readonly isTab: (element: ElementNode) => boolean;
  readonly isPanel: (element: ElementNode) => boolean;
}

/** What MkDocs calls its tabs. */
export const TABS_CLASS = /^tabbed-labels(?:$|\s)/;

const isCalled = ({ attributes }: ElementNode, name: string): boolean => attributes.get("class") === name;
const hasRole = ({ attributes }: ElementNode, role: string): boolean => attributes.get("role") === role;

const BY_ROLE: Names = {
  isTab: (element) => hasRole(element, "tab"),
  isPanel: (element) => hasRole(element, "tabpanel"),
};
const BY_NAME: Names = {
  isTab: ({ tag }) => tag === "label",
  isPanel: (element) => isCalled(element, "tabbed-block"),
};

export function holdsTabs(element: ElementNode): boolean {
  return element.attributes.size > 0 && namesOf(element) !== undefined;
}

function namesOf({ attributes }: ElementNode): Names | undefined {
  if (attributes.get("role") === "tablist") return BY_ROLE;
  const names = attributes.get("class");
  return names !== undefined && TABS_CLASS.test(names) ? BY_NAME : undefined;
}

/**
 * Where there are as many panels as tabs, each gets the text of its tab, unless it says that itself, and a tab gets "": its text is
 * elsewhere then.
 */
export function pairTabs(list: ElementNode, found: Map<ElementNode, string>): void {
  const names = namesOf(list);
  if (names === undefined || found.size > MAX_PAIRS) return;
  const tabs = findAll(list, names.isTab, MAX_TABS + 1);
  if (tabs.length < 2 || tabs.length > MAX_TABS) return;
  let outer = list.parent;
  for (let step = 0; outer !== null && step < MAX_OUTER; step += 1) {
    const panels = findAll(outer, names.isPanel, tabs.length + 1);
    if (panels.length === tabs.length) {
      for (const [at, panel] of panels.entries()) addTitle(panel, tabs[at], found);
      return;
    }
    if (panels.length > 0) return;
    outer = outer.parent;
  }
}

function addTitle(panel: ElementNode, tab: ElementNode | undefined, found: Map<ElementNode, string>): void {
  const title = tab === undefined ? "" : textOf(tab, MAX_TITLE);
  if (tab === undefined || title === "") return;
  if (!beginsWith(panel, title)) found.set(panel, title);
  found.set(tab, "");
}

/** How many there are, as a tab says it. */
const COUNT = /\s*\(\d{1,6}\)$/;

/** Whether a heading with these words is the first text of an element. */
function beginsWith(element: ElementNode, words: string): boolean {
  const [heading] = findAll(element, ({ tag }) => isHeadingTag(tag), 1);
  if (heading === undefined) return false;
  const text = textOf(heading, MAX_TITLE);
  const isSame = text.replace(COUNT, "").toLowerCase() === words.replace(COUNT, "").toLowerCase();
  return isSame && textOf(element, MAX_TITLE).startsWith(text);
}

function findAll(root: ElementNode, test: (element: ElementNode) => boolean, most: number): ElementNode[] {
  const found: ElementNode[] = [];
  let looked = 0;
  findElement(root, (element) => {
    looked += 1;
    if (test(element)) found.push(element);
    return found.length >= most || looked >= MAX_LOOKED;
  });
  return found;
}
