/** A path pattern of a robots.txt into whether the path of a URL fits it, in time linear in both (RFC 9309, 2.2.2 and 2.2.3). */

export interface PathPattern {
  /** Characters of the pattern in its normal form: of the patterns that fit, the longest counts. */
  readonly length: number;
  /** What stands between the stars. */
  readonly parts: readonly string[];
  /** Closed by `$`: the path ends where the pattern ends. */
  readonly isClosed: boolean;
}

/** A part of so many characters is searched for by the table; shorter ones by what the engine has, which is faster. */
const LONG_PART = 32;

/** `value` is what stands behind `Allow:` or `Disallow:`. */
export function compilePattern(value: string): PathPattern {
  const isClosed = value.endsWith("$");
  // Only the last `$` is special; any other one means itself.
  const body = normalise(isClosed ? value.slice(0, -1) : value, "pattern");
  return { length: body.length + (isClosed ? 1 : 0), parts: body.split(/\*+/), isClosed };
}

/** The path and the query of a URL in the form in which patterns are compared with them. */
export function normalisePath(path: string): string {
  return normalise(path, "path");
}

/** Whether a path in its normal form fits. The leftmost place of each part leaves the most room for the next ones. */
export function fits(path: string, { parts, isClosed }: PathPattern): boolean {
  const [first = "", ...rest] = parts;
  if (!path.startsWith(first)) return false;
  const last = rest.pop();
  if (last === undefined) return !isClosed || path.length === first.length;
  let at = first.length;
  for (const part of rest) {
    const found = find(path, part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  if (isClosed) return path.length - last.length >= at && path.endsWith(last);
  return find(path, last, at) !== -1;
}

/** `indexOf` in linear time (Knuth, Morris and Pratt 1977), whatever the texts are. */
function find(text: string, part: string, from: number): number {
  if (part.length < LONG_PART) return text.indexOf(part, from);
  if (part.length > text.length - from) return -1;
  const back = new Int32Array(part.length);
  for (let at = 1, length = 0; at < part.length; at += 1) {
    while (length > 0 && part.charCodeAt(at) !== part.charCodeAt(length)) length = back[length - 1] ?? 0;
    if (part.charCodeAt(at) === part.charCodeAt(length)) length += 1;
    back[at] = length;
  }
  for (let at = from, length = 0; at < text.length; at += 1) {
    while (length > 0 && text.charCodeAt(at) !== part.charCodeAt(length)) length = back[length - 1] ?? 0;
    if (text.charCodeAt(at) === part.charCodeAt(length)) length += 1;
    if (length === part.length) return at - length + 1;
  }
  return -1;
}

/**
 * Characters that are the same whether percent-encoded or not: the unreserved ones (RFC 3986, 2.3), and the
 * apostrophe, which the URL standard encodes in queries.
 */
const UNRESERVED = /^[A-Za-z0-9\-._~']$/;
/** An encoded byte, a special character of patterns, half a pair, or what no URL holds as it is (RFC 3986, 2). */
const UNEVEN = /%([0-9A-Fa-f]{2})|[*$]|[\ud800-\udbff][\udc00-\udfff]|[^!-~]|["<>\\^`{|}]/g;

function normalise(text: string, what: "path" | "pattern"): string {
  return text.replace(UNEVEN, (found, hex: string | undefined) => {
    if (hex !== undefined) {
      const character = String.fromCharCode(Number.parseInt(hex, 16));
      return UNRESERVED.test(character) ? character : found.toUpperCase();
    }
    // A star in a path is only a star; a pattern means it by %2A.
    if (found === "*") return what === "pattern" ? found : "%2A";
    if (found === "$") return "%24";
    return encode(found);
  });
}

function encode(character: string): string {
  let encoded = "";
  for (const byte of Buffer.from(character, "utf8"))
    encoded += `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  return encoded;
}
