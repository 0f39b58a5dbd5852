/**
 * Lists the columns for the place of a line in its page, in the order in which a page model reads them after those of
 * the text.
 *
 * This file owns the order of these columns; `model.json` of a page model repeats them and is refused when it differs.
 * No column depends on scripts, styles or comments of the page, because the training pages have lost theirs.
 */
import { COLUMNS } from "../columns.js";
import { NAMED_COLUMNS } from "./names.js";

/** Tags that are counted on a line's path, by the column that they fill. Tags of one column mean the same. */
export const PATH_TAGS = [
  ["in-article", ["article"]],
  ["in-main", ["main"]],
  ["in-section", ["section"]],
  ["in-header", ["header"]],
  ["in-footer", ["footer"]],
  ["in-nav", ["nav", "menu"]],
  ["in-aside", ["aside"]],
  ["in-form", ["form", "fieldset"]],
  ["in-table", ["table"]],
  ["in-cell", ["td", "th"]],
  ["in-list", ["ul", "ol", "dir"]],
  ["in-item", ["li"]],
  ["in-terms", ["dl"]],
  ["in-paragraph", ["p"]],
  ["in-division", ["div"]],
  ["in-heading", ["h1", "h2", "h3", "h4", "h5", "h6"]],
  ["in-quote", ["blockquote", "q"]],
  ["in-figure", ["figure", "picture"]],
  ["in-caption", ["figcaption", "caption", "legend"]],
  ["in-code", ["pre", "code"]],
  ["in-link", ["a"]],
  ["in-button", ["button", "label", "summary"]],
  ["in-span", ["span"]],
  ["in-emphasis", ["b", "strong", "em", "i"]],
  ["in-small", ["small", "time", "sup", "sub", "cite"]],
  ["in-old", ["font", "center", "big", "tt"]],
] as const;

/** Block tags of a line, by the column that they set. */
export const BLOCK_COLUMNS = [
  ["block-paragraph", ["p"]],
  ["block-division", ["div", "center", "body"]],
  ["block-part", ["section", "article", "main"]],
  ["block-title", ["h1"]],
  ["block-heading", ["h2"]],
  ["block-subheading", ["h3", "h4", "h5", "h6"]],
  ["block-item", ["li"]],
  ["block-term", ["dt", "dd"]],
  ["block-row", ["tr"]],
  ["block-cell", ["td", "th", "table"]],
  ["block-quote", ["blockquote"]],
  ["block-code", ["pre"]],
  ["block-caption", ["figcaption", "caption", "legend", "summary", "figure", "details"]],
  ["block-furniture", ["header", "footer", "nav", "aside", "form", "fieldset", "address", "ul", "ol"]],
] as const;

/** Attribute selectors of a path (`[role=main]`), by the column that they set. */
export const MARKED_COLUMNS = [
  ["marked-main", ["role=main", "role=article", "itemprop=articleBody", "itemprop=mainEntity"]],
  ["marked-text", ["itemprop=text", "itemprop=description", "itemprop=reviewBody", "itemprop=commentText"]],
  [
    "marked-furniture",
    [
      "role=navigation",
      "role=banner",
      "role=contentinfo",
      "role=complementary",
      "role=search",
      "role=menu",
      "role=menubar",
      "role=dialog",
      "role=alertdialog",
      "role=toolbar",
      "role=tablist",
      "role=form",
    ],
  ],
] as const;

const namesOf = <const N extends string>(rows: readonly (readonly [N, readonly string[]])[]): N[] =>
  rows.map(([name]) => name);

/** Facts about the lines below an element of the page's outline; for `own`, only those on exactly its path. */
const GROUP_FACTS = [
  "lines",
  "characters",
  "mean-length",
  "link-share",
  "sentence-share",
  // Share of the page's points for prose (see place.ts).
  "points",
  // Number of runs of consecutive lines in it: records come back after other lines, an article is one run.
  "runs",
] as const;
/** The elements whose facts each line gets: its own, those one, two, three and five steps up, and the outermost. */
export const GROUPS = ["own", "parent", "second", "third", "fifth", "outermost"] as const;
export const GROUP_FACT_COUNT = GROUP_FACTS.length;

const GROUP_COLUMNS = GROUPS.flatMap((group) => GROUP_FACTS.map((fact) => `${group}-${fact}` as const));

/** Columns of the element around a line: the same for all lines with the same path. */
export const ELEMENT_COLUMNS = [
  ...namesOf(PATH_TAGS),
  ...namesOf(MARKED_COLUMNS),
  ...namesOf(NAMED_COLUMNS),
  "depth",
  "depth-to-mean",
  // Lines with the same tags on their path, whatever the ids and classes.
  "same-tags-lines",
  "same-tags-characters",
  "same-tags-link-share",
  // The innermost element with most of the page's sentences (groups.ts).
  "in-core",
  "core-distance",
  // The container with the most points for prose, and the second best (candidates.ts).
  "candidate-score",
  "in-best",
  "best-lead",
  "below-best",
  "best-distance",
  "in-second",
  ...GROUP_COLUMNS,
] as const;

export const ELEMENT_COUNT = ELEMENT_COLUMNS.length;

export const PLACE_COLUMNS = [
  ...ELEMENT_COLUMNS,
  ...namesOf(BLOCK_COLUMNS),
  "breaks-block",
  "markup-share",
  // Steps that the path shares with the line before and after, as shares of the path's depth.
  "shared-before",
  "shared-after",
  "same-path-before",
  "same-path-after",
  // Position among the lines with the same path.
  "place-in-own",
  "since-own",
  "until-own",
  // Links.
  "link-share",
  "link-share-before",
  "link-share-after",
  "link-share-around",
  // The page's title.
  "words-of-title",
  "title-covered",
  // Distance after (below zero: before) the line that repeats the title, and the first and last prose line of the best
  // candidate.
  "after-title",
  "after-first",
  "after-last",
  // Shares of the page's points for prose that lie before and after the line.
  "points-before",
  "points-after",
] as const;

export const PLACE_COUNT = PLACE_COLUMNS.length;

export const PAGE_COLUMNS: readonly string[] = [...COLUMNS, ...PLACE_COLUMNS];

export type PlaceColumn = (typeof PLACE_COLUMNS)[number];

/** The index of each column in PLACE_COLUMNS. */
export const PLACE_AT = Object.freeze(
  Object.fromEntries(PLACE_COLUMNS.map((name, place) => [name, place])),
  // The keys are exactly the names in PLACE_COLUMNS, which fromEntries cannot express.
) as Readonly<Record<PlaceColumn, number>>;
