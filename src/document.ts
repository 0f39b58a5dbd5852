/**
 * Declares the types that pass through the pipeline, from bytes to labelled lines: plain, readonly and safe to clone.
 */
import type { BlockTag, Holder, InlineSpan, Link } from "./document/structure.js";
import type { ConditionVerdict, PageVerdict, RegisterVerdict } from "./document/verdicts.js";

export * from "./document/structure.js";
export * from "./document/verdicts.js";

/** The content of a page as a source returns it: raw bytes, decoded text, lines, or an unparsed record. */
export type PageContent =
  | {
      readonly kind: "bytes";
      readonly bytes: Uint8Array;
      /** The Content-Type header that came with the bytes, if any. */
      readonly contentType?: string;
      /** Set when the caller or the file name states the format; otherwise it is detected from the bytes. */
      readonly format?: PageFormat;
      /** Nothing has checked yet whether these bytes are a page at all; the worker that cleans the page does. */
      readonly isUnseen?: true;
    }
  | { readonly kind: "html"; readonly html: string }
  | { readonly kind: "text"; readonly text: string }
  /** Lines that were already split: they stay one to one, blank lines included. */
  | { readonly kind: "lines"; readonly lines: readonly string[] }
  /** Lines that an earlier run has scored. */
  | { readonly kind: "scored"; readonly scored: ScoredDocument }
  | UnreadRecord;

/**
 * One line of a JSON Lines input, not parsed yet. The worker that cleans the page parses it, and only then is the id of
 * the page known.
 */
export interface UnreadRecord {
  readonly kind: "record";
  readonly line: Uint8Array;
  readonly number: number;
  readonly input: string;
  readonly maxBytes: number;
  readonly column?: string;
}

/** The content of a page whose record, if it came in one, has been parsed. */
export type ReadContent = Exclude<PageContent, UnreadRecord>;

/** The fields that a document keeps from the run that scored it. */
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

/** What a page was read as. */
export type PageFormat = "html" | "text";

/**
 * The other fields of the record that the page came in, as the JSON text of one object. They are kept as text so that
 * the output repeats every digit of their numbers.
 */
export type CarriedJson = string;

/** A page as it came in. `id` names it in every output; `url` is "" when it is unknown. */
export interface Page {
  readonly id: string;
  readonly url: string;
  readonly content: PageContent;
  /** The language that the record or its header states: a BCP 47 language tag. */
  readonly lang?: string;
  /** The uses that the server reserves, as in `Metadata`. */
  readonly reservations?: readonly string[];
  readonly carried?: CarriedJson;
  /** Set if its document is written into a file with others, in which an id may occur only once. */
  readonly sharesFile?: true;
}

/** One line of visible text. */
export interface Line {
  /**
   * Normalised text: no leading or trailing space; line breaks only in `pre`, including cells inside it; tabs only
   * between the cells of a `tr`.
   */
  readonly text: string;
  readonly block: BlockTag;
  /**
   * The element path, "body>main#content>article.post[itemtype=Article]>p"; "" for plain text. A step has the tag, the
   * id, the classes, the role and the schema.org markup (`[role=main]`, `[itemprop=articleBody]`, the last part of the
   * item's type), as many as fit.
   */
  readonly path: string;
  /** UTF-16 code units of `text` that are inside links. */
  readonly linkChars: number;
  /** The links inside the line, if any. */
  readonly links?: readonly Link[];
  /** The inline markup of the line besides links, outer spans first. Only set when it was requested. */
  readonly spans?: readonly InlineSpan[];
  /**
   * The index in `Document.holders` of the innermost holder around the line, if any. Only set when they were requested.
   */
  readonly holder?: number;
  /** What separates this line from the one before: a line break, or the boundary of a block. */
  readonly breakBefore: "line" | "block";
  /** Offsets [start, end) in UTF-16 code units into the decoded source. */
  readonly span?: readonly [number, number];
  /** The extractor that left the line out, in documents that keep such lines. */
  readonly leftOutBy?: string;
  /** Set on an "li" line that continues a list item which an earlier line began. */
  readonly continuesItem?: true;
  /** On the first line of an item of an ordered list: the item's number. */
  readonly number?: number;
  /** Set when the page marks the line as part of a user comment. */
  readonly kind?: "comment";
}

/** A line with P(main content): calibrated, 0..1, rounded to three decimals. */
export interface ScoredLine extends Line {
  readonly score: number;
  /** The labeller's own score, when another score replaced it. */
  readonly ownScore?: number;
}

/** What a line is. */
export type Label = "content" | "boilerplate";

/** A scored line with its label. */
export interface LabelledLine extends ScoredLine {
  readonly label: Label;
  /** The name of the rule that decided the label, if a rule did. */
  readonly why?: string;
}

/** What a page, or the record of a text, states about itself. A field is absent when the page does not state it. */
export interface Metadata {
  readonly title?: string;
  readonly author?: string;
  /**
   * When it was published: an ISO 8601 date, or date and time, as the page states it or shows it beside its headline.
   */
  readonly date?: string;
  readonly site?: string;
  /** BCP 47 language tag. */
  readonly lang?: string;
  /** When it was last changed, in the format of `date`. */
  readonly modified?: string;
  readonly description?: string;
  /** The URL of the page's preview image. */
  readonly image?: string;
  /** The URL or the name of the licence. */
  readonly license?: string;
  readonly tags?: readonly string[];
  readonly categories?: readonly string[];
  /** The canonical URL that the page states, and the URL of its feed. */
  readonly canonical?: string;
  readonly feed?: string;
  /** The type that the page states: "article", "product". */
  readonly type?: string;
  /**
   * The uses that the page or its server reserves: "tdm" (text and data mining), "noai", or the name of a use that a
   * preference denies, such as "train-ai".
   */
  readonly reservations?: readonly string[];
  /** The source of each field. Only set when it was requested. */
  readonly from?: Readonly<Record<string, string>>;
}

/** A page as lines of visible text, with its metadata and the verdicts on it. */
export interface Document<L extends Line = Line> {
  readonly id: string;
  readonly url: string;
  /** The format that the lines were extracted from. */
  readonly source: PageFormat;
  readonly meta: Metadata;
  /**
   * The title that the labeller compares lines with, when it differs from `meta.title`: as the page states it, without
   * looking at its headings.
   */
  readonly statedTitle?: string;
  /** Words from the page's URL and head that hint at its type; the labeller `page` weighs them. */
  readonly clues?: readonly string[];
  /** Notes on the result: limits that were hit, fallbacks that were used, wrong charset declarations. */
  readonly notes: readonly string[];
  readonly lines: readonly L[];
  /** The container elements around lines, outer before inner. Only set when they were requested. */
  readonly holders?: readonly Holder[];
  /** The verdict on the whole page. Only set on labelled documents whose labeller judges whole pages. */
  readonly verdict?: PageVerdict;
  /** The verdict of the plain-text labeller `text` on the condition of the text. */
  readonly condition?: ConditionVerdict;
  /** The registers of the content lines. Only set when they were requested and could be determined. */
  readonly registers?: RegisterVerdict;
  /** The base URL of relative links, when the page states one other than its own URL. */
  readonly base?: string;
  /** The fingerprint of the run that scored the lines, when this run only applied new thresholds to them. */
  readonly scoredBy?: string;
  /** The other fields of the record that the page came in, unchanged. */
  readonly carried?: CarriedJson;
}
