/** An element into whether a reader sees it, and whether it stands by itself like a block. */
import type { ElementNode } from "../tree.js";
import { HIDDEN } from "./tags.js";

/** Longer style attributes are read up to here only: they hold images, not layout. */
const MAX_STYLE = 4096;

/** Whether a browser does not draw the content of such an element as text. */
export function isHiddenByTag({ tag, namespace }: ElementNode): boolean {
  return HIDDEN.has(tag) && (namespace === "html" || tag === "svg" || tag.startsWith("annotation"));
}

/** Whether the page says that the element is not to be seen. */
export function isHiddenByPage(element: ElementNode): boolean {
  const { tag, attributes } = element;
  if (tag === "dialog" && !attributes.has("open")) return true;
  if (attributes.size === 0) return false;
  if (attributes.has("hidden") && attributes.get("hidden") !== "until-found" && !isStreamed(element))
    return true;
  return readStyle(element, "display") === "none" || isInvisible(element);
}

/** Hidden in such a way that its room stays free. */
export function isInvisible(element: ElementNode): boolean {
  return /^(?:hidden|collapse)$/.test(readStyle(element, "visibility"));
}

/**
 * A server that renders React in a stream sends late parts of the page, often the whole article, in hidden boxes named
 * "S:0", "S:1" …, which a script moves into place at once. They are hidden from nobody who reads the page.
 */
export function isStreamed({ tag, attributes }: ElementNode): boolean {
  return tag === "div" && /^S:[0-9a-f]+$/.test(attributes.get("id") ?? "");
}

/** Whether an inline style makes a block of an element that is none by its tag. */
export function isBlockByStyle(element: ElementNode): boolean {
  return /^(block|flex|grid|table|list-item|flow-root)$/.test(readStyle(element, "display"));
}

/** The last value that the style attribute gives a property, lower-case; "" when there is none. */
function readStyle(element: ElementNode, property: string): string {
  const style = element.attributes.get("style")?.slice(0, MAX_STYLE).toLowerCase();
  if (style?.includes(property) !== true) return "";
  let value = "";
  for (const declaration of style.split(";")) {
    const colon = declaration.indexOf(":");
    if (declaration.slice(0, colon).trim() === property)
      value = declaration
        .slice(colon + 1)
        .replace("!important", "")
        .trim();
  }
  return value;
}
