/**
 * Decides whether a found URL is in the scope of a crawl: depth, host, patterns and traps; the only file that imports
 * tldts.
 */
import { tellCount } from "../../count.js";
import { getDomain } from "tldts";
import type { Reason } from "../../outcome.js";
import type { ReachOptions } from "../types.js";
import { compileUrlPattern } from "./pattern.js";
import { looksLikeTrap } from "./traps.js";

export type Verdict =
  | { readonly admitted: true }
  | {
      readonly admitted: false;
      readonly reason: Extract<Reason, "out-of-scope" | "trap">;
      readonly detail: string;
    };

export interface Scope {
  /**
   * Checks `url`, which was reached from the seed `from` over `depth` links; both are in canonical form. For a seed
   * (both are the same), only `exclude` counts, since the caller named it. URLs of a sitemap that was found on the way
   * have depth 0.
   */
  admits(url: string, depth: number, from: string): Verdict;
  /** Checks a URL of a list that is itself a seed: the list may name any host, and the patterns select from it. */
  admitsListed(url: string): Verdict;
}

/** Compiles the patterns of a scope. Throws UsageError if one is invalid. */
export function openScope(options: ReachOptions): Scope {
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
        return refuse(
          "out-of-scope",
          `${tellCount(depth, "link")} from the seed, but the limit is ${options.depth}`,
        );
      const outside = findOutside(url, from, options.reach);
      return outside === undefined ? admitFound(url) : refuse("out-of-scope", outside);
    },
    admitsListed: (url) => findExcluded(url) ?? admitFound(url),
  };
}

function refuse(reason: "out-of-scope" | "trap", detail: string): Verdict {
  return { admitted: false, reason, detail };
}

/** Returns why the host is out of reach; undefined if it is within reach. */
function findOutside(url: string, from: string, reach: ReachOptions["reach"]): string | undefined {
  if (reach === "any") return undefined;
  const here = new URL(url);
  const seed = new URL(from);
  if (reach === "host") {
    const host = withoutWww(seed.host);
    return withoutWww(here.host) === host ? undefined : `the host is not ${host}`;
  }
  const domain = registeredDomain(seed.hostname);
  return registeredDomain(here.hostname) === domain ? undefined : `the domain is not ${domain}`;
}

/** Removes "www.", because half of the sites redirect between the host with it and the host without it. */
function withoutWww(host: string): string {
  return host.replace(/^www\.(?=[^.]+\.)/, "");
}

/**
 * Finds the registered domain of a host in the public suffix list: "example.co.uk" for "www.example.co.uk". Suffixes
 * under which anyone can get a name (github.io) count as public. A host without a registered domain is returned as it
 * is: IP addresses, "localhost", a suffix alone.
 */
export function registeredDomain(hostname: string): string {
  return getDomain(hostname, { allowPrivateDomains: true, extractHostname: false }) ?? hostname;
}
