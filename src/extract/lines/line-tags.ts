/** Lists what each HTML tag does to a line. Tables only; the rules that read them are in `walk.ts` and `visible.ts`. */
import { HEADING_TAGS, type BlockTag } from "../../document.js";

/**
 * Elements that start and end a line (HTML standard, 15.3: display block, list-item, table parts), and their name. An
 * `rs-layer` is a text of Slider Revolution, a `heading` one of Google Patents, and a `tei-p` a paragraph of TEI that
 * CETEIcean shows in a browser.
 */
export const BLOCKS: ReadonlyMap<string, BlockTag> = new Map([
  ["address", "address"],
  ["article", "article"],
  ["aside", "aside"],
  ["blockquote", "blockquote"],
  ["body", "body"],
  ["caption", "caption"],
  ["center", "center"],
  ["dd", "dd"],
  ["details", "details"],
  ["dialog", "div"],
  ["dir", "ul"],
  ["div", "div"],
  ["dl", "div"],
  ["dt", "dt"],
  ["fieldset", "fieldset"],
  ["figcaption", "figcaption"],
  ["figure", "figure"],
  ["footer", "footer"],
  ["form", "form"],
  ["h1", "h1"],
  ["h2", "h2"],
  ["h3", "h3"],
  ["h4", "h4"],
  ["h5", "h5"],
  ["h6", "h6"],
  ["header", "header"],
  ["heading", "h3"],
  ["hgroup", "div"],
  ["html", "body"],
  ["legend", "legend"],
  ["li", "li"],
  ["listing", "pre"],
  ["main", "main"],
  ["marquee", "div"],
  ["menu", "ul"],
  ["nav", "nav"],
  ["ol", "ol"],
  ["optgroup", "div"],
  ["option", "div"],
  ["p", "p"],
  ["plaintext", "pre"],
  ["pre", "pre"],
  ["rs-layer", "div"],
  ["search", "div"],
  ["section", "section"],
  ["summary", "summary"],
  ["table", "table"],
  ["tbody", "table"],
  ["td", "td"],
  ["tei-ab", "p"],
  ["tei-bibl", "p"],
  ["tei-byline", "p"],
  ["tei-cell", "td"],
  ["tei-closer", "p"],
  ["tei-dateline", "p"],
  ["tei-div", "div"],
  ["tei-docauthor", "p"],
  ["tei-head", "h3"],
  ["tei-item", "li"],
  ["tei-l", "div"],
  ["tei-lg", "div"],
  ["tei-list", "ul"],
  ["tei-opener", "p"],
  ["tei-p", "p"],
  ["tei-quote", "blockquote"],
  ["tei-row", "tr"],
  ["tei-sp", "div"],
  ["tei-speaker", "p"],
  ["tei-stage", "p"],
  ["tei-table", "table"],
  ["tei-titlepart", "p"],
  ["tfoot", "table"],
  ["th", "th"],
  ["thead", "table"],
  ["tr", "tr"],
  ["ul", "ul"],
  ["xmp", "pre"],
]);

/**
 * Elements of HIDDEN that still take up room: the text before and after them is drawn apart. Content inside AMP's media
 * is shown only until they are loaded, or if they fail.
 */
export const DRAWN: ReadonlySet<string> = new Set([
  "amp-ad",
  "amp-anim",
  "amp-audio",
  "amp-embed",
  "amp-iframe",
  "amp-img",
  "amp-video",
  "amp-youtube",
  "audio",
  "canvas",
  "embed",
  "iframe",
  "img",
  "input",
  "meter",
  "object",
  "progress",
  "select",
  "svg",
  "textarea",
  "video",
]);

/** Elements whose content a browser never draws, or draws as something other than text of the page. */
export const HIDDEN: ReadonlySet<string> = new Set([
  ...DRAWN,
  "annotation",
  "annotation-xml",
  "area",
  "base",
  "colgroup",
  "datalist",
  "frame",
  "head",
  "link",
  "meta",
  "mphantom",
  "noembed",
  "noframes",
  "noscript",
  "param",
  "rp",
  "script",
  "source",
  "style",
  "tei-teiheader",
  "template",
  "title",
  "track",
]);

export const LISTS: ReadonlySet<string> = new Set(["dir", "dl", "menu", "ol", "ul"]);

/** Block tags of a line that is an item of a list, or a part of one. */
export const ITEMS: ReadonlySet<string> = new Set(["li", "dt", "dd"]);

/** Block tags that a line keeps even if it is the first of a list item. */
export const KEPT_IN_ITEMS: ReadonlySet<string> = new Set([...HEADING_TAGS, "pre", "tr"]);

/** What the tables say about one tag, so that a walk needs one lookup for each element. */
interface TagTraits {
  /** Applies only to elements in the HTML namespace. */
  readonly block: BlockTag | undefined;
  readonly isHidden: boolean;
  readonly isDrawn: boolean;
  readonly isList: boolean;
}

const PLAIN: TagTraits = { block: undefined, isHidden: false, isDrawn: false, isList: false };

const TRAITS: ReadonlyMap<string, TagTraits> = new Map(
  [...BLOCKS.keys(), ...HIDDEN].map((tag): [string, TagTraits] => [
    tag,
    { block: BLOCKS.get(tag), isHidden: HIDDEN.has(tag), isDrawn: DRAWN.has(tag), isList: LISTS.has(tag) },
  ]),
);

/** Returns what the tables say about a tag. */
export function traitsOf(tag: string): TagTraits {
  return TRAITS.get(tag) ?? PLAIN;
}
