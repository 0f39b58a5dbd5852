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
  | { readonly kind: "lines"; readonly lines: readonly string[] }
  /** Lines that a run before has scored. */
  | { readonly kind: "scored"; readonly scored: ScoredDocument }
  | UnreadRecord;

/** A line of JSON Lines that is not even parsed yet: that is left to the process that cleans the page in it, which it then names. */
export interface UnreadRecord {
  readonly kind: "record";
  readonly line: Uint8Array;
  readonly number: number;
  readonly input: string;
  readonly maxBytes: number;
  readonly column?: string;
}

/** What a page has once it is known what it is. */
export type ReadContent = Exclude<PageContent, UnreadRecord>;

/** What a run before said of a page. */
export type ScoredDocument = Pick<
  Document<LabelledLine>,
  | "source"
  | "meta"
  | "notes"
  | "lines"
  | "holders"
  | "base"
  | "statedTitle"
  | "clues"
  | "verdict"
  | "condition"
  | "registers"
  | "scoredBy"
>;

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

/** One line of visible text. */
export interface Line {
  /**
   * Normalised text: no leading or trailing space, and a line break only inside `pre`, of which cells in it are a part; a tab only
   * between the cells of a `tr`.
   */
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
  /** What parts of the line are, besides links, outer ones first; only where that was asked for. */
  readonly spans?: readonly InlineSpan[];
  /** The innermost of the document's holders around the line; only where they were asked for, and there is one. */
  readonly holder?: number;
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
  /** What its labeller gave it, where another score took its place. */
  readonly ownScore?: number;
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

/** The score from which a line is content, under each focus. */
export interface Cuts {
  readonly precision: number;
  readonly balanced: number;
  readonly recall: number;
}

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
  /** What it would be where the focus decides; absent in verdicts of records that do not say it. */
  readonly cuts?: Cuts;
}

/**
 * What kinds of text there are: the main registers of CORE (Biber & Egbert 2018), as its family of corpora abbreviates them.
 */
export const REGISTERS = ["LY", "SP", "ID", "NA", "HI", "IN", "OP", "IP"] as const;

export type Register = (typeof REGISTERS)[number];

/** The registers inside of these that enough texts are labelled with, each with its main register. */
export const SUBREGISTERS = {
  ne: "NA",
  sr: "NA",
  nb: "NA",
  dtp: "IN",
  rv: "OP",
  ob: "OP",
  rs: "OP",
  av: "OP",
  ds: "IP",
} as const satisfies Readonly<Record<string, Register>>;

export type Subregister = keyof typeof SUBREGISTERS;

/** What kind of text the main content is. A text may be of several kinds, or of none for certain; numbers are 0..1, three decimals. */
export interface RegisterVerdict {
  /** P(the text is of the register), calibrated. */
  readonly main: Readonly<Record<Register, number>>;
  /** Never more than that of its main register. */
  readonly sub: Readonly<Record<Subregister, number>>;
  /** P(a machine wrote or translated the text). */
  readonly machine: number;
  /** The registers that are likely enough; none where the text does not tell. */
  readonly found: readonly (Register | Subregister)[];
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
  /** What it would be where the focus decides; absent in verdicts of records that do not say it. */
  readonly cuts?: Cuts;
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
  /** When it was changed last, as `date`. */
  readonly modified?: string;
  readonly description?: string;
  /** The address of the picture that stands for the page. */
  readonly image?: string;
  /** The address or the name of the licence. */
  readonly license?: string;
  readonly tags?: readonly string[];
  readonly categories?: readonly string[];
  /** The address that the page gives itself, and that of its feed. */
  readonly canonical?: string;
  readonly feed?: string;
  /** What the page says that it is: "article", "product". */
  readonly type?: string;
  /** Where each field came from, where that was asked for. */
  readonly from?: Readonly<Record<string, string>>;
}

export interface Document<L extends Line = Line> {
  readonly id: string;
  readonly url: string;
  /** What the lines were made from. */
  readonly source: PageFormat;
  readonly meta: Metadata;
  /** The title by which lines are judged, where that is not the one in `meta`: as the page states it, without a look at its headings. */
  readonly statedTitle?: string;
  /** What the page says that it is, in its address and its head, as words that the labeller `page` weighs for the page's type. */
  readonly clues?: readonly string[];
  /** What a reader of the result should know: caps that bit, fallbacks taken, charsets that lied. */
  readonly notes: readonly string[];
  readonly lines: readonly L[];
  /** The elements that hold lines together, outer ones before inner ones; only where they were asked for. */
  readonly holders?: readonly Holder[];
  /** On labelled documents, where the labeller judges pages as a whole. */
  readonly verdict?: PageVerdict;
  /** What the labeller of plain text says of it. */
  readonly condition?: ConditionVerdict;
  /** What kind of text the content lines are, where that was asked for and there is one. */
  readonly registers?: RegisterVerdict;
  /** What links are relative to, where the page states another address than its own. */
  readonly base?: string;
  /** The fingerprint of the run that scored the lines, where this one only cut them again. */
  readonly scoredBy?: string;
  /** From the record that the page came in, untouched. */
  readonly carried?: CarriedJson;
}
