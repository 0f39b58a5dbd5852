/** A URL as it was written into the one form by which a crawl knows it, and asks for it. */

/** Servers refuse longer ones: a request line has 8,000 bytes at least (RFC 9112, 3), and few have more. */
export const MAX_URL = 8192;

/**
 * The canonical form, which is its own canonical form: parsed by the URL standard (lower-case ASCII host, no default
 * port, no dot segments), without fragment, user and password, without a dot behind the host and a `?` behind which
 * nothing stands, with percent-encoding as RFC 3986, 6.2.2 has it. Parameters keep their order. Undefined for what is
 * no http or https URL, has no usable host, or is longer than MAX_URL.
 */
export function canonicalUrl(url: string, base?: string): string | undefined {
  if (!URL.canParse(url, base)) return undefined;
  const parsed = new URL(url, base);
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:") return undefined;
  parsed.username = "";
  parsed.password = "";
  parsed.hash = "";
  // No part of a name is empty; looked at first, because "1.." without its dots would be the address 0.0.0.1.
  if (/^\.|\.\./.test(parsed.hostname)) return undefined;
  // "example.org." is the same host as "example.org".
  if (parsed.hostname.endsWith(".")) parsed.hostname = parsed.hostname.slice(0, -1);
  const search = parsed.search === "" ? "" : normaliseEscapes(parsed.search);
  const canonical = `${parsed.protocol}//${parsed.host}${normaliseEscapes(parsed.pathname)}${search}`;
  return canonical.length > MAX_URL ? undefined : canonical;
}

/** The host, with the port where it is none of the usual ones, of a URL in its canonical form. */
export function hostOf(url: string): string {
  return new URL(url).host;
}

/**
 * An escape; a percent sign that begins none; and characters that no URL holds as they are but that the URL standard
 * lets stand.
 */
const UNEVEN = /%([0-9A-Fa-f]{2})|[%"<>\\^`{|}]/g;
const UNRESERVED = /^[A-Za-z0-9\-._~]$/;

function normaliseEscapes(text: string): string {
  return text.replace(UNEVEN, (found, hex: string | undefined) => {
    if (hex === undefined) return `%${found.charCodeAt(0).toString(16).toUpperCase()}`;
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return UNRESERVED.test(character) ? character : found.toUpperCase();
  });
}
