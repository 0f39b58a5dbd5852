/** A page as it comes into the parser, and the bounds that keep any page from growing without end. */

export interface HtmlPage {
  readonly id: string;
  readonly url: string;
  readonly html: string;
  /** What decoding had to say; parsing adds its own. */
  readonly notes?: readonly string[];
}

export interface ParseLimits {
  /** Elements in the tree. Beyond it tags are dropped and their text stays. */
  readonly maxElements: number;
  /** Depth of the tree; deeper text moves up to an element at this depth. */
  readonly maxDepth: number;
  /** Attributes of one element; later ones are dropped. */
  readonly maxAttributes: number;
}

/**
 * The largest of 5,492 pages of the gold sets has 10,061 elements, 56 levels and 136 attributes on one element.
 * 300,000 elements take 300 MB at most; 512 levels are what Blink allows; the cap on attributes keeps walks over them cheap.
 */
export const PARSE_LIMITS: ParseLimits = Object.freeze({
  maxElements: 300_000,
  maxDepth: 512,
  maxAttributes: 256,
});
