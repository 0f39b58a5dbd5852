/** Declares the parsed page: a light tree with source positions, built by `parse/` and read by `extract/`. */

export interface TextNode {
  readonly kind: "text";
  value: string;
  parent: ElementNode | null;
  /** Offsets [start, end) into the decoded source; -1 where the parser made the text up. */
  start: number;
  end: number;
}

/** Attribute values by lower-case name. */
export interface Attributes extends Iterable<[string, string]> {
  readonly size: number;
  get(name: string): string | undefined;
  has(name: string): boolean;
  keys(): Iterable<string>;
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

/** A page whose bytes are decoded and parsed. */
export interface ParsedPage {
  readonly id: string;
  readonly url: string;
  /** The decoded source that every span points into. */
  readonly html: string;
  /** The document node: its children are what is beside and inside `<html>`. */
  readonly root: ElementNode;
  /** Elements in the tree, and the depth of the deepest. */
  readonly elements: number;
  readonly depth: number;
  readonly notes: readonly string[];
}
