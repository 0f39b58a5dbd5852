/** Parses URLs. It avoids `URL.canParse`, which rejects URLs with "ü" in Node.js 20 and 22 after many calls. */

/**
 * The most characters of a URL: servers must accept request lines of 8,000 bytes (RFC 9112, 3), and few accept more.
 */
export const MAX_URL = 8192;

/**
 * Matches a scheme, including the characters that the URL standard ignores. Text without one is no URL, unless a base
 * is given.
 */
const SCHEME = /^[\0-\x20]*[a-z][a-z\d+.\-\t\n\r]*:/i;

/** Parses a URL by the URL standard. Undefined for text that is not a URL, or that is relative without a base. */
export function parseUrl(text: string, base?: string): URL | undefined {
  if (base === undefined && !SCHEME.test(text)) return undefined;
  try {
    return new URL(text, base);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Like `parseUrl`, but undefined unless the URL is http or https. */
export function parseWebUrl(text: string, base?: string): URL | undefined {
  const url = parseUrl(text, base);
  return url !== undefined && isWebUrl(url) ? url : undefined;
}

export function isWebUrl({ protocol }: URL): boolean {
  return protocol === "http:" || protocol === "https:";
}

/** The host name of a URL without "www."; "" when there is no host. */
export function bareHostOf(text: string): string {
  return parseUrl(text)?.hostname.replace(/^www\./, "") ?? "";
}

/** Matches a URL up to its host; after "http:", the URL standard takes any number of slashes, in either direction. */
const USER = /^([\0-\x20]*(?:https?:[/\\]*|(?:[a-z][a-z\d+.-]*:)?\/\/))[^/?#\\]*@/i;

/** Removes user name and password from a URL: they are secrets and must not reach any record, log or archive. */
export function withoutUser(text: string): string {
  return text.replace(USER, "$1");
}
