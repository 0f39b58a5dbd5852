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

/* MERGED src/crawl/reach/url.ts: A URL with a session id into the URL without it: the same page, which every visit would find under another name. */

/** Names of parameters that carry one. */
const NAMES =
  /^(?:(?:php|j|asp|cf)?sess(?:ion)?[-_]?(?:id)?|aspsessionid\w*|sid|zenid|oscsid|xtcsid|cfid|cftoken|s_id|session_?key)$/i;
/** Long, of digits and letters: numbers of topics and words are none. */
const VALUE = /^(?=.{16})(?=\D*\d)(?=[^a-z]*[a-z])[\w.!,-]+$/i;
/** What vBulletin calls its own. */
const SHORT_NAME = /^s=[0-9a-f]{32}$/i;
const IN_PATH = /;(?:jsessionid|phpsessid|sid)=[\w.!-]{8,}/gi;
/** As ASP.NET writes it for visitors without cookies. */
const ASP_NET = /\/\((?:[A-Z]\([\w-]{10,}\))+\)(?:\/|$)/gi;

/** `url` is in its canonical form, and so is the result; it is the same where there is nothing to leave out. */
export function withoutSession(url: string): string {
  const at = url.indexOf("?");
  const path = (at === -1 ? url : url.slice(0, at)).replace(IN_PATH, "").replace(ASP_NET, "/");
  if (at === -1) return path;
  const params = url.slice(at + 1).split("&");
  const kept = params.filter((param) => !isSession(param));
  return kept.length === 0 ? path : `${path}?${kept.join("&")}`;
}

function isSession(param: string): boolean {
  const at = param.indexOf("=");
  if (at === -1) return false;
  return SHORT_NAME.test(param) || (NAMES.test(param.slice(0, at)) && VALUE.test(param.slice(at + 1)));
}
