/** Gives the class names of an element, as far as they are read. */
import type { ElementNode } from "../tree.js";

/** Longer class attributes are read up to here only. */
export const MAX_CLASS = 512;

export function classOf({ attributes }: ElementNode): string {
  return (attributes.get("class") ?? "").slice(0, MAX_CLASS);
}
