/** Declares the parsed page: a light tree with source positions, built by `parse/` and read by `extract/`. */

export interface TextNode {
  readonly kind: "text";
  value: string;
  parent: ElementNode | null;
  /** Offsets [start, end) into the decoded source; -1 when the parser inserted the text. */
  start: number;
  end: number;
}

/** Attribute values by lower-case attribute name. */
export interface Attributes extends Iterable<[string, string]> {
  readonly size: number;
  get(name: string): string | undefined;
  has(name: string): boolean;
}

export interface ElementNode {
  readonly kind: "element";
  /** Lower-case tag name. */
  readonly tag: string;
  readonly attributes: Attributes;
  readonly namespace: "html" | "svg" | "mathml";
  parent: ElementNode | null;
  readonly children: TreeNode[];
}

export type TreeNode = TextNode | ElementNode;

/** A page after decoding and parsing. */
export interface ParsedPage {
  readonly id: string;
  readonly url: string;
  /** The decoded source that every span points into. */
  readonly html: string;
  /** The document node; its children are `<html>` and the nodes beside it. */
  readonly root: ElementNode;
  /** Number of elements in the tree, and the depth of the deepest one. */
  readonly elements: number;
  readonly depth: number;
  readonly notes: readonly string[];
}
