/** Finds the titles of a page, normalised to the words by which headings are compared. */
import { tokenize } from "../tokens.js";
import {
  asElement,
  attributeOf,
  hasChildren,
  textOf,
  walkTree,
  type HtmlElement,
  type HtmlNode,
} from "./html-tree.js";

/** Separates the title of a page from the name of its site. */
const SEPARATOR = /\s+[|–—·•»:/-]+\s+|\s*[|»]\s*/u;
const TITLE_NAMES = new Set(["og:title", "twitter:title", "dc.title"]);

/**
 * Returns the page's titles: the `<title>`, whole and cut at each separator, the values of `og:title` and similar, and
 * the `h1` if there is only one. Corpora disagree on whether the title is main content, so headings that repeat it are
 * not counted.
 */
export function findTitles(root: HtmlNode): Set<string> {
  const titles: string[] = [];
  const headings: string[] = [];
  const enter = (node: HtmlNode): boolean => {
    const element = asElement(node);
    if (element === undefined) return hasChildren(node);
    const { tagName } = element;
    if (tagName === "title" && titles.length === 0) titles.push(...splitTitle(textIn(element)));
    if (tagName === "h1") headings.push(textIn(element));
    if (tagName === "meta" && TITLE_NAMES.has(nameOf(element)))
      titles.push(attributeOf(element, "content") ?? "");
    return tagName !== "svg" && tagName !== "h1";
  };
  walkTree(root, { enter, leave: () => undefined });
  const [only, other] = headings.filter((heading) => tokenize(heading).length > 0);
  const all = only !== undefined && other === undefined ? [...titles, only] : titles;
  return new Set(all.map((title) => tokenize(title).join(" ")).filter((key) => key !== ""));
}

/** Returns the whole title, and the parts before and after each separator: "A · B · C" gives A, B · C, A · B and C. */
function splitTitle(title: string): string[] {
  const cuts = [...title.matchAll(new RegExp(SEPARATOR, "gu"))];
  return [
    title,
    ...cuts.flatMap(({ 0: cut, index }) => [title.slice(0, index), title.slice(index + cut.length)]),
  ];
}

function nameOf(meta: HtmlElement): string {
  return (attributeOf(meta, "property") ?? attributeOf(meta, "name") ?? "").toLowerCase();
}

function textIn(element: HtmlElement): string {
  let text = "";
  const enter = (node: HtmlNode): boolean => {
    text += textOf(node) ?? "";
    return hasChildren(node);
  };
  walkTree(element, { enter, leave: () => undefined });
  return text;
}
