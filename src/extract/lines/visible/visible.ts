/** Checks whether a reader sees an element, and whether it is drawn by itself like a block. */
import type { ElementNode, TextNode } from "../../../document/tree.js";
import { findAround, isBlankText, isOrIsIn } from "../../around.js";
import { classOf } from "../../bounded-attributes.js";
import { isAnchorSign } from "./anchor-sign.js";
import { isFolded, opensRest } from "./folded.js";
import { isForListeners } from "./for-listeners.js";
import { isInitials } from "./initials.js";
import { isWikiMath, isMachinery, isToolOfDocs, isUnusedBox, OTHER_MACHINERY } from "./machinery.js";
import { isVerse } from "../generators/verse.js";
import { HIDDEN } from "../line-tags.js";
import { isPageMark } from "./page-marks.js";
import { copyForLargeScreens, isRepeated } from "./screen-sizes.js";

/** Characters of a style attribute that are read; longer ones hold images, not layout. */
const MAX_STYLE = 4096;

/** An element with more children is not searched: it holds no box that a page streams. */
const MAX_SIBLINGS = 2_000;
/** Nodes beside an element that are read. */
const MAX_BESIDE = 20;

/** Elements of `HIDDEN` that are hidden in SVG and MathML. */
const IN_FOREIGN: ReadonlySet<string> = new Set(["svg", "annotation", "annotation-xml", "mphantom"]);

/** Checks whether, by its tag, a browser does not draw the content of an element as text. */
export function isHiddenByTag(element: ElementNode): boolean {
  return HIDDEN.has(element.tag) && isHiddenInNamespace(element);
}

/**
 * Checks the namespace of an element with a tag of `HIDDEN`: an SVG or MathML element of the same name may be something
 * else, and a template may be the tree that is drawn for the element around it.
 */
export function isHiddenInNamespace(element: ElementNode): boolean {
  const { tag, namespace } = element;
  return namespace === "html" ? !isShadowRoot(element) : IN_FOREIGN.has(tag);
}

/**
 * Checks whether a template is a declarative shadow root (HTML, section 4.12.3): it is drawn at once, in place of what
 * is in the element around it. What its slots show of that element comes after it here.
 */
export function isShadowRoot({ tag, attributes, parent }: ElementNode): boolean {
  if (tag !== "template" || attributes.size === 0 || parent === null) return false;
  return /^(?:open|closed)$/i.test(attributes.get("shadowrootmode") ?? "");
}

/** Elements around a slot that are checked. */
const MAX_AROUND = 50;

/**
 * Checks whether a slot is in a shadow root and shows a part of the element around that, instead of its own content
 * (HTML, section 4.12.4).
 */
function isFilled({ attributes, parent }: ElementNode): boolean {
  const root = findAround(parent, isShadowRoot, MAX_AROUND);
  const light = root?.parent?.children ?? [];
  if (light.length > MAX_SIBLINGS) return false;
  const name = attributes.get("name") ?? "";
  return light.some((node) =>
    node.kind === "text"
      ? name === "" && !isBlankText(node)
      : node !== root && (node.attributes.get("slot") ?? "") === name,
  );
}

/**
 * What hides an element with a certain tag. A table is quicker than a chain of conditions: V8 compiles a function again
 * whenever it first takes a branch, and most of these are rare.
 */
const HIDING: ReadonlyMap<string, (element: ElementNode) => boolean> = new Map([
  ...OTHER_MACHINERY,
  [
    "a",
    (link: ElementNode) =>
      link.attributes.size > 0 && (isAnchorSign(link) || isToolOfDocs(link) || opensRest(link)),
  ],
  ["button", opensRest],
  ["dialog", ({ attributes }: ElementNode) => !attributes.has("open")],
  ["div", isHiddenBox],
  ["slot", isFilled],
  ["span", isHiddenSpan],
]);

