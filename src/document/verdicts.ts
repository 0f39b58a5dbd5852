/** Declares what labellers say of a document as a whole: its type, its condition, its registers. */

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
