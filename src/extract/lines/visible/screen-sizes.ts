/**
 * Finds copies of a text: a page may hold one text for each size of screen, and repeat it where it moves past by itself.
 */
import type { ElementNode, TreeNode } from "../../../document/tree.js";
import { classOf } from "../../bounded-attributes.js";
import { smallTextOf } from "./small-text.js";

/**
 * Class names that hide an element on large screens: of Bootstrap 2 to 5, Tailwind, Foundation, Bulma, UIkit, Vuetify,
 * Elementor, WPBakery, Beaver Builder, Avada, Kadence and themes of Shopify.
 */
const ON_PHONES =
  /(?:^|\s)(?:d-(?:sm|md|lg|xl|xxl)-none|(?:sm|md|lg|xl|2xl):hidden|visible-(?:xs|phone)(?:-[a-z-]+)?|hidden-(?:(?:md|lg)(?:-and)?(?:-up)?|desktop)|show-for-small(?:-only|-down)?|hide-for-(?:medium|large)(?:-up)?|is-hidden-(?:tablet|desktop)|uk-hidden@(?:s|m|l|xl)|hide-on-desktop|mobile-only|elementor-hidden-desktop|vc_hidden-(?:md|lg)|fl-visible-mobile|fusion-no-large-visibility|kvs-lg-false|vs-lg-hide|medium-up--hide|large-up-hide)(?=\s|$)/;
/** The length of the shortest of these names, "d-sm-none". */
const LEAST_NAME = 9;
/** Class names of the same libraries that hide an element on phones. */
const ON_LARGE_SCREENS =
  /(?:^|\s)(?:d-none|hidden|hidden-(?:xs|sm-down|sm-and-down|phone)|visible-(?:md|lg|desktop)(?:-[a-z-]+)?|hide-for-small(?:-only|-down)?|show-for-(?:medium|large)(?:-up)?|is-hidden-mobile|uk-visible@(?:s|m|l|xl)|hide-on-mobile|desktop-only|elementor-hidden-(?:mobile|phone)|vc_hidden-xs|fl-visible-(?:large|desktop)(?:-[a-z-]+)?|fusion-no-small-visibility|kvs-sm-false|vs-sm-hide|small--?hide)(?=\s|$)/;
/** Nodes before and after an element that are searched for its copy; whitespace between elements counts. */
const MAX_BESIDE = 6;
/** A parent with more children is not searched. */
const MAX_SIBLINGS = 2_000;
/** A longer text is not compared. */
const COPY = { maxText: 5_000, maxNodes: 200 };

/**
 * Returns the sibling that shows the words of an element on large screens, begins with them ("September", on phones
 * "Sep."), or has all of its texts in another order or among others, if the element is only for phones. A cell has no
 * copy: without it, the other cells of its row would move into other columns.
 */
export function copyForLargeScreens(element: ElementNode): ElementNode | undefined {
  const { parent, tag } = element;
  const nodes = parent?.children.length ?? 0;
  if (parent === null || nodes < 2 || nodes > MAX_SIBLINGS || tag === "td" || tag === "th") return undefined;
  const names = classOf(element);
  if (names.length < LEAST_NAME || !ON_PHONES.test(names) || ON_LARGE_SCREENS.test(names)) return undefined;
  const at = parent.children.indexOf(element);
  const beside = parent.children
    .slice(Math.max(0, at - MAX_BESIDE), at + MAX_BESIDE + 1)
    .filter((node) => node.kind === "element")
    .filter((sibling) => ON_LARGE_SCREENS.test(classOf(sibling)));
  if (beside.length === 0) return undefined;
  const words = wordsOf(element);
  if (words === "") return undefined;
  const isShortened = /\p{L}$/u.test(words);
  const own = [...textsOf(element)];
  return beside.find((sibling) => {
    const all = wordsOf(sibling);
    if (all === words || (isShortened && all.startsWith(words))) return true;
    if (all === "") return false;
    const texts = textsOf(sibling);
    return own.every((text) => texts.has(text));
  });
}

/** Returns the texts in an element, without those that are only signs. */
function textsOf(element: ElementNode): Set<string> {
  const texts = new Set<string>();
  const open: TreeNode[] = [element];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === "element") open.push(...node.children);
    else if (/[\p{L}\p{N}]/u.test(node.value)) texts.add(node.value.trim());
  }
  return texts;
}

/** Class names of slides that Slick and Swiper repeat, and of the boxes of Framer for each size of screen. */
const REPEATED = /(?:^|\s)(?:slick-cloned|swiper-slide-duplicate|(ssr-variant))(?=\s|$)/;
/** Nodes before an element that are searched for the first copy of it. */
const MAX_BEFORE = 20;

/**
 * Checks whether an element repeats a sibling: a slide, a box of Framer with the words of another one before it, or an
 * element that is not read out to listeners, with the words of one of its kind that is.
 */
export function isRepeated(element: ElementNode): boolean {
  const { attributes, parent, tag } = element;
  const names = classOf(element);
  const [name, variant] = REPEATED.exec(names) ?? [];
  if (name !== undefined && variant === undefined) return true;
  if (variant === undefined && attributes.get("aria-hidden") !== "true") return false;
  if (parent === null || parent.children.length > MAX_SIBLINGS || tag === "td" || tag === "th") return false;
  const at = parent.children.indexOf(element);
  const before = parent.children
    .slice(Math.max(0, at - MAX_BEFORE), at)
    .filter((node) => node.kind === "element")
    .filter((sibling) =>
      variant === undefined
        ? isOfKind(sibling, element) && sibling.attributes.get("aria-hidden") !== "true"
        : REPEATED.test(classOf(sibling)),
    );
  const words = before.length === 0 ? "" : wordsOf(element);
  return words !== "" && before.some((sibling) => wordsOf(sibling) === words);
}

function isOfKind(one: ElementNode, other: ElementNode): boolean {
  return one.tag === other.tag && classOf(one) === classOf(other);
}

/** Returns the letters and digits of an element; "" if it is too long. */
function wordsOf(element: ElementNode): string {
  return smallTextOf(element, COPY).replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
}
