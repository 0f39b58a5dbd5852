/** Parses HTML for the benchmark, and walks it: its door of parse5. */
import { defaultTreeAdapter as tree, parse } from "parse5";
import type { DefaultTreeAdapterTypes } from "parse5";

export type HtmlNode = DefaultTreeAdapterTypes.Node;
export type HtmlElement = DefaultTreeAdapterTypes.Element;

/** Elements without text to read. */
export const SKIPPED = new Set("head iframe noscript script style svg template".split(" "));

/** What a browser sets on lines of its own by default; any other element flows inside a line. */
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
  /** Returns whether its children are visited; only then it is left, too. */
  readonly enter: (node: HtmlNode) => boolean;
  readonly leave: (node: HtmlNode) => void;
}

/** Visits in document order without recursion: pages nest deeper than the stack. */
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