/** Checks whether the page hides the element. */
export function isHiddenByPage(element: ElementNode): boolean {
  const { tag, attributes } = element;
  if (HIDING.get(tag)?.(element) === true) return true;
  if (attributes.size === 0) return false;
  // A popover is hidden until a reader asks for it, like a dialog.
  if (tag !== "dialog" && attributes.has("popover")) return true;
  const hidden = attributes.get("hidden");
  if (hidden !== undefined && hidden !== "until-found" && !isStreamed(element)) return !isFolded(element);
  // AMP shows these only when a reader asks for them: side bars, light boxes, notices.
  if (tag.startsWith("amp-") && attributes.get("layout") === "nodisplay") return true;
  const style = styleOf(element);
  return style !== undefined && isHiddenByStyle(element, style);
}

function isHiddenSpan(span: ElementNode): boolean {
  const { attributes } = span;
  if (attributes.size === 0) return false;
  const names = classOf(span);
  if (isFoldSign(span)) return true;
  if (isPageMark(span, names) || attributes.get("role") === "tooltip") return true;
  const id = attributes.get("id");
  if (id !== undefined && CLOAK.test(id)) return true;
  // Style sheets hide such spans on all screens: they hold values for search engines. Blocks are often opened by a click.
  if (names === "d-none" || names === "hidden") return !isFolded(span);
  if (isForListeners(span, names)) return true;
  return names !== "" && (isMachinery(span, names) || isInitials(span, names));
}

function isHiddenBox(box: ElementNode): boolean {
  const names = box.attributes.get("class");
  return names !== undefined && (isUnusedBox(box, names) || isInitials(box, names));
}

/** A sign on a button: that it opens and closes something. */
const FOLD_SIGN = /^\s*[+−–\-×✕▸►▾▼⌄]\s*$/u;
/** Elements around such a sign that are looked at. */
const MAX_BUTTON = 3;

/** Checks whether a span holds no more than such a sign, which is not read out. */
function isFoldSign({ attributes, children, parent }: ElementNode): boolean {
  if (attributes.get("aria-hidden") !== "true") return false;
  const [only, other] = children;
  if (only?.kind !== "text" || other !== undefined || !FOLD_SIGN.test(only.value)) return false;
  return isOrIsIn(parent, isButton, MAX_BUTTON);
}

function isButton({ tag, attributes }: ElementNode): boolean {
  return tag === "button" || tag === "summary" || attributes.has("aria-expanded");
}

function isHiddenByStyle(element: ElementNode, style: string): boolean {
  const isGone = readStyle(style, "display") === "none" && !isStreamed(element) && !isWikiMath(element);
  return (
    (isGone || hasInvisibleStyle(style) || isOffScreen(style)) &&
    !isShownByPlugin(element) &&
    !isFolded(element)
  );
}

/**
 * Checks whether an element repeats another one, or is the copy of a text for phones, and the page shows the one for
 * larger screens.
 */
export function isHiddenCopy(element: ElementNode): boolean {
  if (element.attributes.size === 0) return false;
  if (isRepeated(element)) return true;
  const copy = copyForLargeScreens(element);
  return copy !== undefined && !isHiddenByPage(copy);
}

/**
 * Class names of boxes that a script shows: slides of Slider Revolution, WonderPlugin and Avada, tables of Supsystic,
 * folders of Document Library Pro, testimonials of Testimonials Widget, the paragraphs for subscribers in BLOX, and
 * the articles of WeChat.
 */
const PLUGIN_BOX =
  /(?:^|\s)(?:rev_slider|wonderplugin(?:carousel|slider)|slide-content-container|supsystic-tables-wrap|dlp-folders-container|testimonialswidget_testimonial|subscriber-only|rich_media_content)(?=\s|$)/;

function isShownByPlugin(element: ElementNode): boolean {
  return element.tag === "rs-module-wrap" || (element.tag === "div" && PLUGIN_BOX.test(classOf(element)));
}

/**
 * The id of what Joomla shows in place of an e-mail address that its script adds: "This email address is being
 * protected …".
 */
const CLOAK = /^cloak[\da-f]{3,32}$/;

/** Checks whether an element is hidden in a way that keeps its room free. */
export function isInvisible(element: ElementNode): boolean {
  const style = styleOf(element);
  return style !== undefined && hasInvisibleStyle(style);
}

