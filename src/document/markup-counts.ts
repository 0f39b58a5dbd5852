/** Declares the counts of a page's markup, for the labeller that uses them (Schäfer 2016). */
import type { Document, Line } from "../document.js";

/**
 * The markup around the text of a line. The line's block is the source from the tag of a container (a paragraph, a
 * cell, …) before the line to the next container tag after it.
 */
export interface LineMarkup {
  /** UTF-16 code units of tags and comments in the block. */
  readonly chars: number;
  /** Tags in the block that open an element, and tags that close one. */
  readonly opening: number;
  readonly closing: number;
  /** Blocks without text between this one and the block of the line before. */
  readonly emptyBlocks: number;
  /** Whether the tag before the block closes a container. */
  readonly isAfterClosing: boolean;
}

/** The document type that a page declares. */
export type DocumentType = "html4" | "html5" | "xhtml" | "other";

/** The markup of the whole page. */
export interface PageMarkup {
  readonly type: DocumentType;
  /** UTF-16 code units of all tags and comments. */
  readonly chars: number;
}

/** A line with the counts of the markup around it. */
export interface MarkedLine extends Line {
  readonly markup: LineMarkup;
}

/** A document whose markup was counted. */
export interface MarkedDocument extends Document<MarkedLine> {
  readonly markup: PageMarkup;
}

/** Whether the markup of a document was counted. */
export function isMarked(document: Document): document is MarkedDocument {
  return "markup" in document;
}
