/** Finds what is drawn beside a text and is no part of it: anchors of headings, links to edit them, numbers of code's lines. */
import type { ElementNode } from "../../tree.js";
import { classOf } from "../bounded-attributes.js";
import { textOf } from "../elements.js";

/** Characters of an anchor's text. */
const MAX_ANCHOR = 40;

const ANCHOR_CLASS =
  /(?:^|[\s_-])(?:headerlink|header-?anchor|heading-?anchor|heading-?link|hash-?link|anchor-?link|section-?link|perma-?link|direct-?link|anchor|deep-?link)(?:$|[\s_-])/i;
/** Links to edit what they stand in, and what leads back to a reference. */
export const EDIT_CLASS =
  /(?:^|\s)(?:mw-editsection|mw-editsection-like|mw-cite-backlink|viewcode-link|fn-bracket|footnote-back-link-wrapper)(?:$|\s)/;
/** What such links show: a sign, or nothing that is a word. */
const ANCHOR_SIGN = /^[\s\p{P}\p{S}\p{Co}]{0,3}$/u;
/** Where a note leads back to. */
const BACK_HREF = /^#.*(?:ref|back|return|jump)/i;
const BACK_SIGN = /^\s*(?:[\p{P}\p{S}\ufe0e\ufe0f]{1,4}|\[?\d{1,4}\]?\.?)\s*$/u;

export function isAnchor(element: ElementNode, heading: ElementNode | undefined): boolean {
  const names = classOf(element);
  if (names !== "" && EDIT_CLASS.test(names)) return true;
  // rustdoc has a button that runs an example, and says that one is special.
  if (names === "test-arrow" && element.tag === "a") return true;
  // XenForo 1 leads so to the post that a quote is from.
  if (names === "AttributionLink") return ANCHOR_SIGN.test(textOf(element, MAX_ANCHOR));
  if (names === "tooltip" && element.tag === "a") return ANCHOR_SIGN.test(textOf(element, MAX_ANCHOR));
  const href = element.tag === "a" ? element.attributes.get("href") : undefined;
  if (href?.includes("#") !== true) return false;
  const isBack = href.startsWith("#") && BACK_HREF.test(href);
  const isNamed = names !== "" && ANCHOR_CLASS.test(names);
  // Most links into a page are in its menus, and no text needs to be read of them.
  if (!isBack && !isNamed && heading === undefined) return false;
  const text = textOf(element, MAX_ANCHOR);
  if (isBack && BACK_SIGN.test(text)) return !isReference(element);
  if (text.length >= MAX_ANCHOR) return false;
  if (isNamed) return ANCHOR_SIGN.test(text) || isLessThan(text, heading);
  return heading !== undefined && ANCHOR_SIGN.test(text);
}

/** Whether this is a button beside the words of a heading; one that is all of it opens what is below. */
export function isButtonIn(heading: ElementNode | undefined, element: ElementNode): boolean {
  const { tag, attributes } = element;
  if (heading === undefined || (tag !== "button" && attributes.get("role") !== "button")) return false;
  const text = textOf(element, MAX_ANCHOR);
  return text.length < MAX_ANCHOR && isLessThan(text, heading);
}

/** Raised numbers lead to notes, whatever their addresses are called. */
function isReference({ parent, attributes }: ElementNode): boolean {
  return parent?.tag === "sup" && !/back|return/i.test(attributes.get("class") ?? "");
}

/** A heading that is a link as a whole is no anchor. */
function isLessThan(text: string, heading: ElementNode | undefined): boolean {
  return heading !== undefined && textOf(heading, 4 * MAX_ANCHOR).length > text.length;
}

/** Part of every name below, and quicker to look for. */
const NUMBER_HINT = /line|lno|lnum|ln-num|gutter|blob-num|hljs-ln|crayon-nums/i;
/** What highlighters call the numbers of lines. */
export const NUMBER_CLASS =
  /(?:^|[\s_-])(?:lines?-?(?:no|nos|nr|num|numbers?)|linenodiv|lno|lnum|ln-num|gutter|blob-num|hljs-ln-numbers|line-numbers-rows|crayon-nums)(?:$|[\s_-])/i;

/** Whether an element holds the numbers of lines of code. */
export function isLineNumber(element: ElementNode): boolean {
  const { attributes, tag } = element;
  // Themes name their pages by what is between columns ("et_pb_gutter").
  if (attributes.size === 0 || tag === "body") return false;
  const names = classOf(element);
  const isNamed = (NUMBER_HINT.test(names) && NUMBER_CLASS.test(names)) || attributes.has("data-line-number");
  return isNamed && /^[\d\s]*$/.test(textOf(element, 400));
}

/** What Chroma, the highlighter of Hugo, calls the numbers of lines; names too short to mean this outside of code. */
const SHORT_NAMES: ReadonlySet<string> = new Set(["ln", "lnt", "lnlinks"]);

/** Whether an element inside of code holds the number of a line: by such a name, or because it cannot be selected. */
export function isNumberInCode(element: ElementNode): boolean {
  const { attributes } = element;
  if (attributes.size === 0) return false;
  const isNamed = SHORT_NAMES.has(attributes.get("class") ?? "");
  if (!isNamed && attributes.get("style")?.includes("user-select:none") !== true) return false;
  return /^\d{1,6}$/.test(textOf(element, MAX_ANCHOR));
}

/** Characters of a `pre` that are looked at, to see whether it only counts. */
const MAX_COUNT = 2_000;

/** Whether a `pre` holds nothing but 1, 2, 3 and so on. */
export function isCount(pre: ElementNode): boolean {
  const numbers = textOf(pre, MAX_COUNT).split(/\s+/);
  return (
    numbers.length > 1 && numbers.every((number, at) => at + 1 === Number(number) || at >= MAX_COUNT / 5)
  );
}
