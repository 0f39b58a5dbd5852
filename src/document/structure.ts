/** Declares what holds a document's lines together, and what parts of a line are. */

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

export type BlockTag = (typeof BLOCK_TAGS)[number];

/** A link inside a line: offsets [start, end) into the line's text, and the target as the page writes it. */
export interface Link {
  readonly start: number;
  readonly end: number;
  readonly href: string;
}

/** What a part of a line is. "drop" is drawn, but no part of what is said: numbers of lines of code, anchors of headings. */
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
 * A part of a line's text, offsets [start, end). What has no text of its own, such as an image, is between two
 * characters: `start` is `end`. Spans lie inside of each other or apart.
 */
export interface InlineSpan {
  readonly kind: SpanKind;
  readonly start: number;
  readonly end: number;
  /** Of a link, and of an image that is inside of one, as the page writes it. */
  readonly href?: string;
  /** Of an image, as the page writes it, and what it says to those who do not see it; a film without picture has no `src`. */
  readonly src?: string;
  readonly alt?: string;
  /** Of a formula, and whether it is set apart from the text. */
  readonly tex?: string;
  readonly isDisplay?: true;
  /** Of a reference to a note, the id of the note. */
  readonly note?: string;
  /** Where there was white space around what has no text. */
  readonly spaces?: "before" | "after" | "both";
  /** Of what has no text: nothing is beside it, before or behind the line. */
  readonly isAlone?: true;
  /** Of what is alone: the holder that it is in, where there is one. */
  readonly holder?: number;
  /**
   * Of an image that is alone before its line: it is a paragraph or a figure of its own, right behind the line before in the same
   * box, and is shown with that one where its own is left out.
   */
  readonly follows?: true;
}

/**
 * The elements that hold the lines of a document together. "note" is whatever holds a footnote, "aside" a box that warns
 * or gives a hint, and "panel" what is behind a tab. A heading is one where its words lie in a block inside of it, or its
 * role says that it is one.
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

/** The kinds of boxes that GitHub's Markdown knows. */
export const ALERTS = ["note", "tip", "important", "warning", "caution"] as const;

export type Alert = (typeof ALERTS)[number];

/** An element around lines, by its place in the page's list of them. */
export interface Holder {
  readonly tag: HolderTag;
  /** The holder around it; absent where there is none. */
  readonly parent?: number;
  /** Of an item of an ordered list. */
  readonly number?: number;
  /** Of a row or a cell: it heads a table. */
  readonly isHeader?: true;
  /** Of a cell: it is for the number of a line of code, which it shows or draws. */
  readonly isNumber?: true;
  /** Of a table that the page says is none. */
  readonly isLayout?: true;
  readonly colSpan?: number;
  readonly rowSpan?: number;
  /** Of a cell: where its text is set, where the page says so. */
  readonly align?: "left" | "center" | "right";
  /** Of code: its language, as the page calls it. */
  readonly lang?: string;
  /** Of a note: its id. */
  readonly note?: string;
  /** Of an item of a list of tasks. */
  readonly task?: "done" | "open";
  /** Of what is behind a tab: what the tab says. */
  readonly title?: string;
  /** Of an aside: which of these it is most like. */
  readonly alert?: Alert;
}
