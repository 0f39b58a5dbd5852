/** Names the parts of a line's features in words for people; each column and each bag belongs to one part. */
import { BAGS } from "../features/bags.js";
import { COLUMNS, type Column } from "../features/columns.js";
import { PAGE_BAGS } from "../features/page/path-bags.js";
import { PAGE_COLUMNS, type PlaceColumn } from "../features/page/place-columns.js";

export interface FeaturePart {
  readonly name: string;
  /** Indexes of hand columns, and of bags. */
  readonly columns: readonly number[];
  readonly bags: readonly number[];
}

type Range<C> = readonly [first: C, last: C];
interface Row {
  readonly name: string;
  /** Ranges of columns in their order, from the first to the last, both included. */
  readonly ranges: readonly Range<Column | PlaceColumn>[];
  readonly bags: readonly string[];
}

const OF_TEXT: readonly Row[] = [
  { name: "its length", ranges: [["log-length", "word-length"]], bags: [] },
  {
    name: "its words",
    ranges: [["title-share", "mark-share"]],
    bags: ["words", "shapes", "characters"],
  },
  { name: "its kinds of characters", ranges: [["letter-share", "upper-share"]], bags: [] },
  { name: "how it begins and ends", ranges: [["ends-sentence", "begins-mark"]], bags: [] },
  { name: "its sentences and punctuation", ranges: [["sentences", "dashes"]], bags: [] },
  {
    name: "dates, numbers, addresses and signs in it",
    ranges: [["addresses", "glued-sentences"]],
    bags: [],
  },
  { name: "where in the document it is", ranges: [["position", "lines-after"]], bags: [] },
  { name: "lines like it in the document", ranges: [["copy", "same-ending"]], bags: [] },
  {
    name: "how it compares with the rest of the document",
    ranges: [["length-to-mean", "word-spread"]],
    bags: [],
  },
];

const OF_PLACE: readonly Row[] = [
  {
    name: "the elements that it is in",
    ranges: [
      ["in-article", "in-old"],
      ["depth", "depth-to-mean"],
      ["block-paragraph", "markup-share"],
    ],
    bags: [],
  },
  {
    name: "names, classes and roles of these elements",
    ranges: [["marked-main", "named-comment"]],
    bags: ["near", "far"],
  },
  {
    name: "the other lines of these elements",
    ranges: [
      ["same-tags-lines", "same-tags-link-share"],
      ["own-lines", "outermost-runs"],
      ["shared-before", "until-own"],
    ],
    bags: [],
  },
  {
    name: "how near it is to the main text",
    ranges: [
      ["in-core", "in-second"],
      ["after-first", "points-after"],
    ],
    bags: [],
  },
  { name: "links in it and around it", ranges: [["link-share", "link-share-around"]], bags: [] },
  { name: "the page's title", ranges: [["words-of-title", "after-title"]], bags: [] },
];

export const TEXT_PARTS = layOut(OF_TEXT, COLUMNS, BAGS);
export const PAGE_PARTS = layOut([...OF_TEXT, ...OF_PLACE], PAGE_COLUMNS, PAGE_BAGS);

function layOut(rows: readonly Row[], columns: readonly string[], bags: readonly string[]): FeaturePart[] {
  return rows.map(({ name, ranges, bags: named }) => ({
    name,
    columns: ranges.flatMap(([first, last]) => {
      const [from, to] = [columns.indexOf(first), columns.indexOf(last)];
      return Array.from({ length: to - from + 1 }, (_, at) => from + at);
    }),
    bags: named.flatMap((bag) => (bags.includes(bag) ? [bags.indexOf(bag)] : [])),
  }));
}
