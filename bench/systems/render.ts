/**
 * Renders the HTML that a rival returns as text, one line for each block, with the same rules for all and outside their
 * timing.
 */
import {
  asElement,
  BLOCKS,
  hasChildren,
  parseHtml,
  SKIPPED,
  textOf,
  walkTree,
} from "../metrics/structure/html-tree.js";
import type { HtmlNode } from "../metrics/structure/html-tree.js";

const CELLS = new Set(["td", "th"]);

/**
 * Renders HTML as lines of text. Whitespace collapses, but line breaks in `pre` end lines; a tab separates the cells of
 * a row.
 */
export function renderHtml(html: string): string {
  const lines: string[] = [];
  let parts: string[] = [];
  let openPres = 0;
  const endLine = (): void => {
    const text = parts
      .join("")
      .replace(/[^\S\t]+/g, " ")
      .split("\t")
      .map((cell) => cell.trim())
      .filter((cell) => cell !== "")
      .join("\t");
    if (text !== "") lines.push(text);
    parts = [];
  };
  const addText = (value: string): void => {
    const breaks = openPres === 0 ? [value] : value.split("\n");
    for (const [index, part] of breaks.entries()) {
      if (index > 0) endLine();
      parts.push(part.replaceAll("\t", " "));
    }
  };
  const enter = (node: HtmlNode): boolean => {
    const text = textOf(node);
    if (text !== undefined) addText(text);
    const element = asElement(node);
    if (element === undefined) return hasChildren(node);
    if (SKIPPED.has(element.tagName)) return false;
    if (element.tagName === "pre") openPres += 1;
    if (CELLS.has(element.tagName)) parts.push("\t");
    if (BLOCKS.has(element.tagName)) endLine();
    return true;
  };
  const leave = (node: HtmlNode): void => {
    const tag = asElement(node)?.tagName;
    if (tag === undefined) return;
    if (tag === "pre") openPres -= 1;
    if (BLOCKS.has(tag)) endLine();
  };
  walkTree(parseHtml(html), { enter, leave });
  return lines.join("\n");
}
