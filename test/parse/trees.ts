/** Turns parsed pages into comparable values, without the walks of the code under test. */
import { parseQuickly } from "../../src/parse/quick-tree.js";
import type { ParseLimits } from "../../src/parse/limits.js";
import { parseHtml } from "../../src/parse/standard-tree.js";
import type { ElementNode, ParsedPage, TextNode, TreeNode } from "../../src/document/tree.js";

const pageOf = (html: string): { id: string; url: string; html: string } => ({ id: "x", url: "", html });

export function parseSlowly(html: string, limits?: ParseLimits): ParsedPage {
  return parseHtml(pageOf(html), limits);
}

export function parseFast(html: string, limits?: ParseLimits): ParsedPage {
  return parseQuickly(pageOf(html), limits);
}

/** Returns every node below the document, in order. */
export function nodesOf(page: ParsedPage): TreeNode[] {
  const nodes: TreeNode[] = [];
  const open: TreeNode[] = [...page.root.children].reverse();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    nodes.push(node);
    if (node.kind === "element")
      for (let index = node.children.length - 1; index >= 0; index -= 1) {
        const child = node.children[index];
        if (child !== undefined) open.push(child);
      }
  }
  return nodes;
}

export function textsOf(page: ParsedPage): TextNode[] {
  return nodesOf(page).filter((node) => node.kind === "text");
}

export function elementsOf(page: ParsedPage): ElementNode[] {
  return nodesOf(page).filter((node) => node.kind === "element");
}

/** Draws the whole tree as nested tags. It joins neighbouring texts, and ignores NUL and white space at the ends of a text. */
export function sketch(page: ParsedPage): string {
  const draw = (node: ElementNode): string => {
    let drawn = "";
    let text = "";
    const flush = (): void => {
      drawn += text
        .replace(/[\0\ufffd]/g, "")
        .trim()
        .replace(/\s+/g, " ");
      text = "";
    };
    for (const child of node.children) {
      if (child.kind === "text") {
        text += child.value;
        continue;
      }
      flush();
      const name = child.namespace === "html" ? child.tag : `${child.namespace}:${child.tag}`;
      drawn += `<${name}>${draw(child)}</${name}>`;
    }
    flush();
    return drawn;
  };
  return draw(page.root);
}

function isInTemplate(element: ElementNode | null): boolean {
  for (let node = element; node !== null; node = node.parent) if (node.tag === "template") return true;
  return false;
}

/** Returns the sorted visible characters of all texts, without NUL and the contents of templates. */
export function inkOf(page: ParsedPage): string {
  const text = textsOf(page)
    .filter(({ parent }) => !isInTemplate(parent))
    .map(({ value }) => value.replace(/[\s\0\ufffd]/g, ""))
    .join("");
  return Array.from(text).sort().join("");
}
