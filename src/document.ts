/** Declares the values that flow through the rooms, from bytes to labelled lines. Plain, readonly, and safe to clone. */
import type { BlockTag, Holder, InlineSpan, Link } from "./document/structure.js";
import type { ConditionVerdict, PageVerdict, RegisterVerdict } from "./document/verdicts.js";

export * from "./document/structure.js";
export * from "./document/verdicts.js";

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
