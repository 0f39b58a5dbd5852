/** Two text nodes that meet without white space into whether a reader sees a gap between them. */
import type { ElementNode, TextNode } from "../tree.js";

/**
 * Where the style sheet of a page draws neighbours apart, their source often has no space: `<span>Reviews</span><span>View
 * all</span>`. Words seldom go on that way. (In 500 pages of WCXB's development set, where an inline element ends and its
 * neighbour begins like the first two, the gold text has a gap 420 times and never none. Letters of one case, figures
 * beside figures, and the two sides of a single tag are often one word.)
 */
const SEAMS: readonly { readonly end: RegExp; readonly start: RegExp }[] = [
  { end: /\p{Ll}{2}$/u, start: /^[\p{Lu}\d]/u },
  { end: /\d$/u, start: /^\p{Lu}(?:\p{Ll}|\p{Lu}\p{Lu})/u },
  { end: /\p{Ll}{2}[.!?)]$/u, start: /^\p{Lu}\p{Ll}/u },
  { end: /\p{L}{2}:$/u, start: /^[\p{L}\d]/u },
];

/** Elements in which a gap would change what is written: code, formulas' indices, the reading aids of ruby. */
const EXACT: ReadonlySet<string> = new Set(["code", "kbd", "samp", "tt", "var", "sub", "sup", "ruby"]);

/** For the text that a line ends in and the one that follows; `tail` and `text` are what is drawn of them. */
export function isSeam(
  before: { readonly node: TextNode; readonly tail: string },
  node: TextNode,
  text: string,
): boolean {
  return (
    SEAMS.some(({ end, start }) => start.test(text) && end.test(before.tail)) &&
    isNeighbour(before.node, node) &&
    isNeighbour(node, before.node)
  );
}

/** Whether the text stands in an element that the other one is outside of, and in none that is exact. */
function isNeighbour(text: TextNode, other: TextNode): boolean {
  const around = new Set<ElementNode>();
  for (let open = other.parent; open !== null; open = open.parent) around.add(open);
  let { parent } = text;
  if (parent === null || around.has(parent)) return false;
  for (; parent !== null; parent = parent.parent) if (EXACT.has(parent.tag)) return false;
  return true;
}
