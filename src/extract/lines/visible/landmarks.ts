/**
 * Recognises the landmarks of a page: its main content, and what is beside or above it (HTML, section 4.3; WAI-ARIA,
 * 5.3.4).
 */
import type { ElementNode } from "../../../document/tree.js";

const BESIDE_TAGS: ReadonlySet<string> = new Set(["nav", "header", "footer", "aside", "dialog"]);
const BESIDE_ROLES: ReadonlySet<string> = new Set(["navigation", "banner", "contentinfo", "complementary"]);
export const DIALOGUE_ROLES: ReadonlySet<string> = new Set(["dialog", "alertdialog", "menu"]);

export function isMain({ tag, attributes }: ElementNode): boolean {
  return tag === "main" || (attributes.size > 0 && attributes.get("role") === "main");
}

export function isBesideMain({ tag, attributes }: ElementNode): boolean {
  const role = attributes.get("role") ?? "";
  return BESIDE_TAGS.has(tag) || BESIDE_ROLES.has(role) || DIALOGUE_ROLES.has(role);
}
