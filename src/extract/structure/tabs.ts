/** Pairs the tabs of a page with their panels, by ARIA roles or by the names of page builders, wikis and documentation. */
import { isHeadingTag } from "../../document.js";
import type { ElementNode } from "../../document/tree.js";
import { classOf } from "../bounded-attributes.js";
import { findElement, textOf } from "../elements.js";

/** The largest number of tabs in a list, of panels around it, and of elements that are searched for panels. */
const MAX_TABS = 30;
const MAX_PANELS = 2 * MAX_TABS;
const MAX_LOOKED = 3_000;
/** The number of elements around a list of tabs that are searched for panels. */
const MAX_OUTER = 2;
const MAX_TITLE = 100;
/** Once a page has more entries than this, no further tabs are paired. */
const MAX_PAIRS = 1_000;

interface Names {
  readonly isTab: (element: ElementNode) => boolean;
  readonly isPanel: (element: ElementNode) => boolean;
}

/**
 * The class names of a list of tabs in MkDocs, Asciidoctor, Bootstrap, Divi, WPBakery, Webflow, Fandom and ReadMe, and of
 * a box with tabs and panels by turns, in Sphinx and older MkDocs.
 */
export const TABS_CLASS =
  /^tabbed-labels(?:$|\s)|^ulist tablist$|^(?:(?:sd-)?tab|tabbed)-set(?! tabbed-alternate)(?:$|\s)|(?:^|\s)(?:nav-(?:tab|pill)s|et_pb_tabs_controls|vc_tta-tabs-list|w-tab-menu|wds-tabs|CodeTabs-toolbar)(?:$|\s)/;

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
/** Tabs of Bootstrap, which often have no roles. */
const BY_LINK: Names = {
  isTab: ({ tag, attributes }) => tag === "a" && /^#./.test(attributes.get("href") ?? ""),
  isPanel: ({ attributes }) => /(?:^|\s)tab-pane(?:$|\s)/.test(attributes.get("class") ?? ""),
};
/**
 * Tabs of page builders, wikis and Asciidoctor, by a part of the name of their list: what a tab is, and the class name
 * of a panel.
 */
const BUILDERS: ReadonlyMap<string, Names> = new Map(
  (
    [
      ["et_pb", "li", "et_pb_tab"],
      ["vc_tta", "li", "vc_tta-panel"],
      ["w-tab", "a", "w-tab-pane"],
      ["wds-tab", "li", "wds-tab__content"],
      ["tablist", "li", "tabpanel"],
    ] as const
  ).map(([list, tab, panel]) => [
    list,
    {
      isTab: ({ tag }: ElementNode) => tag === tab,
      isPanel: (element: ElementNode) => ` ${classOf(element)} `.includes(` ${panel} `),
    },
  ]),
);
/** Code of VitePress in several languages; each panel is a block of code. */
const BY_GROUP: Names = {
  isTab: BY_NAME.isTab,
  isPanel: ({ parent }) => parent !== null && isCalled(parent, "blocks"),
};
/** Tabs that each come before their panel. */
const BY_TURNS: Names = {
  isTab: ({ tag, parent }) => tag === "label" && parent !== null && isSet(parent),
  isPanel: ({ tag, parent }) => tag === "div" && parent !== null && isSet(parent),
};
const isSet = (element: ElementNode): boolean => /(?:^|-)(?:tab|tabbed)-set(?:$|\s)/.test(classOf(element));
/** Code of ReadMe in several languages. */
const BY_CODE: Names = {
  isTab: ({ tag }) => tag === "button",
  isPanel: ({ tag }) => tag === "pre",
};

/** Whether an element is a list of tabs. */
export function holdsTabs(element: ElementNode): boolean {
  return element.attributes.size > 0 && namesOf(element) !== undefined;
}

function namesOf({ attributes, parent }: ElementNode): Names | undefined {
  if (attributes.get("role") === "tablist") return BY_ROLE;
  const names = attributes.get("class");
  if (names === undefined) return undefined;
  if (names === "tabs" && parent !== null && /^vp-code-group(?: |$)/.test(classOf(parent))) return BY_GROUP;
  if (!TABS_CLASS.test(names)) return undefined;
  if (names.includes("nav-")) return BY_LINK;
  if (names.includes("CodeTabs")) return BY_CODE;
  if (names.includes("-set")) return BY_TURNS;
  for (const [part, builder] of BUILDERS) if (names.includes(part)) return builder;
  return BY_NAME;
}

/**
 * Records the title of each panel if the tabs name their panels by id, or if there are as many panels as tabs. A panel
 * that already begins with its title gets no entry. A tab gets "", because its text is in the panel.
 */
export function pairTabs(list: ElementNode, found: Map<ElementNode, string>): void {
  let names = namesOf(list);
  if (names === undefined || found.size > MAX_PAIRS) return;
  let tabs = findAll(list, names.isTab, MAX_TABS + 1);
  if (tabs.length === 0 && names === BY_ROLE) {
    names = BY_LINK;
    tabs = findAll(list, names.isTab, MAX_TABS + 1);
  }
  if (tabs.length < 2 || tabs.length > MAX_TABS) return;
  let outer = names === BY_TURNS ? list : list.parent;
  for (let step = 0; outer !== null && step < MAX_OUTER; step += 1) {
    let panels = findAll(outer, names.isPanel, MAX_PANELS);
    if (panels.length === 0 && names === BY_ROLE) panels = findNamed(tabs, outer);
    const own = panelsOf(tabs, panels) ?? (panels.length === tabs.length ? panels : undefined);
    if (own !== undefined) {
      for (const [at, panel] of own.entries()) addTitle(panel, tabs[at], found);
      return;
    }
    if (panels.length > 0) return;
    outer = outer.parent;
  }
}

/** The elements without a role that the tabs name by their ids. */
function findNamed(tabs: readonly ElementNode[], outer: ElementNode): ElementNode[] {
  const ids = new Set(tabs.map(panelIdOf));
  ids.delete("");
  return ids.size < tabs.length
    ? []
    : findAll(outer, ({ attributes }) => ids.has(attributes.get("id") ?? ""), tabs.length);
}

/** The id of the panel that a tab, or the link in it, names; "" if it names none. */
function panelIdOf(tab: ElementNode): string {
  const id = tab.attributes.get("aria-controls");
  if (id !== undefined) return id;
  const link = tab.tag === "a" ? tab : findElement(tab, ({ tag }) => tag === "a");
  return /^#(.+)/.exec(link?.attributes.get("href") ?? "")?.[1] ?? "";
}

/** The panels that the tabs name by their ids, in the order of the tabs; undefined if a tab names none, or another's. */
function panelsOf(tabs: readonly ElementNode[], panels: readonly ElementNode[]): ElementNode[] | undefined {
  const own = new Set<ElementNode>();
  for (const tab of tabs) {
    const id = panelIdOf(tab);
    const panel = id === "" ? undefined : panels.find((each) => each.attributes.get("id") === id);
    if (panel !== undefined) own.add(panel);
  }
  return own.size === tabs.length ? [...own] : undefined;
}

function addTitle(panel: ElementNode, tab: ElementNode | undefined, found: Map<ElementNode, string>): void {
  const title = tab === undefined ? "" : textOf(tab, MAX_TITLE);
  if (tab === undefined || title === "") return;
  if (!beginsWith(panel, title)) found.set(panel, title);
  found.set(tab, "");
}

/** The count at the end of a tab's text: "Reviews (12)". */
const COUNT = /\s*\(\d{1,6}\)$/;

/** Whether an element begins with a heading of these words. */
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
