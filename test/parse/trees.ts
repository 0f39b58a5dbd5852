/** Turns parsed pages into what can be compared, by walks that the code under test does not use. */
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

/** Every node below the document, in order. */
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

/** The whole tree as nested tags; neighbouring texts are one; white space at the edges of a text, and NUL, are nothing. */
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

/** The characters of all texts that may leave ink, in no order: not NUL, and not what stands in a template. */
export function inkOf(page: ParsedPage): string {
  const text = textsOf(page)
    .filter(({ parent }) => !isInTemplate(parent))
    .map(({ value }) => value.replace(/[\s\0\ufffd]/g, ""))
    .join("");
  return Array.from(text).sort().join("");
}
