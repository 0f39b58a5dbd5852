/** Recognises signs that link a heading to itself: "#", "¶". */
import { isHeadingTag } from "../../../document.js";
import type { ElementNode } from "../../../document/tree.js";
import { classOf } from "../../bounded-attributes.js";
import { smallTextOf } from "./small-text.js";

/** Class names of links to the heading or definition that they are in. */
export const ANCHOR_CLASS =
  /(?:^|[\s_-])(?:headerlink|header-?anchor|heading-?anchor|heading-?link|hash-?link|anchor-?link|section-?link|perma-?link|direct-?link|anchor|deep-?link)(?:$|[\s_-])/i;
/** The section sign is also a part of titles and sentences. */
const SIGN = /^\s*(?:([#¶🔗◆])|§)\ufe0f?\s*$/u;
const LIMITS = { maxText: 8, maxNodes: 3 };

/**
 * Checks whether a link in a heading or definition is only a sign that leads to this place. Most style sheets draw it
 * only while the pointer is over the heading.
 */
export function isAnchorSign(element: ElementNode): boolean {
  const { attributes, parent, children } = element;
  const [first] = children;
  if (first?.kind === "text" && first.value.length > LIMITS.maxText) return false;
  if (attributes.get("href")?.includes("#") !== true) return false;
  const sign = SIGN.exec(smallTextOf(element, LIMITS));
  if (sign === null) return false;
  const isInHeading = parent !== null && isHeadingTag(parent.tag);
  if (isInHeading && sign[1] !== undefined) return true;
  // Doxygen names the element around the link.
  return ANCHOR_CLASS.test(classOf(element)) || (parent !== null && ANCHOR_CLASS.test(classOf(parent)));
}
