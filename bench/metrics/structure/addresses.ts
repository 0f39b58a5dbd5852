/** Brings addresses into the form in which they are compared. */

/** Stands in for the address of a page that has none, so that its relative links compare all the same. */
const NOWHERE = "http://page.invalid/";

/** The address that links of a page are relative to: its own, or that of its `<base href>`. */
export function baseOf(url: string, baseHref?: string): string {
  const own = parseUrl(url)?.href ?? NOWHERE;
  return baseHref === undefined ? own : (parseUrl(baseHref, own)?.href ?? own);
}

/**
 * The target without scheme, `www.`, fragment and a slash at its end. undefined for what leads nowhere else: places in
 * the page itself, whose address is `own`, and scripts.
 */
export function linkTarget(href: string, base: string, own = base): string | undefined {
  const trimmed = href.trim();
  if (trimmed === "" || trimmed.startsWith("#") || /^javascript:/i.test(trimmed)) return undefined;
  const url = parseUrl(trimmed, base);
  if (url === undefined) return trimmed;
  const target = foldUrl(url);
  const isPlace = url.hash !== "" && [base, own].some((page) => foldAddress(page) === target);
  return isPlace ? undefined : target;
}

function foldAddress(address: string): string {
  const url = parseUrl(address);
  return url === undefined ? address : foldUrl(url);
}

function foldUrl(url: URL): string {
  if (url.host === "") return `${url.protocol}${decode(url.pathname)}`;
  return `${stripWww(url.host)}${decode(url.pathname).replace(/\/+$/, "")}${decode(url.search)}`;
}

/** An image: as a link, and without its query, which says how large it is drawn. */
export function imageTarget(src: string, base: string): string | undefined {
  return linkTarget(src.trim().replace(/[?#].*$/s, ""), base);
}

function stripWww(host: string): string {
  return host.replace(/^www\./, "");
}

function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function decode(path: string): string {
  try {
    return decodeURI(path);
  } catch (error) {
    if (error instanceof URIError) return path; // a broken escape stays as it was written
    throw error;
  }
}
