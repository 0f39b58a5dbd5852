/**
 * Declares the structure of a document: block tags, inline spans, and the container elements (holders) around lines.
 */

export const HEADING_TAGS = ["h1", "h2", "h3", "h4", "h5", "h6"] as const;

export type HeadingTag = (typeof HEADING_TAGS)[number];

const HEADINGS: ReadonlySet<string> = new Set(HEADING_TAGS);

export function isHeadingTag(tag: string): tag is HeadingTag {
  return HEADINGS.has(tag);
}

/**
 * The block elements that a line can be in; any other block is a "div".
 * "text" is a line of plain text, "tr" a table row whose cells are separated by tabs.
 */
export const BLOCK_TAGS = [
  "text",
  "p",
  "div",
  "section",
  "article",
  "main",
  "header",
  "footer",
  "nav",
  "aside",
  "address",
  "form",
  "fieldset",
  "legend",
  ...HEADING_TAGS,
  "ul",
  "ol",
  "li",
  "dt",
  "dd",
  "blockquote",
  "pre",
  "figure",
  "figcaption",
  "details",
  "summary",
  "table",
  "caption",
  "tr",
  "td",
  "th",
  "center",
  "body",
] as const;

/** The tag of the element that a line is in; "text" for plain text. */
export type BlockTag = (typeof BLOCK_TAGS)[number];

/** A link inside a line: offsets [start, end) into the line's text, and the target as the page writes it. */
export interface Link {
  readonly start: number;
  readonly end: number;
  readonly href: string;
}

/**
 * What a part of a line is. "drop" is visible but not part of the text, such as line numbers outside of code and anchors of
 * headings.
 */
export const SPAN_KINDS = [
  "em",
  "strong",
  "code",
  "del",
  "sub",
  "sup",
  "link",
  "image",
  "math",
  "note",
  "drop",
] as const;

export type SpanKind = (typeof SPAN_KINDS)[number];

/**
 * A part of a line's text, offsets [start, end). A span without text, such as an image, lies between two characters:
 * `start` equals `end`. Spans nest or are disjoint; they never overlap partly.
 */
export interface InlineSpan {
  readonly kind: SpanKind;
  readonly start: number;
  readonly end: number;
  /** The target of a link, or of an image inside a link, as the page writes it. */
  readonly href?: string;
  /**
   * The URL of an image as the page writes it, and its alternative text. A video without a poster image has no `src`.
   */
  readonly src?: string;
  readonly alt?: string;
  /** The TeX source of a formula, and whether it is displayed on a line of its own. */
  readonly tex?: string;
  readonly isDisplay?: true;
  /** The id of the note that a note reference points to. */
  readonly note?: string;
  /** On which sides of a span without text there was whitespace. */
  readonly spaces?: "before" | "after" | "both";
  /** Set on a span without text that is alone at the start or end of the line. */
  readonly isAlone?: true;
  /** The index of the holder that a span which is alone is in, if any. */
  readonly holder?: number;
  /**
   * Set on an image that is alone before its line: it is a paragraph or figure of its own, directly after the previous
   * line in the same box. It is written with that line when its own line is left out.
   */
  readonly follows?: true;
}

/**
 * The container elements of lines. "note" is any element that holds a footnote, "aside" a box with a warning or a hint,
 * "panel" the content of a tab. A heading is a holder if its words are in a block inside it, or if its role makes it a
 * heading.
 */
export const HOLDER_TAGS = [
  "blockquote",
  "ul",
  "ol",
  "li",
  "dl",
  "dt",
  "dd",
  "table",
  "caption",
  "tr",
  "td",
  "th",
  "figure",
  "figcaption",
  "pre",
  "details",
  "summary",
  "note",
  "aside",
  "panel",
  ...HEADING_TAGS,
] as const;

export type HolderTag = (typeof HOLDER_TAGS)[number];

/** The alert types of GitHub's Markdown. */
export const ALERTS = ["note", "tip", "important", "warning", "caution"] as const;

export type Alert = (typeof ALERTS)[number];

/** An element around lines. Lines and spans refer to it by its index in `Document.holders`. */
export interface Holder {
  readonly tag: HolderTag;
  /** The index of the holder around it; absent when there is none. */
  readonly parent?: number;
  /** The number of an item of an ordered list. */
  readonly number?: number;
  /** Set on a header row or a header cell of a table. */
  readonly isHeader?: true;
  /** Set on a cell that holds or draws the number of a line of code. */
  readonly isNumber?: true;
  /** Set on a table that the page marks as layout. */
  readonly isLayout?: true;
  readonly colSpan?: number;
  readonly rowSpan?: number;
  /** The alignment of a cell's text, if the page states it. */
  readonly align?: "left" | "center" | "right";
  /** The language of code, as the page names it. */
  readonly lang?: string;
  /** The id of a note. */
  readonly note?: string;
  /** Whether the task of a task list item is done. */
  readonly task?: "done" | "open";
  /** The label of a panel's tab. */
  readonly title?: string;
  /** The alert type that fits an aside best. */
  readonly alert?: Alert;
}
