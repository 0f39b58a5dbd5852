/** Lists the features of Schäfer 2016, Table 1, in the order of the network, with their units, scales and sources. */

/**
 * How a count becomes a number from 0 to 1. share: divided by the whole that contains it; flag: 0 or 1; rate: divided
 * by the number of characters, which is larger; clamp: linear up to a constant, and 1 above it; margin: a place p from
 * 0 to 1 as |2p − 1|.
 */
type Scale = "share" | "flag" | "rate" | "margin" | { readonly clamp: number };

/** text: a line's text; place: its place among the lines; links: its links; path: its elements; markup: its source. */
export type Evidence = "text" | "place" | "links" | "path" | "markup";

interface Feature {
  /** As in Table 1. Features that share a row there (ContArticle … ContTd, DtHtml4 … DtXhtml) are separate here. */
  readonly name: string;
  /** What is counted. */
  readonly unit: string;
  readonly scale: Scale;
  readonly needs: Evidence;
  /** Row of Table 1, from 1. */
  readonly row: number;
}

// If Table 1 leaves something open, `unit` says what was chosen. Characters are code points of the line's text.
export const FEATURES = [
  {
    name: "AnchorProp",
    unit: "links with an href / characters of the text",
    scale: "rate",
    needs: "links",
    row: 1,
  },
  { name: "ContArticle", unit: "innermost container is article", scale: "flag", needs: "path", row: 2 },
  { name: "ContBlock", unit: "innermost container is blockquote", scale: "flag", needs: "path", row: 2 },
  { name: "ContDiv", unit: "innermost container is div", scale: "flag", needs: "path", row: 2 },
  { name: "ContH", unit: "innermost container is h1 to h6", scale: "flag", needs: "path", row: 2 },
  { name: "ContLi", unit: "innermost container is li", scale: "flag", needs: "path", row: 2 },
  { name: "ContP", unit: "innermost container is p", scale: "flag", needs: "path", row: 2 },
  { name: "ContSection", unit: "innermost container is section", scale: "flag", needs: "path", row: 2 },
  {
    name: "ContTd",
    unit: "innermost container is td, or the line is a table row",
    scale: "flag",
    needs: "path",
    row: 2,
  },
  {
    name: "ContClose",
    unit: "the tag before the block closes a container",
    scale: "flag",
    needs: "markup",
    row: 3,
  },
  { name: "Copy", unit: "a copyright sign (©) in the text", scale: "flag", needs: "text", row: 4 },
  {
    name: "DocMarkupProp",
    unit: "characters of markup / all characters, of the page",
    scale: "share",
    needs: "markup",
    row: 5,
  },
  { name: "DtHtml4", unit: "declared HTML 4", scale: "flag", needs: "markup", row: 6 },
  { name: "DtHtml5", unit: "declared HTML5", scale: "flag", needs: "markup", row: 6 },
  { name: "DtXhtml", unit: "declared XHTML", scale: "flag", needs: "markup", row: 6 },
  { name: "EmailProp", unit: "literal e-mail addresses / characters", scale: "rate", needs: "text", row: 7 },
  {
    name: "EndsPunct",
    unit: "the last character but spaces, quotes and closing brackets ends a sentence",
    scale: "flag",
    needs: "text",
    row: 8,
  },
  { name: "HashProp", unit: "hashtags / characters", scale: "rate", needs: "text", row: 9 },
  { name: "Length", unit: "characters", scale: { clamp: 1000 }, needs: "text", row: 10 },
  { name: "LetterProp", unit: "letters / characters", scale: "share", needs: "text", row: 11 },
  {
    name: "MarkupProp",
    unit: "characters of markup / all characters, of the block",
    scale: "share",
    needs: "markup",
    row: 12,
  },
  { name: "NumberProp", unit: "number characters / characters", scale: "share", needs: "text", row: 13 },
  { name: "OpenProp", unit: "opening tags / tags; 0 without tags", scale: "share", needs: "markup", row: 14 },
  {
    name: "PageProp",
    unit: "characters of the line / characters of all lines",
    scale: "share",
    needs: "place",
    row: 15,
  },
  {
    name: "PercDiv",
    unit: "number of the line, from 0, / number of the last line",
    scale: "margin",
    needs: "place",
    row: 16,
  },
  {
    name: "PercText",
    unit: "characters before the middle of the line / characters of all lines",
    scale: "margin",
    needs: "place",
    row: 17,
  },
  { name: "PunctProp", unit: "punctuation characters / characters", scale: "share", needs: "text", row: 18 },
  { name: "SentBogus", unit: "no character that can end a sentence", scale: "flag", needs: "text", row: 19 },
  {
    name: "SentCount",
    unit: "sentences, with what comes behind the last end",
    scale: { clamp: 10 },
    needs: "text",
    row: 20,
  },
  {
    name: "SentLength",
    unit: "words / sentences; two letters are a word where none are parted by spaces",
    scale: { clamp: 100 },
    needs: "text",
    row: 21,
  },
  {
    name: "SkippedDivs",
    unit: "blocks without a line since the line before",
    scale: { clamp: 20 },
    needs: "markup",
    row: 22,
  },
  {
    name: "TagProp",
    unit: "tags / all characters of the block, markup too",
    scale: "rate",
    needs: "markup",
    row: 23,
  },
  {
    name: "UpperProp",
    unit: "upper-case letters / letters; 0 without letters",
    scale: "share",
    needs: "text",
    row: 24,
  },
  { name: "UriProp", unit: "literal URLs / characters", scale: "rate", needs: "text", row: 25 },
  {
    name: "Window1",
    unit: "MarkupProp of the block and one on each side",
    scale: "share",
    needs: "markup",
    row: 26,
  },
  {
    name: "Window2",
    unit: "MarkupProp of the block and two on each side",
    scale: "share",
    needs: "markup",
    row: 27,
  },
  { name: "YearProp", unit: "years from 1800 to 2099 / characters", scale: "rate", needs: "text", row: 28 },
] as const satisfies readonly Feature[];

export type FeatureName = (typeof FEATURES)[number]["name"];
export const FEATURE_NAMES: readonly FeatureName[] = FEATURES.map(({ name }) => name);
export const FEATURE_COUNT = FEATURES.length;

/** The indexes of the features by name. */
export const AT = Object.freeze(
  Object.fromEntries(FEATURES.map(({ name }, place) => [name, place])),
  // The keys are exactly the names in FEATURES, which fromEntries cannot express.
) as Readonly<Record<FeatureName, number>>;
