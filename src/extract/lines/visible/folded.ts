/** Tells hidden text that one click opens: sheets behind tabs, and the parts of accordions. */
import { isHeadingTag } from "../../../document.js";
import type { ElementNode } from "../../../tree.js";
import { classOf } from "../../bounded-attributes.js";
import { elementBefore, isOrIsIn } from "../../around.js";
import { isBesideMain } from "./landmarks.js";
import { HIDDEN } from "../line-tags.js";

/** Elements that fold text away where no role says so; menus and forms fold as well, but into others. */
const FOLDING: ReadonlySet<string> = new Set(["div", "section", "article", "dd"]);

/** What they are called where they name no heading: "tab-pane", "faq__answer", "accordion-body". */
const FOLD_NAME =
  /(?:^|[\s_-])(?:tabs?|faq|toggle|accordion|expander|collapse|collapsible)[_-]{0,2}(?:pane|panel|content|body|answer)(?:$|[\s_-])/i;
/**
 * Whether a hidden element is a sheet behind a tab, or the part of an accordion below its heading: text of the page, and no
 * dialogue, menu or notice, which name themselves otherwise. (On the development pages of WCXB 81 % of the hidden text in boxes
 * told by role or heading is in the gold text, 96 % in those told by their button, 64 % in those told otherwise, and 11 % in
 * all others that no stream fills.)
 */
export function isFolded(element: ElementNode): boolean {
  const role = element.attributes.get("role") ?? "";
  if (role !== "") return role === "tabpanel" || (role === "region" && isNamedByHeading(element));
  if (!FOLDING.has(element.tag)) return false;
  return (
    isNamedByHeading(element) ||
    FOLD_NAME.test(classOf(element)) ||
    holdsFold(element) ||
    (isBelowButton(element) && !isOrIsIn(element.parent, isFrame))
  );
}

function isNamedByHeading({ attributes }: ElementNode): boolean {
  return attributes.has("aria-labelledby");
}

/** A box that is there to grow and shrink around one that says what it is. */
function holdsFold(element: ElementNode): boolean {
  const only = onlyChild(element);
  return only?.attributes.get("role") === "region" && isNamedByHeading(only);
}

function onlyChild({ children }: ElementNode): ElementNode | undefined {
  const [only, another] = children.filter((child) => child.kind === "element" && !HIDDEN.has(child.tag));
  return another === undefined && only?.kind === "element" ? only : undefined;
}

/** Nodes beside a box at most, and elements around a button, so that a page of many boxes takes no longer than others. */
const MAX_SIBLINGS = 500;
const MAX_WRAPPERS = 4;

/**
 * Below a heading whose button says that something is folded, as the accordions of WAI-ARIA's Authoring Practices, or right
 * behind a button that names the box.
 */
function isBelowButton(element: ElementNode): boolean {
  const before = elementBefore(element, MAX_SIBLINGS, ({ tag }) => HIDDEN.has(tag));
  const button = before && findButton(before, MAX_WRAPPERS);
  if (before === undefined || button === undefined) return false;
  if (isHeadingTag(before.tag)) return true;
  const opens = button.attributes.get("aria-controls") ?? "";
  return opens !== "" && [element, onlyChild(element)].some((box) => box?.attributes.get("id") === opens);
}

/** The element that says whether something is folded, and of which kind it is no menu. */
function findButton(element: ElementNode, wrappers: number): ElementNode | undefined {
  const { attributes, children } = element;
  if (attributes.has("aria-expanded")) return attributes.has("aria-haspopup") ? undefined : element;
  if (wrappers === 0 || children.length > MAX_SIBLINGS) return undefined;
  for (const child of children) {
    const button = child.kind === "element" ? findButton(child, wrappers - 1) : undefined;
    if (button !== undefined) return button;
  }
  return undefined;
}

/** Menus and filters fold in the same way. */
function isFrame(element: ElementNode): boolean {
  return element.tag === "form" || isBesideMain(element);
}
