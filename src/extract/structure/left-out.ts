/**
 * Finds text that is shown beside the content but is no part of it: anchors and edit links of headings, line numbers of
 * code.
 */
import type { ElementNode, TreeNode } from "../../document/tree.js";
import { classOf } from "../bounded-attributes.js";
import { textOf } from "../elements.js";
import { BLOCKS } from "../lines/line-tags.js";
import { COPY_CLASS } from "./code-language.js";
import { ANCHOR_CLASS } from "../lines/visible/anchor-sign.js";

/** The largest length of an anchor's text, in characters. */
const MAX_ANCHOR = 40;

/**
 * Links and buttons to edit a section (of DokuWiki: "secedit"), links from a note back to its reference, and the link of
 * MoinMoin that shows the line numbers of code.
 */
export const EDIT_CLASS =
  /(?:^|\s)(?:mw-editsection|mw-editsection-like|mw-cite-backlink|fn-bracket|footnote-back-link-wrapper|secedit|codenumbers)(?:$|\s)/;
/** The text of an anchor link: empty or a sign, but no word. */
const ANCHOR_SIGN = /^[\s\p{P}\p{S}\p{Co}]{0,3}$/u;
/** The `href` of a link from a note back to its reference. */
const BACK_HREF = /^#.*(?:ref|back|return|jump)/i;
/**
 * The `href` of a link back, which may as well lead to an entry in a list of references: "#ref12", "#ref-hobbs1990" of
 * Pandoc, "#pone.0247000.ref001" of PLOS.
 */
const MAYBE_BACK_HREF =
  /^#(?:ref(?:erence)?s?[-_.]?\d|ref-(?!(?:foot|end)?note|fn)\p{L}|(?!(?:foot|end)?(?:note|n)\.)[\w.-]+\.ref\d)/iu;
const BACK_SIGN = /^\s*(?:[\p{P}\p{S}\ufe0e\ufe0f]{1,4}|\[?\d{1,4}\]?\.?)\s*$/u;

/** What is known of an inline element: the heading that it is in, and whether its names may tell more (telling.ts). */
interface Known {
  readonly heading: ElementNode | undefined;
  readonly isTelling: boolean;
}

/** Whether an inline element is an anchor, an edit link or a link back. */
export function isAnchor(element: ElementNode, { heading, isTelling }: Known): boolean {
  const names = classOf(element);
  if (isTelling) {
    if (EDIT_CLASS.test(names)) return true;
    // The button of rustdoc that runs an example.
    if (names === "test-arrow" && element.tag === "a") return true;
    // XenForo 1 links with this to the post that a quote is from.
    if (names === "AttributionLink") return ANCHOR_SIGN.test(textOf(element, MAX_ANCHOR));
    if (names === "tooltip" && element.tag === "a") return ANCHOR_SIGN.test(textOf(element, MAX_ANCHOR));
  }
  const href = element.tag === "a" ? element.attributes.get("href") : undefined;
  if (href?.includes("#") !== true) return false;
  // The arrow of phpBB that leads from a quote to its post.
  if (element.parent?.tag === "cite" && ANCHOR_SIGN.test(textOf(element, MAX_ANCHOR))) return true;
  const isBack = href.startsWith("#") && BACK_HREF.test(href);
  const isNamed = names !== "" && ANCHOR_CLASS.test(names);
  // Most links into a page are in its menus, and their text need not be read.
  if (!isBack && !isNamed && heading === undefined) return false;
  const text = textOf(element, MAX_ANCHOR);
  if (isBack && BACK_SIGN.test(text))
    return !isReference(element) && !(MAYBE_BACK_HREF.test(href) && /\d/.test(text) && isAmongWords(element));
  if (text.length >= MAX_ANCHOR) return false;
  if (isNamed) return ANCHOR_SIGN.test(text) || isLessThan(text, heading);
  return heading !== undefined && ANCHOR_SIGN.test(text);
}

/**
 * Whether an element is a button beside the words of a heading. A button that is the whole heading opens a fold, and
 * stays.
 */
export function isButtonIn(heading: ElementNode | undefined, element: ElementNode): boolean {
  const { tag, attributes } = element;
  if (heading === undefined || (tag !== "button" && attributes.get("role") !== "button")) return false;
  const text = textOf(element, MAX_ANCHOR);
  return text.length < MAX_ANCHOR && isLessThan(text, heading);
}

/** A link in a `sup` leads to a note, whatever its `href` is. */
function isReference({ parent, attributes }: ElementNode): boolean {
  return parent?.tag === "sup" && !/back|return/i.test(attributes.get("class") ?? "");
}

/** Inline elements around a link, and nodes before each, that are looked at. */
const MAX_WRAPPERS = 3;
const MAX_BEFORE = 100;
/** Elements with more children than this are not searched. */
const MAX_SIBLINGS = 2_000;

