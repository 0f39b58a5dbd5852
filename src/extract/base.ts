/** Finds what the links of a page are relative to: its first `<base>` with a link, or else its own address. */
import { parseUrl, parseWebUrl } from "../parse-url.js";
import type { ElementNode } from "../tree.js";
import { isOrIsIn } from "./around.js";
import { isShadowRoot } from "./lines/visible/visible.js";

/** Characters of a link; servers take no longer ones. */
export const MAX_HREF = 8192;

/** Whether the element is a base; the first one of a page counts for all of it, wherever it is. */
export function isBase(element: ElementNode): boolean {
  const { tag, namespace, attributes } = element;
  return tag === "base" && namespace === "html" && attributes.has("href") && !isInTemplate(element);
}

/** What is in a template is not on the page until a script puts it there. */
export function isInTemplate(element: ElementNode): boolean {
  return isOrIsIn(element.parent, (around) => around.tag === "template" && !isShadowRoot(around));
}

/** `url` is the page's own address, "" where that is not known; it stays where the base is no address of the web. */
export function resolveBase(element: ElementNode | undefined, url: string): string {
  const href = element?.attributes.get("href");
  if (href === undefined || href.length > MAX_HREF) return url;
  return parseWebUrl(href, parseUrl(url)?.href)?.href ?? url;
}
