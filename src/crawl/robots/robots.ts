/**
 * Parses a robots.txt: what one crawler may fetch (RFC 9309), how slowly, which uses of the pages are reserved, and where
 * the sitemaps are.
 */
import { readDenied } from "../../document/reservations.js";
import { parseWebUrl } from "../../parse-url.js";
import { isSuccess } from "../../acquire/http/status.js";
import { findUtf16Mark } from "../../bytes/utf16.js";

/** The rules of a robots.txt for one crawler. */
export interface Robots {
  /** Absolute http and https URLs of the `Sitemap` lines, in order and without repeats; also on other hosts. */
  readonly sitemaps: readonly string[];
  /** Whether a URL may be fetched. It must be absolute; its host is ignored. */
  allows(url: string): boolean;
  /**
   * The uses of a page that `Content-Usage` (draft-ietf-aipref-attach-05) and `Content-Signal` lines deny. Of several
   * `Content-Usage` lines, the one with the longest matching path counts.
   */
  reservationsOf(url: string): readonly string[];
  /** The delay between two requests that `Crawl-delay` asks for, in milliseconds. */
  readonly delayMs?: number;
}

/** Bytes of a robots.txt that are parsed: the least that the RFC requires (2.5). */
export const MAX_ROBOTS_BYTES = 500 * 1024;
/** Redirects to follow from /robots.txt, also to other hosts; with more of them it counts as missing (2.3.1.2). */
export const MAX_ROBOTS_REDIRECTS = 5;

/** The path that every crawler may always read (2.2.2). */
const OWN_PATH = "/robots.txt";

/** The rules if robots.txt is missing: any status from 400 to 499 (2.3.1.3), or too many redirects. */
export const ALLOW_ALL: Robots = { sitemaps: [], allows: () => true, reservationsOf: () => [] };
/** The rules if the server gives no usable answer: any status from 500 on, or no answer (2.3.1.4). */
export const FORBID_ALL: Robots = {
  sitemaps: [],
  allows: (url) => pathOf(url) === OWN_PATH,
  reservationsOf: () => [],
};

/**
 * Returns the rules that follow from the status alone; undefined if the text decides. The caller follows redirects. A
 * 429 (too many requests) does not allow everything, so it counts as a server without a usable answer.
 */
export function robotsOfStatus(status: number): Robots | undefined {
  if (isSuccess(status)) return undefined;
  return status >= 300 && status <= 499 && status !== 429 ? ALLOW_ALL : FORBID_ALL;
}

/** Returns the URL of the robots.txt that applies to a URL. */
export function robotsUrlOf(url: string): string {
  return new URL(OWN_PATH, url).href;
}

/** Decodes a robots.txt: UTF-8 (2.2), or UTF-16 with a byte order mark, as some editors save it. */
export function decodeRobots(bytes: Uint8Array): string {
  const charset = findUtf16Mark(bytes) ?? "UTF-8";
  return cut(new TextDecoder(charset).decode(bytes.subarray(0, MAX_ROBOTS_BYTES + 1)), MAX_ROBOTS_BYTES);
}

/**
 * Finds the product token that selects groups (2.2.1): at the beginning of a user agent header, or after "compatible;"
 * in a header that begins like a browser's. "" if there is no token; then only the groups for all crawlers count.
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

/** The uses that are denied for the pages below a path. */
interface Usage {
  readonly denied: readonly string[];
  readonly pattern: PathPattern;
}

/** `User-agent` lines and the rules after them. */
interface Group {
  readonly agents: string[];
  readonly rules: Rule[];
  readonly usages: Usage[];
  /** The uses that `Content-Signal` lines deny. */
  readonly signals: string[];
  delayMs?: number;
}

/**
 * Parses a robots.txt. Never fails: lines without meaning are skipped. `url` is where the text was found, `userAgent` a
 * header or a product token.
 */
