/**
 * Compiles URL patterns and matches URLs against them, in linear time for any pattern; the only file that imports
 * re2js.
 */
import { domainToUnicode } from "node:url";
import { RE2JS, RE2JSSyntaxException } from "re2js";
import { UsageError } from "../../outcome.js";

/** A pattern for URLs. */
interface UrlPattern {
  /** The pattern as it was written. */
  readonly source: string;
  /** Whether an absolute URL matches. */
  fits(url: string): boolean;
}

/** The most characters of a pattern; a longer one is a mistake. */
const MAX_PATTERN = 1000;
const REGEX_PREFIX = "re:";

/**
 * Compiles a glob, or "re:" and a regular expression, which may match anywhere in the URL. A glob must match as a
 * whole:
 *
 * - with "://" in it, it is compared with the URL; with "/" at its beginning, with the path; with "/" elsewhere, with
 *   host and path; else with the host, and with each part of the path ("*.pdf", "login");
 * - the query is compared only if the glob has a "?";
 * - "*" matches anything except "/" and "?" (in the query, anything), "**" matches anything, any other character
 *   matches itself;
 * - a "/" at the end matches everything below.
 *
 * Both are compared with the URL as it is, and with its readable form (letters in place of escapes). Throws UsageError.
 */
export function compileUrlPattern(source: string): UrlPattern {
  if (source.length === 0) throw new UsageError("a URL pattern is empty");
  if (source.length > MAX_PATTERN)
    throw new UsageError(`a URL pattern has more than ${MAX_PATTERN} characters`);
  const fitsOne = source.startsWith(REGEX_PREFIX)
    ? compileRegex(source.slice(REGEX_PREFIX.length))
    : compileGlob(source);
  return {
    source,
    fits(url) {
      const plain = new URL(url);
      if (fitsOne({ href: url, ...partsOf(plain) })) return true;
      const readable = readableForm(plain);
      return readable !== undefined && fitsOne(readable);
    },
  };
}

/** The parts of a URL that the matchers compare. */
interface Seen {
  readonly href: string;
  readonly host: string;
  readonly path: string;
  /** Including its "?". */
  readonly query: string;
}

type Matcher = (seen: Seen) => boolean;

function partsOf({ host, pathname, search }: URL): Omit<Seen, "href"> {
  return { host, path: pathname, query: search };
}

/** Returns a URL with letters in place of escapes, as people write it; undefined if there are no escapes. */
function readableForm(url: URL): Seen | undefined {
  if (!url.href.includes("%") && !url.host.includes("xn--")) return undefined;
  const port = url.port === "" ? "" : `:${url.port}`;
  const host = `${domainToUnicode(url.hostname)}${port}`;
  const path = decode(url.pathname);
  const query = decode(url.search);
  return { href: `${url.protocol}//${host}${path}${query}`, host, path, query };
}

function decode(text: string): string {
  try {
    return decodeURI(text);
  } catch (error) {
    // Escapes of another encoding stay as they are.
    if (error instanceof URIError) return text;
    throw error;
  }
}

function compileRegex(source: string): Matcher {
  const regex = compile(source, source);
  return ({ href }) => regex.test(href);
}

function compileGlob(glob: string): Matcher {
  const regex = compile(toRegex(glob.endsWith("/") ? `${glob}**` : glob), glob);
  const hasQuery = glob.includes("?");
  const tail = ({ query }: Seen): string => (hasQuery ? query : "");
  if (glob.includes("://")) {
    return (seen) => {
      const { href, query } = seen;
      return regex.testExact(href.slice(0, href.length - query.length) + tail(seen));
    };
  }
  if (glob.startsWith("/")) return (seen) => regex.testExact(seen.path + tail(seen));
  if (glob.includes("/")) return (seen) => regex.testExact(seen.host + seen.path + tail(seen));
  return (seen) => {
    const parts = seen.path.split("/");
    const last = parts.pop() ?? "";
    return [seen.host, ...parts, last + tail(seen)].some((part) => part !== "" && regex.testExact(part));
  };
}

function toRegex(glob: string): string {
  const at = glob.indexOf("?");
  const queryAt = at === -1 ? glob.length : at;
  return glob.replace(/\*\*+|\*|[^\w*]/g, (found, offset: number) => {
    if (!found.startsWith("*")) return /^[ -~]$/.test(found) ? `\\${found}` : found;
    return found === "*" && offset < queryAt ? "[^/?]*" : ".*";
  });
}

/** Compiles for RE2, whose time is linear in the text; it has no back references and no look-around. */
function compile(regex: string, source: string): RE2JS {
  try {
    return RE2JS.compile(regex, RE2JS.DOTALL);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    throw new UsageError(`the pattern ${source} is wrong: ${error.message}`, { cause: error });
  }
}
