/**
 * Keeps the cookies that servers set along one chain of redirects (RFC 6265): many redirect back to the same page until
 * the cookie comes back. Nothing outlives the chain.
 */
import { valuesOf } from "./exchange.js";
import { parseSetCookie, type HeaderPairs } from "./undici.js";

export interface ChainCookies {
  /** Takes the cookies of a response. */
  take(url: string, headers: HeaderPairs): void;
  /** Returns the `cookie` header of a request; "" if no cookie belongs to it. */
  headerFor(url: string): string;
}

interface Kept {
  readonly name: string;
  readonly value: string;
  /** The host that set it, or the domain that it named. */
  readonly domain: string;
  readonly isForSubdomains: boolean;
  readonly path: string;
  readonly isSecure: boolean;
}

/** The most cookies of a chain, and the most characters of each; browsers must take 50 of 4096 (6.1). */
const MAX_COOKIES = 50;
const MAX_COOKIE = 4096;

export function createChainCookies(): ChainCookies {
  const kept = new Map<string, Kept>();
  return {
    take(url, headers) {
      for (const line of valuesOf(headers, "set-cookie")) {
        const cookie = line.length > MAX_COOKIE ? undefined : readCookie(line, new URL(url));
        if (cookie === undefined) continue;
        const key = [cookie.name, cookie.domain, cookie.path].join(" ");
        if (cookie.isOver) kept.delete(key);
        else if (kept.has(key) || kept.size < MAX_COOKIES) kept.set(key, cookie);
      }
    },
    headerFor(url) {
      const asked = new URL(url);
      return [...kept.values()]
        .filter((cookie) => belongsTo(cookie, asked))
        .sort((a, b) => b.path.length - a.path.length)
        .map(({ name, value }) => (name === "" ? value : `${name}=${value}`))
        .join("; ");
    },
  };
}

/** Reads a `set-cookie` header; undefined if it is broken, or names a domain that the host is not in (5.3). */
function readCookie(
  line: string,
  { hostname, pathname }: URL,
): (Kept & { readonly isOver: boolean }) | undefined {
  const cookie = parseSetCookie(line);
  if (cookie === undefined) return undefined;
  const named = cookie.domain?.replace(/^\./, "").toLowerCase() ?? "";
  const isForSubdomains = named !== "" && named.includes(".");
  const domain = isForSubdomains ? named : hostname;
  if ((named !== "" && !isForSubdomains && named !== hostname) || !isIn(hostname, domain)) return undefined;
  const { name, value, path, secure, maxAge, expires } = cookie;
  const isOver = maxAge === undefined ? Number(expires ?? Infinity) <= Date.now() : maxAge <= 0;
  return {
    ...{ name, value, domain, isForSubdomains, isOver, isSecure: secure === true },
    path: path?.startsWith("/") === true ? path : pathname.slice(0, Math.max(1, pathname.lastIndexOf("/"))),
  };
}

function isIn(hostname: string, domain: string): boolean {
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

function belongsTo(
  { domain, isForSubdomains, path, isSecure }: Kept,
  { hostname, pathname, protocol }: URL,
): boolean {
  if (isForSubdomains ? !isIn(hostname, domain) : hostname !== domain) return false;
  if (isSecure && protocol !== "https:") return false;
  return (
    pathname === path || (pathname.startsWith(path) && (path.endsWith("/") || pathname[path.length] === "/"))
  );
}
