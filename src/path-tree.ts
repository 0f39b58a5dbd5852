/** Declares the tree of the paths of a page's lines: the extractor that walked the page need not have it read out of strings again. */
import type { Document } from "./document.js";

/** Lines with the same path have the same node. Nodes are numbered in the order of the lines, from the outermost step inwards. */
export interface PathTree {
  /** By node, the one around it; 0 is the page itself. */
  readonly parents: readonly number[];
  /** By node, its own step of the path; "" for the page. */
  readonly steps: readonly string[];
  /** The node of each line. */
  readonly nodes: Int32Array;
}

/** A document as an extractor leaves it. */
export interface ExtractedDocument extends Document {
  /** Of all its lines, in their order: whatever adds lines or takes some out leaves it out. The paths of the lines say the same. */
  readonly paths?: PathTree;
}