export function parseRobots(text: string, url: string, userAgent: string): Robots {
  const groups: Group[] = [];
  const sitemaps = new Set<string>();
  let open: Group | undefined;
  for (const line of cut(text.replace(/^\ufeff/, ""), MAX_ROBOTS_BYTES).split(/\r\n|[\r\n]/)) {
    const { key, value } = parseLine(line);
    if (key === "user-agent") {
      // A user agent after a rule begins a new group; lines of other kinds do not separate groups (2.2.4).
      if (open === undefined || hasRules(open))
        groups.push((open = { agents: [], rules: [], usages: [], signals: [] }));
      open.agents.push(agentOf(value));
    } else if (key === "allow" || key === "disallow") {
      // An empty pattern matches nothing, but it ends the list of user agents (2.2.2).
      open?.rules.push({ isAllowed: key === "allow", pattern: compilePattern(value) });
    } else if (key === "content-usage") {
      open?.usages.push(parseUsage(value));
    } else if (key === "content-signal") {
      open?.signals.push(...readDenied(value));
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

function hasRules({ rules, usages, signals }: Group): boolean {
  return rules.length > 0 || usages.length > 0 || signals.length > 0;
}

/** Parses the value of `Content-Usage`: a path, which may be missing, and preferences. */
function parseUsage(value: string): Usage {
  const [, path = "/", preferences = ""] = /^(\/\S*)?\s*(.*)$/s.exec(value) ?? [];
  return { denied: readDenied(preferences), pattern: compilePattern(path) };
}

/** Returns all groups for this name, or if there is no such group, all groups for every crawler (2.2.1). */
function chooseGroups(groups: readonly Group[], token: string): readonly Group[] {
  const name = token.toLowerCase();
  const own = name === "" ? [] : groups.filter(({ agents }) => agents.includes(name));
  return own.length > 0 ? own : groups.filter(({ agents }) => agents.includes("*"));
}

/** Combines groups: the longest matching rule decides, and of two equally long rules the one that allows (2.2.2). */
function combine(groups: readonly Group[]): Omit<Robots, "sitemaps"> {
  const rules = groups.flatMap((group) => group.rules).filter(({ pattern }) => pattern.length > 0);
  const ruleFor = byLongest(rules, ({ isAllowed }) => Number(isAllowed));
  const usageFor = byLongest(
    groups.flatMap((group) => group.usages),
    ({ denied }) => denied.length,
  );
  const signals = groups.flatMap((group) => group.signals);
  const delays = groups.flatMap(({ delayMs }) => (delayMs === undefined ? [] : [delayMs]));
  return {
    allows(url) {
      const path = normalisePath(pathOf(url));
      if (path === OWN_PATH) return true;
      return ruleFor(path)?.isAllowed ?? true;
    },
    reservationsOf(url) {
      const denied = usageFor(normalisePath(pathOf(url)))?.denied ?? [];
      return [...denied, ...signals];
    },
    ...(delays.length > 0 && { delayMs: Math.max(...delays) }),
  };
}

/**
 * Returns a search for the rule that decides on a normalised path: the one with the longest matching pattern, and of two
 * equally long ones the one with the greater `weight`.
 */
export function byLongest<T extends { readonly pattern: PathPattern }>(
  rules: readonly T[],
  weight: (rule: T) => number,
): (path: string) => T | undefined {
  const sorted = rules.toSorted((a, b) => b.pattern.length - a.pattern.length || weight(b) - weight(a));
  return (path) => sorted.find(({ pattern }) => fits(path, pattern));
}

/** Returns path and query. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Misspelt keys of real files, whose rules count as well. */
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
  ["content-signals", "content-signal"],
]);

interface FieldLine {
  /** In lower case. */
  readonly key: string;
  readonly value: string;
}

/** Parses a line. If the colon is missing, whitespace between exactly two words takes its place. */
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

/** Returns the name in lower case without its version, or "*"; "" matches no crawler. */
function agentOf(value: string): string {
  if (/^\*(?:\s|$)/.test(value)) return "*";
  return /^[A-Za-z_-]+/.exec(value)?.[0].toLowerCase() ?? "";
}

function parseDelay(value: string): number | undefined {
  return /^\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Math.ceil(Number(value) * 1000) : undefined;
}

/** Cuts a text to `maxBytes`; an incomplete last line is dropped, because half a path would forbid too much. */
function cut(text: string, maxBytes: number): string {
  // No character takes more than three bytes for each of its code units.
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  const kept = Buffer.from(text).subarray(0, maxBytes).toString("utf8");
  return kept.slice(0, Math.max(kept.lastIndexOf("\n"), kept.lastIndexOf("\r"), 0));
}

/** A path pattern of a robots.txt (RFC 9309, 2.2.2 and 2.2.3), matched in time linear in the pattern and the path. */
export interface PathPattern {
  /** Characters of the normalised pattern; of several matching patterns, the longest decides. */
  readonly length: number;
  /** The texts between the stars. */
  readonly parts: readonly string[];
  /** Whether it ends with `$`, so that the path must end where the pattern ends. */
  readonly isClosed: boolean;
}

/** Length from which a part is searched for with a table; for shorter parts, `indexOf` is faster. */
const LONG_PART = 32;

/** Compiles the value of `Allow:` or `Disallow:`. */
export function compilePattern(value: string): PathPattern {
  const isClosed = value.endsWith("$");
  // Only the last `$` is special; any other one means itself.
  const body = normalise(isClosed ? value.slice(0, -1) : value, "pattern");
  return { length: body.length + (isClosed ? 1 : 0), parts: body.split(/\*+/), isClosed };
}

/** Normalises the path and query of a URL so that it can be compared with patterns. */
export function normalisePath(path: string): string {
  return normalise(path, "path");
}

/** Whether a normalised path matches. Taking the leftmost match of each part leaves the most room for the next ones. */
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

/** Finds a part like `indexOf`, but always in linear time (Knuth, Morris and Pratt 1977). */
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
 * Characters that mean the same percent-encoded or not: the unreserved ones (RFC 3986, 2.3), and the apostrophe, which
 * the URL standard encodes in queries.
 */
const UNRESERVED = /^[A-Za-z0-9\-._~']$/;
/**
 * Matches an encoded byte, a special character of patterns, a surrogate pair, or what a URL must escape (RFC 3986, 2).
 */
const UNEVEN = /%([0-9A-Fa-f]{2})|[*$]|[\ud800-\udbff][\udc00-\udfff]|[^!-~]|["<>\\^`{|}]/g;

function normalise(text: string, what: "path" | "pattern"): string {
  return text.replace(UNEVEN, (found, hex: string | undefined) => {
    if (hex !== undefined) {
      const character = String.fromCharCode(Number.parseInt(hex, 16));
      return UNRESERVED.test(character) ? character : found.toUpperCase();
    }
    // In a path, a star is only a star; a pattern writes it as %2A.
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
