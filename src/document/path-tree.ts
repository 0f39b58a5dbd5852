/**
 * Declares the tree of the element paths of a page's lines, which saves parsing the path strings again after
 * extraction.
 */
import type { Document } from "../document.js";

/** Lines with the same path share a node. Nodes are numbered in line order, from the outermost step inwards. */
export interface PathTree {
  /** The parent of each node; node 0 is the page itself. */
  readonly parents: readonly number[];
  /** The path step of each node; "" for the page. */
  readonly steps: readonly string[];
  /** The node of each line. */
  readonly nodes: Int32Array;
}

/** A document as an extractor returns it. */
export interface ExtractedDocument extends Document {
  /**
   * The paths of all lines, in line order. Code that adds or removes lines drops this field; `Line.path` holds the same
   * paths.
   */
  readonly paths?: PathTree;
}
