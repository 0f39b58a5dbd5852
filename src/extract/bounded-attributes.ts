/** Gives the attributes of an element that pages fill with most, as far as they are read. */
import type { ElementNode } from "../tree.js";

/** Longer class attributes are read up to here only. */
export const MAX_CLASS = 512;
/** Longer style attributes say no more of the structure of a text. */
const MAX_STYLE = 500;

export function classOf({ attributes }: ElementNode): string {
  return (attributes.get("class") ?? "").slice(0, MAX_CLASS);
}

/** Its inline style; "" where there is none. */
export function styleOf({ attributes }: ElementNode): string {
  return (attributes.get("style") ?? "").slice(0, MAX_STYLE);
}
