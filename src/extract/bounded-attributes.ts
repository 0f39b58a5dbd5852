/** Reads `class` and `style`, the attributes that pages fill the most, up to a maximum length. */
import { codeUnit } from "../code-unit.js";
import type { ElementNode } from "../document/tree.js";

/** Characters of a class attribute that are read. */
export const MAX_CLASS = 512;
/** Characters of a style attribute that are read; the rest says nothing more about the structure of the text. */
const MAX_STYLE = 500;

/** Returns the class attribute, cut to MAX_CLASS; "" if the element has none. */
export function classOf({ attributes }: ElementNode): string {
  return (attributes.get("class") ?? "").slice(0, MAX_CLASS);
}

/** Returns the inline style, cut to MAX_STYLE; "" if the element has no style attribute. */
export function styleOf({ attributes }: ElementNode): string {
  return (attributes.get("style") ?? "").slice(0, MAX_STYLE);
}

/** Places in a cache of the class attributes of a page. */
export const NAME_PLACES = 256;

/**
 * Returns the place in a cache of a class attribute that is not empty, from its length and two of its characters: hashing
 * a string that was just cut out of the page takes longer than comparing it.
 */
export function placeOfNames(names: string): number {
  const { length } = names;
  return (31 * length + 7 * codeUnit(names, length - 1) + codeUnit(names, length >> 1)) % NAME_PLACES;
}
