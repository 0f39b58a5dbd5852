/**
 * Tags and stretches of the source into nodes of the tree, each kind made in one place.
 *
 * The engine tells objects apart by where they were made as well: a tree of nodes from five places costs whoever walks
 * it a look-up at every field.
 */
import type { ElementNode, TextNode } from "../../tree.js";

export function createElement({
  tag,
  attributes,
  namespace,
  parent,
}: Pick<ElementNode, "tag" | "attributes" | "namespace" | "parent">): ElementNode {
  return { kind: "element", tag, attributes, namespace, parent, children: [] };
}

export function createText({ value, parent, start, end }: Omit<TextNode, "kind">): TextNode {
  return { kind: "text", value, parent, start, end };
}