function hasInvisibleStyle(style: string): boolean {
  const visibility = readStyle(style, "visibility");
  return visibility === "hidden" || visibility === "collapse";
}

/** Places far off the screen. Sliders move what they show next less far. */
const FAR = /(?:^|[;\s])(?:left|top|right|bottom)\s*:\s*-(?:[2-9]\d{3}|\d{5}|999)/i;

/** Checks whether a style moves an element far off the screen, as for links that only search engines are to find. */
function isOffScreen(style: string): boolean {
  return FAR.test(style) && /^(?:absolute|fixed)$/.test(readStyle(style, "position"));
}

/**
 * Checks whether an element is a box of a streamed page, which a script moves into place at once. A server that renders
 * React in a stream sends late parts of the page, often the whole article, in hidden boxes named "S:0", "S:1" …, and
 * rows of a table in a hidden table around them. Marko does so with a box that it does not display. Readers of the page
 * see them all the same.
 */
export function isStreamed(element: ElementNode): boolean {
  const { tag, attributes } = element;
  if (tag === "table") return attributes.has("hidden") && isTableSegment(element);
  return tag === "div" && (isSegment(element) || isMarkoBox(element));
}

/** Checks the id of a streamed box; it may have a prefix that the page chose. */
function isSegment({ attributes }: ElementNode): boolean {
  return /(?:^|\W|_)S:[0-9a-f]{1,6}$/.test(attributes.get("id") ?? "");
}

function isTableSegment(table: ElementNode): boolean {
  let [part] = table.children;
  for (let depth = 0; depth < 2 && part?.kind === "element"; depth += 1) {
    if (isSegment(part)) return true;
    [part] = part.children;
  }
  return false;
}

/**
 * Checks whether a sibling script moves the box: a box "af0" by a call of `$af(0)`. A page may add more to the name
 * "af".
 */
function isMarkoBox({ attributes, parent }: ElementNode): boolean {
  const id = attributes.get("id") ?? "";
  const name = /^(af\w{0,100}?)\d{1,6}$/.exec(id)?.[1];
  if (name === undefined || parent === null || parent.children.length > MAX_SIBLINGS) return false;
  return parent.children.some(
    (child) =>
      child.kind === "element" &&
      child.tag === "script" &&
      child.children.some((code) => code.kind === "text" && code.value.includes(`$${name}(`)),
  );
}

/** Class names of Google's icon fonts: "material-icons-outlined", "material-symbols-rounded", "mat-icon". */
const ICON_FONT = /(?:^|\s)(?:material-(?:icons?|symbols)|mat-icon)(?=[\s-]|$)/i;
const ICON_NAME = /^[a-z][a-z\d]*(?:_[a-z\d]+)*$/;
const MAX_ICON_NAME = 40;
/** One or two private use characters (Unicode, section 23.5), which other icon fonts draw as icons. */
const PRIVATE = /^\p{Co}{1,2}$/u;

/**
 * Checks whether a font draws an icon in place of a text: `<i class="material-icons">chevron_right</i>`,
 * `<i>&#xF0C1;</i>`. In a table cell the text is read, because icons there mean yes and no.
 */
export function isIcon(node: TextNode, text: string): boolean {
  if (text.length > MAX_ICON_NAME) return false;
  // The first character rules out most texts.
  const code = text.charCodeAt(0);
  const mayBeNamed = code >= 0x61 && code <= 0x7a && ICON_NAME.test(text);
  const isPrivate = code >= 0xd800 && code <= 0xf8ff && PRIVATE.test(text);
  if (!mayBeNamed && !isPrivate) return false;
  const { parent } = node;
  if (parent === null || isCell(parent) || isCell(parent.parent)) return false;
  return isPrivate || ICON_FONT.test(classOf(parent));
}

function isCell(element: ElementNode | null): boolean {
  return element?.tag === "td" || element?.tag === "th";
}

/** The values of `display` that make an inline element a block. */
const BLOCK_DISPLAYS: ReadonlySet<string> = new Set([
  "block",
  "flex",
  "grid",
  "table",
  "list-item",
  "flow-root",
]);

