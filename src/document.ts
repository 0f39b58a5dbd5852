/** Declares the values that flow through the rooms, from bytes to labelled lines. Plain, readonly, and safe to clone. */

/** What a source hands over: bytes as fetched, or text that is already decoded. */
export type PageContent =
  | {
      readonly kind: "bytes";
      readonly bytes: Uint8Array;
      /** The Content-Type that came with the bytes, if any. */
      readonly contentType?: string;
      /** Set where the caller or the file name says what the bytes are; otherwise the bytes tell. */
      readonly format?: PageFormat;
      /** Whether these bytes are a page at all was not looked at yet: that is left to the process that cleans it. */
      readonly isUnseen?: true;
    }
  | { readonly kind: "html"; readonly html: string }
  | { readonly kind: "text"; readonly text: string }
  /** Lines that were already split: they stay one to one, blank ones included. */
  | { readonly kind: "lines"; readonly lines: readonly string[] };

export type PageFormat = "html" | "text";

/**
 * What a record said besides its page, kept as it was for the output: the text of a JSON object, so that no digit of its
 * numbers changes.
 */
export type CarriedJson = string;

/** A page as it came in. `id` names it in every output; `url` is "" where there is none. */
export interface Page {
  readonly id: string;
  readonly url: string;
  readonly content: PageContent;
  /** The language that the record or its header states: a BCP 47 language tag. */
  readonly lang?: string;
  readonly carried?: CarriedJson;
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
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
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

/** One line of visible text. */
export interface Line {
  /** Normalised text: no leading or trailing space; a line break only inside `pre`; a tab only between the cells of a `tr`. */
  readonly text: string;
  readonly block: BlockTag;
  /**
   * The element path, "body>main#content>article.post[itemtype=Article]>p"; "" for plain text. A step has the tag, the
   * id, the classes, and the role and schema.org markup (`[role=main]`, `[itemprop=articleBody]`, the last part of the
   * item's type), as many as fit.
   */
  readonly path: string;
  /** UTF-16 code units of `text` inside a link. */
  readonly linkChars: number;
  /** The links inside the line, where there are any. */
  readonly links?: readonly Link[];
  /** What separates this line from the one before: a mere line break, or the boundary of a block. */
  readonly breakBefore: "line" | "block";
  /** Offsets [start, end) in UTF-16 code units into the decoded source. */
  readonly span?: readonly [number, number];
  /** The extractor that left the line out, in documents that keep such lines. */
  readonly leftOutBy?: string;
  /** Set on a line of the block "li" that goes on with an item of which a line came before. */
  readonly continuesItem?: true;
  /** On the first line of an item of an ordered list, the item's number. */
  readonly number?: number;
  /** Set where the page marks the line as part of a reader's comment. */
  readonly kind?: "comment";
}

/** A line with P(main content), calibrated, 0..1, rounded to three decimals. */
export interface ScoredLine extends Line {
  readonly score: number;
}

export type Label = "content" | "boilerplate";

export interface LabelledLine extends ScoredLine {
  readonly label: Label;
  /** The name of the rule that decided, where a rule did. */
  readonly why?: string;
}

/** What a page can be, as the labeller `page` tells it. */
export const PAGE_TYPES = [
  "article",
  "documentation",
  "forum",
  "service",
  "listing",
  "product",
  "collection",
] as const;

export type PageType = (typeof PAGE_TYPES)[number];

/**
 * In what condition a text can be, as the labeller `text` tells it. raw: all lines of a page, with menus and footers;
 * extracted: what an extractor left of a page; crawl: a text of an existing crawl, judged by the guideline of Salmela 2022.
 */
export const TEXT_CONDITIONS = ["raw", "extracted", "crawl"] as const;

export type TextCondition = (typeof TEXT_CONDITIONS)[number];

/** In what condition a text is. Numbers are 0..1, with three decimals unless they were set by the caller. */
export interface ConditionVerdict {
  /** The likeliest, or what the caller said. */
  readonly name: TextCondition;
  /** P(the text is in it); 1 where the caller said so. */
  readonly score: number;
  /** Whether fewer than eight of ten such tellings are right. */
  readonly isDoubtful: boolean;
  /** The score from which a line of this text is content. */
  readonly cut: number;
}

/** What a labeller that sees the whole page says of it. Numbers are 0..1, with three decimals unless they were set by the caller. */
export interface PageVerdict {
  readonly type: PageType;
  /** P(the page is of this type). */
  readonly typeScore: number;
  /** P(the page has main content). */
  readonly score: number;
  /** Whether that is enough for the labeller; if not, no line is content. */
  readonly hasContent: boolean;
  /** The score from which a line of this page is content. */
  readonly cut: number;
}

/** What a page, or the record of a text, says of it; every field is absent where the page is silent. */
export interface Metadata {
  readonly title?: string;
  readonly author?: string;
  /** When it was published: ISO 8601 date, or date and time, as the page states it or shows it beside its headline. */
  readonly date?: string;
  readonly site?: string;
  /** BCP 47 language tag. */
  readonly lang?: string;
}

export interface Document<L extends Line = Line> {
  readonly id: string;
  readonly url: string;
  /** What the lines were made from. */
  readonly source: PageFormat;
  readonly meta: Metadata;
  /** What a reader of the result should know: caps that bit, fallbacks taken, charsets that lied. */
  readonly notes: readonly string[];
  readonly lines: readonly L[];
  /** On labelled documents, where the labeller judges pages as a whole. */
  readonly verdict?: PageVerdict;
  /** What the labeller of plain text says of it. */
  readonly condition?: ConditionVerdict;
  /** What links are relative to, where the page states another address than its own. */
  readonly base?: string;
  /** From the record that the page came in, untouched. */
  readonly carried?: CarriedJson;
}
