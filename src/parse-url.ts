/** Parses addresses. `URL.canParse` is not asked: in Node.js 20 and 22 it turns away addresses with "ü" once it was called often. */

/** Without it, and without a base, nothing is a URL; what the standard passes over may be in it. */
const SCHEME = /^[\0-\x20]*[a-z][a-z\d+.\-\t\n\r]*:/i;

/** By the URL standard; undefined for what is no URL, or for a relative one without a base. */
export function parseUrl(text: string, base?: string): URL | undefined {
  if (base === undefined && !SCHEME.test(text)) return undefined;
  try {
    return new URL(text, base);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** The same, for an address of the web alone: of http or https. */
export function parseWebUrl(text: string, base?: string): URL | undefined {
  const url = parseUrl(text, base);
  return url !== undefined && isWebUrl(url) ? url : undefined;
}

export function isWebUrl({ protocol }: URL): boolean {
  return protocol === "http:" || protocol === "https:";
}

/** The name of an address's host without "www."; "" where there is none. */
export function bareHostOf(text: string): string {
  return parseUrl(text)?.hostname.replace(/^www\./, "") ?? "";
}

/** The text of an address without user name and password, which are a secret and belong in no record, log or archive. */
export function withoutUser(text: string): string {
  return text.replace(/^((?:[a-z][a-z\d+.-]*:)?\/\/)[^/?#\\]*@/i, "$1");
}
