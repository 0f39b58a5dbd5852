/** A page as linkedom reads it, as users of the rivals do. The rivals' door of linkedom. */
import { parseHTML } from "linkedom";

/** @param {string} html */
export function parsePage(html) {
  return parseHTML(html).document;
}
