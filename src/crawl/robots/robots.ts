/** Parses a robots.txt into what it allows one crawler to fetch (RFC 9309), how slowly, and where its sitemaps are. */
import { parseWebUrl } from "../../parse-url.js";
import { isSuccess } from "../../acquire/http/status.js";
import { findUtf16Mark } from "../../bytes/utf16.js";

/** What a robots.txt says to one crawler. */
export interface Robots {
  /** Absolute http and https URLs of the `Sitemap` lines, in order, each once; also such of other hosts. */
  readonly sitemaps: readonly string[];
  /** Whether a URL may be fetched. It must be absolute; its host does not count. */
  allows(url: string): boolean;
  /** What `Crawl-delay` asks for between two requests, in milliseconds. */
  readonly delayMs?: number;
}

/** Bytes of a robots.txt that are parsed: the least that the RFC asks for (2.5). */
export const MAX_ROBOTS_BYTES = 500 * 1024;
/** Redirects to follow from /robots.txt, also to other hosts; behind more of them it counts as missing (2.3.1.2). */
export const MAX_ROBOTS_REDIRECTS = 5;

/** The path that every crawler may always read (2.2.2). */
const OWN_PATH = "/robots.txt";

/** For a robots.txt that is missing: any status from 400 to 499 (2.3.1.3), or too many redirects. */
export const ALLOW_ALL: Robots = { sitemaps: [], allows: () => true };
/** For a server that does not say: any status from 500 on, or no answer (2.3.1.4). */
export const FORBID_ALL: Robots = {
  sitemaps: [],
  allows: (url) => pathOf(url) === OWN_PATH,
};

/**
 * Tells what follows from the status alone; undefined where the text decides. The caller follows redirects. A 429, for
 * too many requests, does not permit to fetch everything, so it counts as a server that does not say.
 */
export function robotsOfStatus(status: number): Robots | undefined {
  if (isSuccess(status)) return undefined;
  return status >= 300 && status <= 499 && status !== 429 ? ALLOW_ALL : FORBID_ALL;
}

/** Returns the URL of the robots.txt that applies to a URL. */
export function robotsUrlOf(url: string): string {
  return new URL(OWN_PATH, url).href;
}

/** Decodes a robots.txt: UTF-8 (2.2), or UTF-16 with its mark, as some editors save it. */
export function decodeRobots(bytes: Uint8Array): string {
  const charset = findUtf16Mark(bytes) ?? "UTF-8";
  return cut(new TextDecoder(charset).decode(bytes.subarray(0, MAX_ROBOTS_BYTES + 1)), MAX_ROBOTS_BYTES);
}

/**
 * Finds the name by which groups are chosen (2.2.1): that at the beginning of a user agent header, or the one after
 * "compatible;" in a header that begins like a browser's. "" where there is none; then only the groups for all count.
 */
