/** A URL that was found into whether a crawl goes there: how far, to which hosts, by which patterns, into no trap. */
import { getDomain } from "tldts";
import type { Reason } from "../../outcome.js";
import { compileUrlPattern } from "./pattern.js";
import { looksLikeTrap } from "./traps.js";

export interface ScopeOptions {
  /** Links from a seed; 0 follows none. */
  readonly depth: number;
  /** host: that of the seed, with or without "www."; domain: all hosts of the domain that somebody registered; any: all. */
  readonly reach: "host" | "domain" | "any";
  /** Patterns (see `compileUrlPattern`), one of which must fit; none lets everything in. They are not asked about the seeds. */
  readonly include: readonly string[];
  /** Patterns, none of which may fit. */
  readonly exclude: readonly string[];
}

export type Verdict =
  | { readonly admitted: true }
  | {
      readonly admitted: false;
      readonly reason: Extract<Reason, "out-of-scope" | "trap">;
      readonly detail: string;
    };

export interface Scope {
  /**
   * `url` and `from` in their canonical form; `from` is the seed from which `url` was reached over `depth` links. A
   * seed (the two are the same) is only asked about `exclude`: who names a URL means it. What a sitemap that somebody
   * found lists has depth 0.
   */
  admits(url: string, depth: number, from: string): Verdict;
  /** What a list lists that is itself a seed: it may name any host, and patterns choose from it. */
  admitsListed(url: string): Verdict;
}

/** Throws UsageError where a pattern is wrong. */
export function openScope(options: ScopeOptions): Scope {
  const include = options.include.map(compileUrlPattern);
  const exclude = options.exclude.map(compileUrlPattern);
  const findExcluded = (url: string): Verdict | undefined => {
    const excluded = exclude.find((pattern) => pattern.fits(url));
    return excluded && refuse("out-of-scope", `excluded by ${excluded.source}`);
  };
  const admitFound = (url: string): Verdict => {
    if (include.length > 0 && !include.some((pattern) => pattern.fits(url)))
      return refuse("out-of-scope", "no pattern includes it");
    const trap = looksLikeTrap(url);
    return trap === undefined ? { admitted: true } : refuse("trap", trap);
  };
  return {
    admits(url, depth, from) {
      const excluded = findExcluded(url);
      if (excluded !== undefined) return excluded;
      if (url === from) return { admitted: true };
      if (depth > options.depth)
        return refuse("out-of-scope", `${depth} links from the seed, ${options.depth} are allowed`);
      const outside = findOutside(url, from, options.reach);
      return outside === undefined ? admitFound(url) : refuse("out-of-scope", outside);
    },
    admitsListed: (url) => findExcluded(url) ?? admitFound(url),
  };
}

function refuse(reason: "out-of-scope" | "trap", detail: string): Verdict {
  return { admitted: false, reason, detail };
}

/** What is wrong with the host; undefined where it is within reach. */
function findOutside(url: string, from: string, reach: ScopeOptions["reach"]): string | undefined {
  if (reach === "any") return undefined;
  const here = new URL(url);
  const seed = new URL(from);
  if (reach === "host") {
    const host = withoutWww(seed.host);
    return withoutWww(here.host) === host ? undefined : `another host than ${host}`;
  }
  const domain = registeredDomain(seed.hostname);
  return registeredDomain(here.hostname) === domain ? undefined : `another domain than ${domain}`;
}

/** Half of the sites send everybody from one of the two to the other. */
function withoutWww(host: string): string {
  return host.replace(/^www\.(?=[^.]+\.)/, "");
}

/* MERGED src/crawl/reach/scope.ts: A host name into the domain that somebody registered, by the public suffix list; the one door of tldts. */

/**
 * "example.co.uk" for "www.example.co.uk". Suffixes under which anybody gets a name (github.io) count as public. What
 * has no such domain stands for itself: addresses, "localhost", a suffix alone.
 */
export function registeredDomain(hostname: string): string {
  return getDomain(hostname, { allowPrivateDomains: true, extractHostname: false }) ?? hostname;
}