/** Whether words come before a link in its block. */
function isAmongWords(link: ElementNode): boolean {
  let inner = link;
  for (let step = 0; inner.parent !== null && step <= MAX_WRAPPERS; step += 1) {
    const { children, tag } = inner.parent;
    if (children.length > MAX_SIBLINGS) return false;
    const at = children.indexOf(inner);
    const before = children.slice(Math.max(0, at - MAX_BEFORE), at);
    if (before.some((node) => /\p{L}/u.test(node.kind === "text" ? node.value : textOf(node, MAX_ANCHOR))))
      return true;
    if (BLOCKS.has(tag)) return false;
    inner = inner.parent;
  }
  return false;
}

/** Whether the heading has more text than the link. If not, the whole heading is a link, and no anchor. */
function isLessThan(text: string, heading: ElementNode | undefined): boolean {
  return heading !== undefined && textOf(heading, 4 * MAX_ANCHOR).length > text.length;
}

/** A part of every class name below, and faster to search for. */
const NUMBER_HINT = /line|lno|lnum|ln-num|gutter|blob-num|hljs-ln|crayon-nums|pre-numbering/i;
/** Class names that highlighters give to line numbers. */
export const NUMBER_CLASS =
  /(?:^|[\s_-])(?:lines?-?(?:no|nos|nr|num|numbers?)|linenodiv|lno|lnum|ln-num|gutter|blob-num|hljs-ln-numbers|line-numbers-rows|crayon-nums|pre-numbering)(?:$|[\s_-])/i;

/** Whether an element holds line numbers of code. */
export function isLineNumber(element: ElementNode): boolean {
  const { attributes, tag } = element;
  // WordPress themes name whole pages after the gap between columns ("et_pb_gutter").
  if (attributes.size === 0 || tag === "body") return false;
  const names = classOf(element);
  const isNamed =
    (NUMBER_HINT.test(names) && NUMBER_CLASS.test(names)) ||
    attributes.has("data-line-number") ||
    // YARD has the numbers in a cell beside the code.
    (tag === "pre" && names === "lines");
  return isNamed && /^[\d\s]*$/.test(textOf(element, 400));
}

/** Whether a list holds the numbers of all lines, as CSDN has it inside or behind the code. */
export function isListOfNumbers(list: ElementNode): boolean {
  return list.attributes.get("class")?.includes("pre-numbering") === true && isLineNumber(list);
}

/** The largest length of the class names of a button in code. */
const MAX_BUTTON = 60;

/**
 * Whether an inline element in code is a button, such as the one to copy the code. A button without attributes may be
 * the text of a broken page.
 */
export function isToolOfCode(element: ElementNode): boolean {
  const { tag, attributes, parent } = element;
  const names = tag === "span" || tag === "a" ? attributes.get("class") : undefined;
  const isTool =
    (tag === "button" && attributes.size > 0) ||
    // The button below the code of Discuz.
    (tag === "em" && parent?.attributes.get("class") === "blockcode") ||
    (names?.includes("opy") === true && names.length <= MAX_BUTTON && COPY_CLASS.test(names));
  return isTool && textOf(element, MAX_ANCHOR).length < MAX_ANCHOR;
}

/** Class names of line numbers in Chroma, the highlighter of Hugo. They are too short to mean this outside of code. */
const SHORT_NAMES: ReadonlySet<string> = new Set(["ln", "lnt", "lnlinks"]);

/** The colour of line numbers in the code of cnblogs. */
const NUMBER_STYLE = /^color:\s?#008080;?$/;

/**
 * Whether an element in code holds a line number: by its class name, because it cannot be selected, or by its colour and
 * its place.
 */
export function isNumberInCode(element: ElementNode): boolean {
  const { attributes } = element;
  if (attributes.size === 0) return false;
  const isNamed = SHORT_NAMES.has(attributes.get("class") ?? "");
  const style = attributes.get("style") ?? "";
  if (!isNamed && !style.includes("user-select:none") && !(NUMBER_STYLE.test(style) && beginsLine(element)))
    return false;
  return /^\d{1,6}$/.test(textOf(element, MAX_ANCHOR));
}

/** Whether an element is the first in its block of code, or right after a line break. */
function beginsLine(element: ElementNode): boolean {
  const siblings = element.parent?.children ?? [];
  if (siblings.length > MAX_SIBLINGS) return false;
  let before: TreeNode | undefined = siblings[siblings.indexOf(element) - 1];
  while (before?.kind === "element") before = before.children.at(-1);
  return before === undefined || before.value.endsWith("\n");
}

/** The number of characters of a `pre` that are checked for the first line number, and for all of them. */
const MAX_DIGITS = 10;
const MAX_COUNT = 2_000;

/** Whether a `pre` holds nothing but the numbers 1, 2, 3 and so on. */
export function isCount(pre: ElementNode): boolean {
  // Most code does not begin with a number.
  if (Number(textOf(pre, MAX_DIGITS).split(" ", 1)[0]) !== 1) return false;
  const numbers = textOf(pre, MAX_COUNT).split(/\s+/);
  return (
    numbers.length > 1 && numbers.every((number, at) => at + 1 === Number(number) || at >= MAX_COUNT / 5)
  );
}
