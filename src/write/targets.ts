/** Makes the targets of a document's links absolute, by what its page says they are relative to, and tells which a reader may follow. */
import type { Document } from "../document.js";
import { parseUrl } from "../parse-url.js";

/** Characters of a target or a base; servers take no longer ones. */
const MAX_CHARS = 8192;
/** Characters by which the targets of one document may grow: a long base must not make a book of a page full of links. */
const MAX_GROWTH = 20_000_000;

/**
 * Returns a function that takes each target as the page writes it. It stays so where it is no valid URL, or there is no
 * address that it could be relative to.
 */
export function createResolver({
  url,
  base = url,
}: Pick<Document, "url" | "base">): (href: string) => string {
  // Whether the base can be read costs something to find out, and most documents show no links.
  let isKnown: boolean | undefined;
  let left = MAX_GROWTH;
  return (href) => {
    isKnown ??= base.length <= MAX_CHARS && parseUrl(base) !== undefined;
    if (!isKnown || left < 0 || href.length > MAX_CHARS) return href;
    const target = parseUrl(href, base)?.href ?? href;
    left -= Math.max(0, target.length - href.length);
    return target;
  };
}

/** Schemes that a reader may follow; others can run a program. */
const SCHEMES: ReadonlySet<string> = new Set(["http", "https", "mailto", "tel", "ftp", "ftps"]);

/** Browsers pass over white space and control characters in a scheme. */
export function isSafeTarget(href: string): boolean {
  const bare = href.slice(0, 200).replace(/[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\ufeff]/g, "");
  const scheme = /^([^/?#:]*):/.exec(bare)?.[1]?.toLowerCase();
  return scheme === undefined || SCHEMES.has(scheme);
}
