/** Tells at one look whether what a page calls an element may mean anything to the rules of this room: most names do not. */
import type { ElementNode } from "../../tree.js";

/** Part of every name of a block that has a meaning here: a box, code, a formula, the number of a line, a signature, tabs. */
const TELLING =
  /admonition|alert|callout|notecard|custom-block|quote|title|container|math|katex|arithmatex|line|lno|lnum|ln-num|gutter|blob-num|hljs-ln|sig|tabbed-labels/i;

/** What is known of the names of a page: the same ones come back with every item and cell. */
export type KnownNames = Map<string, boolean>;

/** Names of a page that are remembered; one that has more repeats none. */
const MAX_KNOWN = 5_000;

/** Whether a block may be more than a block, by its class, its role, or the number of a line of code. */
export function isTellingBlock({ attributes }: ElementNode, known: KnownNames): boolean {
  if (attributes.size === 0) return false;
  const names = attributes.get("class");
  const isNamed = names !== undefined && (known.get(names) ?? look(names, known));
  // Most have a class and nothing else.
  if (isNamed || (names !== undefined && attributes.size === 1)) return isNamed;
  return attributes.get("role") === "tablist" || attributes.has("data-line-number");
}

function look(names: string, known: KnownNames): boolean {
  const isTelling = TELLING.test(names);
  if (known.size < MAX_KNOWN) known.set(names, isTelling);
  return isTelling;
}
