/** Parses HTML for the benchmark and walks its tree; the benchmark uses parse5 only through this file. */
import { defaultTreeAdapter as tree, parse } from "parse5";
import type { DefaultTreeAdapterTypes } from "parse5";

export type HtmlNode = DefaultTreeAdapterTypes.Node;
export type HtmlElement = DefaultTreeAdapterTypes.Element;

/** Elements whose text is not read. */
export const SKIPPED = new Set("head iframe noscript script style svg template".split(" "));

/** Elements that a browser puts on lines of their own by default, and `br`; any other element flows inside a line. */
export const BLOCKS = new Set(
  (
    "address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption " +
    "figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup option " +
    "p plaintext pre search section summary table tbody tfoot thead tr ul xmp"
  ).split(" "),
);

export function parseHtml(html: string): HtmlNode {
  return parse(html);
}

export function textOf(node: HtmlNode): string | undefined {
  return tree.isTextNode(node) ? node.value : undefined;
}

export function asElement(node: HtmlNode): HtmlElement | undefined {
  return tree.isElementNode(node) ? node : undefined;
}

export function hasChildren(node: HtmlNode): boolean {
  return "childNodes" in node;
}

export function attributeOf({ attrs }: HtmlElement, name: string): string | undefined {
  return attrs.find((attribute) => attribute.name === name)?.value;
}

export interface Visitor {
  /** Returns whether to visit the node's children. `leave` is called only for nodes for which this returns true. */
  readonly enter: (node: HtmlNode) => boolean;
  readonly leave: (node: HtmlNode) => void;
}

/** Visits nodes in document order without recursion, because pages nest deeper than the call stack allows. */
export function walkTree(root: HtmlNode, { enter, leave }: Visitor): void {
  if (!enter(root)) return;
  const open = [{ node: root, next: 0 }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const child = "childNodes" in top.node ? top.node.childNodes[top.next] : undefined;
    top.next += 1;
    if (child === undefined) {
      open.pop();
      leave(top.node);
    } else if (enter(child)) open.push({ node: child, next: 0 });
  }
}