export function productTokenOf(userAgent: string): string {
  const token = /^\s*([A-Za-z_-]+)/.exec(userAgent)?.[1] ?? "";
  if (token.toLowerCase() !== "mozilla") return token;
  return /\(compatible;\s*([A-Za-z_-]+)/i.exec(userAgent)?.[1] ?? token;
}

interface Rule {
  readonly isAllowed: boolean;
  readonly pattern: PathPattern;
}

/** Lines of `User-agent` and the rules after them. */
interface Group {
  readonly agents: string[];
  readonly rules: Rule[];
  delayMs?: number;
}

/**
 * Parses a robots.txt. Never fails: a line without meaning is skipped. `url` is where the text was found, `userAgent` a
 * header or a product token.
 */
export function parseRobots(text: string, url: string, userAgent: string): Robots {
  const groups: Group[] = [];
  const sitemaps = new Set<string>();
  let open: Group | undefined;
  for (const line of cut(text.replace(/^\ufeff/, ""), MAX_ROBOTS_BYTES).split(/\r\n|[\r\n]/)) {
    const { key, value } = parseLine(line);
    if (key === "user-agent") {
      // After a rule, a new group begins; lines of other kinds do not separate groups (2.2.4).
      if (open === undefined || open.rules.length > 0) groups.push((open = { agents: [], rules: [] }));
      open.agents.push(agentOf(value));
    } else if (key === "allow" || key === "disallow") {
      // An empty pattern fits nothing, but it ends the list of user agents (2.2.2).
      open?.rules.push({ isAllowed: key === "allow", pattern: compilePattern(value) });
    } else if (key === "crawl-delay") {
      const delayMs = parseDelay(value);
      if (open !== undefined && delayMs !== undefined) open.delayMs = Math.max(delayMs, open.delayMs ?? 0);
    } else if (key === "sitemap" && value !== "") {
      const sitemap = parseWebUrl(value, url);
      if (sitemap !== undefined) sitemaps.add(sitemap.href);
    }
  }
  return { sitemaps: [...sitemaps], ...combine(chooseGroups(groups, productTokenOf(userAgent))) };
}

/** Chooses all groups of a name; where there is none, all groups for all crawlers (2.2.1). */
function chooseGroups(groups: readonly Group[], token: string): readonly Group[] {
  const name = token.toLowerCase();
  const own = name === "" ? [] : groups.filter(({ agents }) => agents.includes(name));
  return own.length > 0 ? own : groups.filter(({ agents }) => agents.includes("*"));
}

/**
 * Combines groups: of the rules that fit, the longest counts, and of two equally long ones the one that allows (2.2.2).
 */
function combine(groups: readonly Group[]): Omit<Robots, "sitemaps"> {
  const rules = groups
    .flatMap((group) => group.rules)
    .filter(({ pattern }) => pattern.length > 0)
    .sort((a, b) => b.pattern.length - a.pattern.length || Number(b.isAllowed) - Number(a.isAllowed));
  const delays = groups.flatMap(({ delayMs }) => (delayMs === undefined ? [] : [delayMs]));
  return {
    allows(url) {
      const path = normalisePath(pathOf(url));
      if (path === OWN_PATH) return true;
      return rules.find(({ pattern }) => fits(path, pattern))?.isAllowed ?? true;
    },
    ...(delays.length > 0 && { delayMs: Math.max(...delays) }),
  };
}

/** Returns path and query. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Misspellings of the keys in real files: a rule counts although it is misspelt. */
const KEYS: ReadonlyMap<string, string> = new Map([
  ["useragent", "user-agent"],
  ["user agent", "user-agent"],
  ["dissallow", "disallow"],
  ["dissalow", "disallow"],
  ["disalow", "disallow"],
  ["diasllow", "disallow"],
  ["disallaw", "disallow"],
  ["crawldelay", "crawl-delay"],
  ["crawl delay", "crawl-delay"],
  ["site-map", "sitemap"],
]);

interface FieldLine {
  /** In lower case. */
  readonly key: string;
  readonly value: string;
}

/** Parses a line. Where the colon is missing, white space between exactly two words takes its place. */
function parseLine(line: string): FieldLine {
  const hash = line.indexOf("#");
  const body = (hash === -1 ? line : line.slice(0, hash)).trim();
  const colon = body.indexOf(":");
  const words = colon === -1 ? body.split(/\s+/, 3) : [];
  const isBare = words.length === 2;
  const name = isBare ? (words[0] ?? "") : body.slice(0, Math.max(0, colon));
  const key = name.trim().toLowerCase();
  const value = isBare ? (words[1] ?? "") : body.slice(colon + 1).trim();
  return { key: KEYS.get(key) ?? key, value };
}

/** Returns the name in lower case without its version, or "*"; "" fits no crawler. */
function agentOf(value: string): string {
  if (/^\*(?:\s|$)/.test(value)) return "*";
  return /^[A-Za-z_-]+/.exec(value)?.[0].toLowerCase() ?? "";
}

function parseDelay(value: string): number | undefined {
  return /^\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Math.ceil(Number(value) * 1000) : undefined;
}

/** Cuts a text to bytes; a line that does not fit as a whole is left out, because half a path would forbid too much. */
function cut(text: string, maxBytes: number): string {
  // No character takes more than three bytes for each of its code units.
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  const kept = Buffer.from(text).subarray(0, maxBytes).toString("utf8");
  return kept.slice(0, Math.max(kept.lastIndexOf("\n"), kept.lastIndexOf("\r"), 0));
}

/** A path pattern of a robots.txt (RFC 9309, 2.2.2 and 2.2.3), compared in time linear in the pattern and the path. */
interface PathPattern {
  /** Characters of the pattern in its normal form: of the patterns that fit, the longest counts. */
  readonly length: number;
  /** The texts between the stars. */
  readonly parts: readonly string[];
  /** Whether it ends with `$`: then the path must end where the pattern ends. */
  readonly isClosed: boolean;
}

/** Characters from which a part is searched for with a table; for shorter ones, `indexOf` is faster. */
const LONG_PART = 32;

/** Compiles the value of `Allow:` or `Disallow:`. */
export function compilePattern(value: string): PathPattern {
  const isClosed = value.endsWith("$");
  // Only the last `$` is special; any other one means itself.
  const body = normalise(isClosed ? value.slice(0, -1) : value, "pattern");
  return { length: body.length + (isClosed ? 1 : 0), parts: body.split(/\*+/), isClosed };
}

/** Writes the path and query of a URL in the form in which they are compared with patterns. */
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

/** Finds a part as `indexOf` does, but always in linear time (Knuth, Morris and Pratt 1977). */
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
/** Fits an encoded byte, a special character of patterns, a surrogate pair, or what a URL must escape (RFC 3986, 2). */
const UNEVEN = /%([0-9A-Fa-f]{2})|[*$]|[\ud800-\udbff][\udc00-\udfff]|[^!-~]|["<>\\^`{|}]/g;

function normalise(text: string, what: "path" | "pattern"): string {
  return text.replace(UNEVEN, (found, hex: string | undefined) => {
    if (hex !== undefined) {
      const character = String.fromCharCode(Number.parseInt(hex, 16));
      return UNRESERVED.test(character) ? character : found.toUpperCase();
    }
    // A star in a path is only a star; a pattern writes it as %2A.
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
