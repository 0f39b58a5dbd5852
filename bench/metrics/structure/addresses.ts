/** Normalises the addresses of links and images so that they can be compared. */

/** The assumed address of a page that has no address, so that its relative links can still be compared. */
const NOWHERE = "http://page.invalid/";

/** Returns the address that a page's links are relative to: its own, or that of its `<base href>`. */
export function baseOf(url: string, baseHref?: string): string {
  const own = parseUrl(url)?.href ?? NOWHERE;
  return baseHref === undefined ? own : (parseUrl(baseHref, own)?.href ?? own);
}

/**
 * Returns the target without its scheme, `www.`, fragment and trailing slashes. undefined for scripts, and for links to
 * a place in the page itself, whose address is `own`. A target that is not a valid URL is returned as written.
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

/** Returns an image's address like a link target, but without its query, which only gives the display size. */
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
    if (error instanceof URIError) return path; // keeps a broken escape as written
    throw error;
  }
}
