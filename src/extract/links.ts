/** Reads the URLs that a page links to, and what it says about its own URL, its feeds and robots. */
import { MAX_URL, parseUrl, parseWebUrl } from "../parse-url.js";
import type { ElementNode } from "../document/tree.js";
import { isBase, isInTemplate, resolveBase } from "./base.js";
import { findElement } from "./elements.js";
import { readRobotsMeta, type RobotsDirectives } from "./robots-directives.js";

export interface PageLinks {
  /**
   * URLs that a reader can go to, in page order, each once and without the page itself: from `a`, `area` and `frame`,
   * rel=next and prev, the canonical URL, and refreshes.
   */
  readonly links: readonly PageLink[];
  /** The URL of rel=canonical; it may be the page itself. */
  readonly canonical?: string;
  /** The URL of rel=next, from a `link` or else from an `a`. */
  readonly next?: string;
  /** The targets of `<meta http-equiv=refresh>`. */
  readonly refreshes: readonly PageRefresh[];
  /** RSS, Atom and JSON feeds that rel=alternate names. */
  readonly feeds: readonly string[];
  /** The directives of `<meta name=robots>`, and of the `<meta>` that names our robot. */
  readonly robots: RobotsDirectives;
  /** Links beyond the bounds, each counted as often as it was found. */
  readonly leftOut: number;
  /** `links-capped`: there are more links; `long-links`: some are longer than any server takes and left out. */
  readonly notes: readonly string[];
}

interface PageRefresh {
  readonly url: string;
  readonly seconds: number;
}

/** Link elements that are read for each URL that may be kept: many pages link to the same URL again and again. */
const ELEMENTS_PER_LINK = 4;
const MAX_OTHERS = 200;
const FEED_TYPES: ReadonlySet<string> = new Set([
  "application/rss+xml",
  "application/atom+xml",
  "application/rdf+xml",
  "application/feed+json",
]);
const NO_ENDORSEMENT: ReadonlySet<string> = new Set(["nofollow", "ugc", "sponsored"]);

interface LinkOptions {
  /** The product token of our robot, which `<meta name=…>` may name. Default "thresher". */
  readonly agent?: string;
  /** The most different URLs that are kept. Default MAX_LINKS. */
  readonly maxLinks?: number;
}

/**
 * Reads the links below `root`; `url` is where the page was found. The quick tree has frames and links in SVG drawings
 * only if it keeps all attributes.
 */
export function readPageLinks(
  root: ElementNode,
  url: string,
  { agent = "thresher", maxLinks = MAX_LINKS }: LinkOptions = {},
): PageLinks {
  const found = collect(root, maxLinks * ELEMENTS_PER_LINK);
  const robots = readRobotsMeta(metaContents(found.metas, agent));
  const base = resolveBase(found.base, url);
  const targets = createTargets(url, base, maxLinks);
  for (const element of found.elements) {
    const { attributes, tag } = element;
    const rels = relsOf(element);
    const href = tag === "frame" ? attributes.get("src") : hrefOf(element);
    if (href !== undefined) targets.add(href, robots.nofollow || rels.some((rel) => NO_ENDORSEMENT.has(rel)));
  }
  const canonical = resolveFirst(found.relations, "canonical", targets);
  const next =
    resolveFirst(found.relations, "next", targets) ?? resolveFirst(found.elements, "next", targets);
  const previous = resolveFirst(found.relations, "prev", targets);
  for (const further of [next, previous, canonical]) {
    if (further !== undefined) targets.add(further, robots.nofollow);
  }
  const refreshes: PageRefresh[] = [];
  for (const { href, seconds } of found.metas.map(refreshOf).filter((refresh) => refresh !== undefined)) {
    targets.add(href, robots.nofollow);
    const target = targets.resolve(href);
    if (target !== undefined) refreshes.push({ url: target, seconds });
  }
  const leftOut = targets.leftOut() + found.leftOut;
  return {
    links: targets.links(),
    ...(canonical !== undefined && { canonical }),
    ...(next !== undefined && { next }),
    refreshes,
    feeds: feedsOf(found.relations, targets),
    robots,
    leftOut,
    notes: [...(leftOut > 0 ? ["links-capped"] : []), ...(targets.hasLong() ? ["long-links"] : [])],
  };
}

interface Found {
  /** `a`, `area` and `frame`. */
  readonly elements: ElementNode[];
  /** `link`. */
  readonly relations: ElementNode[];
  readonly metas: ElementNode[];
  base: ElementNode | undefined;
  /** The number of those elements beyond the bound. */
  leftOut: number;
}

function collect(root: ElementNode, maxElements: number): Found {
  const found: Found = { elements: [], relations: [], metas: [], base: undefined, leftOut: 0 };
  let hasTemplates = false;
  findElement(root, (element) => {
    const { tag } = element;
    if (tag === "template") hasTemplates = true;
    else if (tag === "a" || tag === "area" || tag === "frame") {
      if (hasTemplates && isInTemplate(element)) return false;
      if (found.elements.length < maxElements) found.elements.push(element);
      else found.leftOut += 1;
    } else if (tag === "link") addSome(found.relations, element);
    else if (tag === "meta") addSome(found.metas, element);
    else if (found.base === undefined && isBase(element)) found.base = element;
    return false;
  });
  return found;
}

