/** Declares the verdicts of labellers on a whole document: page type, condition of the text, registers. */

/** The page types that the labeller `page` distinguishes. */
export const PAGE_TYPES = [
  "article",
  "documentation",
  "forum",
  "service",
  "listing",
  "product",
  "collection",
] as const;

/** One of `PAGE_TYPES`. */
export type PageType = (typeof PAGE_TYPES)[number];

/**
 * The conditions of a text that the labeller `text` distinguishes. raw: all lines of a page, with menus and footers;
 * extracted: what an extractor kept of a page; crawl: a text of an existing crawl, judged by the guideline of Salmela
 * 2022.
 */
export const TEXT_CONDITIONS = ["raw", "extracted", "crawl"] as const;

/** What was done to a plain text before: all lines of a page, what an extractor kept, or a text of a crawl. */
export type TextCondition = (typeof TEXT_CONDITIONS)[number];

/** The score from which a line counts as content, for each focus. */
export interface Cuts {
  readonly precision: number;
  readonly balanced: number;
  readonly recall: number;
}

/** The condition of a text. Numbers are 0..1, with three decimals unless the caller set them. */
export interface ConditionVerdict {
  /** The most likely condition, or the one that the caller stated. */
  readonly name: TextCondition;
  /** P(the text is in this condition); 1 when the caller stated it. */
  readonly score: number;
  /** Whether fewer than eight in ten predictions with this score are right. */
  readonly isDoubtful: boolean;
  /** The score from which a line of this text counts as content. */
  readonly cut: number;
  /** The value of `cut` under each focus. Absent when the verdict comes from a record without these values. */
  readonly cuts?: Cuts;
}

/** The main registers of CORE (Biber & Egbert 2018), with the abbreviations that the CORE corpora use. */
export const REGISTERS = ["LY", "SP", "ID", "NA", "HI", "IN", "OP", "IP"] as const;

/** One of `REGISTERS`. */
export type Register = (typeof REGISTERS)[number];

/** The subregisters that enough training texts are labelled with, each with its main register. */
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

/** A key of `SUBREGISTERS`. */
export type Subregister = keyof typeof SUBREGISTERS;
// The keys of an object literal are its names.
export const SUBREGISTER_NAMES = Object.keys(SUBREGISTERS) as readonly Subregister[];

/** The names in the annotation guide of the CORE corpora. */
export const REGISTER_TITLES: Readonly<Record<Register | Subregister, string>> = {
  LY: "lyrical",
  SP: "spoken",
  ID: "interactive discussion",
  NA: "narrative",
  HI: "how-to or instructions",
  IN: "informational description",
  OP: "opinion",
  IP: "informational persuasion",
  ne: "news report",
  sr: "sports report",
  nb: "narrative blog",
  dtp: "description of a thing or a person",
  rv: "review",
  ob: "opinion blog",
  rs: "denominational religious blog or sermon",
  av: "advice",
  ds: "description with intent to sell",
};

/**
 * The registers of the main content. A text may have several registers, or no certain one. Numbers are 0..1, with three
 * decimals.
 */
export interface RegisterVerdict {
  /** P(the text is of the register), calibrated. */
  readonly main: Readonly<Record<Register, number>>;
  /** The same for subregisters; never more than the value of the main register. */
  readonly sub: Readonly<Record<Subregister, number>>;
  /** P(a machine wrote or translated the text). */
  readonly machine: number;
  /** The registers that are likely enough; empty when none of them is. */
  readonly found: readonly (Register | Subregister)[];
}

/**
 * The verdict of a labeller that judges whole pages. Numbers are 0..1, with three decimals unless the caller set them.
 */
export interface PageVerdict {
  readonly type: PageType;
  /** P(the page is of this type). */
  readonly typeScore: number;
  /** P(the page has main content). */
  readonly score: number;
  /** Whether `score` is high enough for the labeller. If false, no line is content. */
  readonly hasContent: boolean;
  /** The score from which a line of this page counts as content. */
  readonly cut: number;
  /** The value of `cut` under each focus. Absent when the verdict comes from a record without these values. */
  readonly cuts?: Cuts;
}
