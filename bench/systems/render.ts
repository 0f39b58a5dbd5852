/**
 * Renders the HTML that a rival gives back as text, one line for each block: one rule for all, outside their clocks. It is
 * the bench's door of parse5.
 */
import { defaultTreeAdapter as tree, parse } from "parse5";
import type { DefaultTreeAdapterTypes } from "parse5";

type Node = DefaultTreeAdapterTypes.Node;

/** Elements without text to read. */
const SKIPPED = new Set("head iframe noscript script style svg template".split(" "));
/** What a browser sets on lines of its own by default; any other element flows inside a line. */
const BLOCKS = new Set(
  (
    "address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption " +
    "figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup option " +
    "p plaintext pre search section summary table tbody tfoot thead tr ul xmp"
  ).split(" "),
);
const CELLS = new Set(["td", "th"]);

/** White space collapses, in `pre` all but its line breaks; the cells of a row are parted by a tab. */
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
  const enter = (node: Node): boolean => {
    if (tree.isTextNode(node)) addText(node.value);
    if (!tree.isElementNode(node)) return "childNodes" in node;
    if (SKIPPED.has(node.tagName)) return false;
    if (node.tagName === "pre") openPres += 1;
    if (CELLS.has(node.tagName)) parts.push("\t");
    if (BLOCKS.has(node.tagName)) endLine();
    return true;
  };
  const leave = (node: Node): void => {
    if (!tree.isElementNode(node)) return;
    if (node.tagName === "pre") openPres -= 1;
    if (BLOCKS.has(node.tagName)) endLine();
  };
  walk(parse(html), enter, leave);
  return lines.join("\n");
}

/** Visits in document order without recursion: pages nest deeper than the stack. */
function walk(root: Node, enter: (node: Node) => boolean, leave: (node: Node) => void): void {
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
