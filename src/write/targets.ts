/** Resolves the link targets of a document to absolute URLs, and checks which of them are safe to follow. */
import type { Document } from "../document.js";
import { MAX_URL, parseUrl } from "../parse-url.js";

/**
 * Most characters by which the targets of one document may grow, so that a long base cannot inflate a page full of
 * links.
 */
const MAX_GROWTH = 20_000_000;

/**
 * Returns a function that resolves a target as the page writes it. The target stays unchanged if it is not a valid URL,
 * or if the document has no usable base URL.
 */
export function createResolver({
  url,
  base = url,
}: Pick<Document, "url" | "base">): (href: string) => string {
  // Checked lazily: parsing the base takes time, and most documents show no links.
  let isKnown: boolean | undefined;
  let left = MAX_GROWTH;
  return (href) => {
    isKnown ??= base.length <= MAX_URL && parseUrl(base) !== undefined;
    // Line breaks in an address mean nothing, so they go from targets that stay relative, too.
    if (!isKnown || left < 0 || href.length > MAX_URL) return href.trim().replace(/[\t\n\r]/g, "");
    const target = parseUrl(href, base)?.href ?? href;
    left -= Math.max(0, target.length - href.length);
    return target;
  };
}

/** Schemes that are safe to follow; others can run a program. */
const SCHEMES: ReadonlySet<string> = new Set(["http", "https", "mailto", "tel", "ftp", "ftps"]);

/**
 * Checks whether a target is safe to follow. Browsers ignore whitespace and control characters in a scheme, so they are
 * removed first.
 */
export function isSafeTarget(href: string): boolean {
  const [, stated] = /^([^/?#:]*):/.exec(href) ?? [];
  const scheme = stated?.replace(/[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\ufeff]/g, "").toLowerCase();
  return scheme === undefined || SCHEMES.has(scheme);
}
