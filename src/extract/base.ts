/** Finds the URL that a page's links are relative to: its first `<base href>`, or else its own address. */
import { MAX_URL, parseUrl, parseWebUrl } from "../parse-url.js";
import type { ElementNode } from "../document/tree.js";
import { isOrIsIn } from "./around.js";
import { isShadowRoot } from "./lines/visible/visible.js";

/**
 * Checks whether the element is a `<base href>` outside of templates. The first one applies to the whole page, wherever
 * it is.
 */
export function isBase(element: ElementNode): boolean {
  const { tag, namespace, attributes } = element;
  return tag === "base" && namespace === "html" && attributes.has("href") && !isInTemplate(element);
}

/**
 * Checks whether an element is in a template, whose content is not on the page until a script inserts it. A declarative
 * shadow root does not count: it is drawn at once.
 */
export function isInTemplate(element: ElementNode): boolean {
  return isOrIsIn(element.parent, (around) => around.tag === "template" && !isShadowRoot(around));
}

/**
 * Returns the absolute URL of the base. Returns `url`, the page's own address ("" when unknown), if there is no base,
 * if its link is longer than MAX_URL or if it is not a web address.
 */
export function resolveBase(element: ElementNode | undefined, url: string): string {
  const href = element?.attributes.get("href");
  if (href === undefined || href.length > MAX_URL) return url;
  return parseWebUrl(href, parseUrl(url)?.href)?.href ?? url;
}