function addSome(elements: ElementNode[], element: ElementNode): void {
  if (elements.length < MAX_OTHERS) elements.push(element);
}

function hrefOf({ attributes, namespace }: ElementNode): string | undefined {
  return attributes.get("href") ?? (namespace === "svg" ? attributes.get("xlink:href") : undefined);
}

function relsOf({ attributes }: ElementNode): string[] {
  return (attributes.get("rel") ?? "")
    .slice(0, 500)
    .toLowerCase()
    .split(/[\s,]+/);
}

function resolveFirst(relations: readonly ElementNode[], rel: string, targets: Targets): string | undefined {
  for (const relation of relations) {
    const target = relsOf(relation).includes(rel) ? targetOf(relation, targets) : undefined;
    if (target !== undefined) return target;
  }
  return undefined;
}

/** The target of a `<link>`; undefined if its `href` is missing or empty, which would mean the page itself. */
function targetOf(relation: ElementNode, targets: Targets): string | undefined {
  const href = hrefOf(relation);
  return href === undefined || href.trim() === "" ? undefined : targets.resolve(href);
}

function feedsOf(relations: readonly ElementNode[], targets: Targets): string[] {
  const feeds = new Set<string>();
  for (const relation of relations) {
    const type = relation.attributes.get("type")?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
    if (!FEED_TYPES.has(type) || !relsOf(relation).includes("alternate")) continue;
    const feed = targetOf(relation, targets);
    if (feed !== undefined) feeds.add(feed);
  }
  return [...feeds];
}

function metaContents(metas: readonly ElementNode[], agent: string): string[] {
  return metas.flatMap(({ attributes }) => {
    const name = attributes.get("name")?.trim().toLowerCase();
    return name === "robots" || (name !== "" && name === agent.toLowerCase())
      ? [attributes.get("content") ?? ""]
      : [];
  });
}

/** Reads `<meta http-equiv=refresh content="0; url=…">`; undefined for any other element. */
function refreshOf({ attributes }: ElementNode): Refresh | undefined {
  if (attributes.get("http-equiv")?.trim().toLowerCase() !== "refresh") return undefined;
  return readRefresh(attributes.get("content") ?? "");
}

interface Refresh {
  readonly href: string;
  readonly seconds: number;
}

/**
 * Reads a refresh as browsers do, also without "url=". Returns its link as it is written; undefined if it only reloads
 * the page or cannot be read.
 */
export function readRefresh(content: string): Refresh | undefined {
  const [, seconds, written = ""] =
    /^\s*(?=[\d.])(\d*)(?:\.[\d.]*)?(?:\s*[;,]\s*|\s+)(?:url\s*=\s*)?(.*)$/is.exec(
      content.slice(0, MAX_URL),
    ) ?? [];
  const href = written.replace(/^(["'])(.*?)(?:\1.*)?$/s, "$2").trim();
  return href === "" ? undefined : { href, seconds: Number(seconds) };
}

/* The targets of links: each URL once, in order. */

interface PageLink {
  /** Absolute, http or https, without its fragment; otherwise as the URL standard writes it. */
  readonly url: string;
  /** The page endorses no link to it: each has rel=nofollow, ugc or sponsored, or the page's own meta says nofollow. */
  readonly nofollow: boolean;
}

/** Default for the most different URLs that are kept; no page of the benchmark has more than 4,000. */
export const MAX_LINKS = 5000;

interface Targets {
  /** Adds a link as it is written; skips it if it has no http or https URL, or leads to the page itself. */
  add(href: string, nofollow: boolean): void;
  /** Returns the absolute URL without its fragment; undefined if it is not http or https, or too long. */
  resolve(href: string): string | undefined;
  links(): readonly PageLink[];
  /** The number of links that were added beyond the bound. */
  leftOut(): number;
  /** Whether some links were longer than MAX_URL. */
  hasLong(): boolean;
}

/** Collects URLs in the order in which they are added. A URL is nofollow only if all links to it are. */
function createTargets(url: string, base: string, maxLinks: number): Targets {
  const found = new Map<string, boolean>();
  const own = parseUrl(url);
  const self = own === undefined ? url : withoutHash(own);
  // A page that was read from a file has no URL, so only its absolute links can be resolved.
  const from = parseUrl(base)?.href;
  let leftOut = 0;
  let hasLong = false;
  const resolve = (href: string): string | undefined => {
    if (href.length > MAX_URL) {
      // Images and scripts are written into links as well (`data:`, `javascript:`); leaving them out loses no link.
      hasLong ||= !/^\s*(?:data|javascript|blob):/i.test(href.slice(0, 100));
      return undefined;
    }
    const target = parseWebUrl(href, from);
    return target === undefined ? undefined : withoutHash(target);
  };
  return {
    resolve,
    add(href, nofollow) {
      const target = resolve(href);
      if (target === undefined || target === self) return;
      const before = found.get(target);
      if (before === undefined && found.size >= maxLinks) leftOut += 1;
      else found.set(target, nofollow && before !== false);
    },
    links: () => [...found].map(([target, nofollow]) => ({ url: target, nofollow })),
    leftOut: () => leftOut,
    hasLong: () => hasLong,
  };
}

function withoutHash(url: URL): string {
  url.hash = "";
  return url.href;
}