/** Checks whether its inline style, or its place, makes an inline element a block. */
export function isBlockByStyle(element: ElementNode): boolean {
  if (element.tag === "cite" && (isQuoteHead(element) || isQuoteEnd(element))) return true;
  const style = styleOf(element);
  return style !== undefined && BLOCK_DISPLAYS.has(readStyle(style, "display"));
}

/** Checks whether its inline style makes all children of an element blocks. */
export function isFlexibleByStyle(element: ElementNode): boolean {
  const style = styleOf(element);
  return style !== undefined && /^(?:inline-)?(?:flex|grid)$/.test(readStyle(style, "display"));
}

/** A single letter, with punctuation: one that is drawn large, or a part of a word that a converter has placed. */
const LETTER = /^[\s\p{P}]*\p{L}[\s\p{P}]*$/u;

/** Checks whether an inline style takes an element out of its line. The large first letter of a word stays in it. */
export function isTakenOut(element: ElementNode): boolean {
  const style = styleOf(element);
  if (style === undefined) return false;
  if (!/^(?:left|right)$/.test(readStyle(style, "float")) && readStyle(style, "position") !== "absolute")
    return false;
  const [only, other] = element.children;
  return other !== undefined || only?.kind !== "text" || !LETTER.test(only.value);
}

/** Checks whether a `cite` names the author above the quoted text, as forums draw it. */
function isQuoteHead({ parent }: ElementNode): boolean {
  const quote = parent?.tag === "div" ? parent.parent : parent;
  if (parent === null || quote?.tag !== "blockquote") return false;
  const [first, second] = parent.children.slice(0, MAX_BESIDE).filter((node) => !isBlankText(node));
  return first?.kind === "element" && first.tag === "cite" && second?.kind === "text";
}

/** The end of a sentence, with the marks that close a quote. */
const SENTENCE_END = /[\p{STerm}…]["'”’»)\]]*\s*$/u;

/** Checks whether a `cite` names the author right after the last sentence of a quote. */
function isQuoteEnd(element: ElementNode): boolean {
  const { parent } = element;
  if (parent?.tag !== "blockquote") return false;
  const beside = parent.children.slice(-MAX_BESIDE).filter((node) => !isBlankText(node));
  const [before, last] = beside.slice(-2);
  return last === element && before?.kind === "text" && SENTENCE_END.test(before.value.slice(-MAX_BESIDE));
}

/** Checks whether a style draws line breaks of the source; undefined if it does not say. */
export function keepsBreaks(element: ElementNode): boolean | undefined {
  if (element.tag === "pre" && isVerse(element)) return true;
  // The posts of PTT, the largest bulletin board of Taiwan.
  if (element.tag === "div" && element.attributes.get("class") === "bbs-screen bbs-content") return true;
  const style = styleOf(element);
  const value = style === undefined ? "" : readStyle(style, "white-space");
  return value === "" || value === "inherit" ? undefined : /^(?:pre|break-spaces)/.test(value);
}

/** The properties that are read. Most styles have none of them, and these expressions are quick to say so. */
const PROPERTIES = {
  display: /display/i,
  visibility: /visibility/i,
  "white-space": /white-space/i,
  float: /float/i,
  position: /position/i,
} as const;

/** Returns the beginning of the style attribute; undefined if the element has none. */
function styleOf({ attributes }: ElementNode): string | undefined {
  return attributes.size === 0 ? undefined : attributes.get("style")?.slice(0, MAX_STYLE);
}

/** Returns the last value of a property in a style, in lower case; "" if it is not set. */
function readStyle(style: string, property: keyof typeof PROPERTIES): string {
  if (!PROPERTIES[property].test(style)) return "";
  let value = "";
  for (const declaration of style.toLowerCase().split(";")) {
    const colon = declaration.indexOf(":");
    if (declaration.slice(0, colon).trim() === property)
      value = declaration
        .slice(colon + 1)
        .replace(/!\s*important/, "")
        .trim();
  }
  return value;
}
