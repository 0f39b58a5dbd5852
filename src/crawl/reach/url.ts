/** Converts URLs into the canonical form in which a crawl stores and requests them, and removes session ids. */
import { MAX_URL, parseWebUrl } from "../../parse-url.js";

/**
 * Returns the canonical form of a URL: parsed by the URL standard (lower-case ASCII host, no default port, no dot
 * segments), without fragment, user and password, without a dot after the host or an empty query, with percent-encoding
 * by RFC 3986, 6.2.2. Parameters keep their order. A canonical form is its own canonical form. Returns undefined for
 * what is not an http or https URL, has no usable host, or is longer than MAX_URL.
 */
export function canonicalUrl(url: string, base?: string): string | undefined {
  const parsed = parseWebUrl(url, base);
  if (parsed === undefined) return undefined;
  parsed.username = "";
  parsed.password = "";
  parsed.hash = "";
  // A host name has no empty part. Checked first, because "1.." without its dots would be the address 0.0.0.1.
  if (/^\.|\.\./.test(parsed.hostname)) return undefined;
  // "example.org." is the same host as "example.org".
  if (parsed.hostname.endsWith(".")) parsed.hostname = parsed.hostname.slice(0, -1);
  const search = parsed.search === "" ? "" : normaliseEscapes(parsed.search);
  const canonical = `${parsed.protocol}//${parsed.host}${normaliseEscapes(parsed.pathname)}${search}`;
  return canonical.length > MAX_URL ? undefined : canonical;
}

/**
 * Matches an escape, a percent sign that begins no escape, and characters that must be escaped but that the URL
 * standard leaves as they are.
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

/** Names of parameters that carry a session id. */
const NAMES =
  /^(?:(?:php|j|asp|cf)?sess(?:ion)?[-_]?(?:id)?|aspsessionid\w*|sid|zenid|oscsid|xtcsid|cfid|cftoken|s_id|session_?key)$/i;
/** Values of session ids: at least 16 characters with digits and letters, unlike topic numbers and words. */
const VALUE = /^(?=.{16})(?=\D*\d)(?=[^a-z]*[a-z])[\w.!,-]+$/i;
/** The session id of vBulletin. */
const SHORT_NAME = /^s=[0-9a-f]{32}$/i;
const IN_PATH = /;(?:jsessionid|phpsessid|sid)=[\w.!-]{8,}/gi;
/** The session id that ASP.NET writes for visitors without cookies. */
const ASP_NET = /\/\((?:[A-Z]\([\w-]{10,}\))+\)(?:\/|$)/gi;

/**
 * Removes session ids from a URL, because with them each visit would find the same page under another URL. The URL and
 * the result are in canonical form.
 */
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
