/** Makes linked sites from real pages, with robots.txt, sitemaps and feeds, as many as a crawl needs. */
import { gzipSync } from "node:zlib";
import { varyPage } from "../crawl-speed/varied-pages.js";
import { packed, robots, send, site } from "./answers.js";
import type { Answer, Site } from "./farm.js";

export interface WebOptions {
  /** The HTML that pages are made from; see `readSources`. */
  readonly sources: readonly string[];
  readonly sites: number;
  /** Pages on each site, including its front page. */
  readonly pages: number;
  readonly seed: number;
  /** The lines of each site's robots.txt. */
  readonly robots?: readonly string[];
  /** Whether each site links to the next one. */
  readonly isJoined?: boolean;
}

/** Returns the name of a site within the farm. */
export function nameSite(number: number): string {
  return `site-${number}`;
}

/**
 * Makes the sites, each with the pages `/`, `/p/1`, `/p/2` and so on. Pages link to later pages of the site and, with
 * `isJoined`, to the next site.
 */
export function makeWeb(options: WebOptions): Record<string, Site> {
  const { sites } = options;
  return Object.fromEntries(
    Array.from({ length: sites }, (_, number) => [nameSite(number), makeSite(options, number)]),
  );
}

function makeSite(options: WebOptions, number: number): Site {
  const rest = site({
    "/robots.txt": robots(...(options.robots ?? [])),
    "/sitemap.xml": (hit) => {
      send(sitemapIndex(hit.url), XML)(hit);
    },
    "/sitemap-1.xml.gz": (hit) => {
      send(gzipSync(sitemap(hit.url, options.pages)), GZIP)(hit);
    },
    "/feed.xml": (hit) => {
      send(rss(hit.url, options.pages), XML)(hit);
    },
    "/atom.xml": (hit) => {
      send(atom(hit.url, options.pages), XML)(hit);
    },
    "/feed.json": (hit) => {
      send(jsonFeed(hit.url, options.pages), JSON_TYPE)(hit);
    },
  });
  return (path) => {
    const at = path === "/" ? 0 : Number(/^\/p\/(\d{1,9})$/.exec(path)?.[1] ?? Number.NaN);
    return at < options.pages ? makePage(options, number, at) : rest(path);
  };
}

const XML = { "content-type": "application/xml" };
const GZIP = { "content-type": "application/gzip" };
const JSON_TYPE = { "content-type": "application/feed+json" };

/** New links at the end of each page, which make a site a tree with shortcuts. */
const LINKS = 4;

function makePage({ sources, pages, sites, seed, isJoined }: WebOptions, number: number, at: number): Answer {
  return (hit) => {
    const { html } = varyPage(sources, number + at * sites, seed);
    const paths = Array.from({ length: LINKS }, (_, link) => at * LINKS + 1 + link).filter(
      (to) => to < pages,
    );
    const links = ["/", ...paths.map((to) => `/p/${to}`)];
    if (isJoined === true) links.push(`//${hit.host.replace(/^[^.]+/, nameSite((number + 1) % sites))}/`);
    const menu = `<nav>${links.map((href) => `<a href="${href}">${href}</a>`).join(" ")}</nav>`;
    const whole = bringHome(html, at, pages).replace(/<\/body>|$/i, (end) => `${menu}${end}`);
    // Most servers compress when the client accepts it.
    const takesGzip = /\bgzip\b/.test(hit.headers["accept-encoding"]?.toString() ?? "");
    (takesGzip ? packed(whole, "gzip") : send(whole))(hit);
  };
}

const HREF = /(<(?:a|area)\b[^>]*?\shref\s*=\s*)(?:"[^"]*"|'[^']*'|[^\s"'>]+)/gi;
/** Elements that lead to other sites, or that forbid to follow links. */
const ELSEWHERE =
  /<(?:base|i?frame|frame)\b[^>]*>|<(?:link|meta)\b[^>]*\b(?:canonical|next|prev|robots|refresh)\b[^>]*>/gi;

/** Points the links of a real page to the next pages of this site. */
function bringHome(html: string, at: number, pages: number): string {
  let next = at;
  return html.replace(ELSEWHERE, "").replace(HREF, (_, begin: string) => {
    next = (next + 1) % pages;
    return `${begin}"${next === 0 ? "/" : `/p/${next}`}"`;
  });
}

function listPages(url: string, pages: number): string[] {
  return Array.from({ length: pages }, (_, at) => new URL(at === 0 ? "/" : `/p/${at}`, url).href);
}

function sitemapIndex(url: string): string {
  return `<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${new URL("/sitemap-1.xml.gz", url).href}</loc></sitemap></sitemapindex>`;
}

function sitemap(url: string, pages: number): string {
  const entries = listPages(url, pages).map(
    (loc) => `<url><loc>${loc}</loc><lastmod>2024-05-02</lastmod></url>`,
  );
  return `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join("")}</urlset>`;
}

function rss(url: string, pages: number): string {
  const items = listPages(url, pages).map((link) => `<item><title>A</title><link>${link}</link></item>`);
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>Feed</title><link>${url}</link>${items.join("")}</channel></rss>`;
}

function atom(url: string, pages: number): string {
  const entries = listPages(url, pages).map(
    (href) => `<entry><title>A</title><link href="${href}"/></entry>`,
  );
  return `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Feed</title>${entries.join("")}</feed>`;
}

function jsonFeed(url: string, pages: number): string {
  const items = listPages(url, pages).map((link) => ({ id: link, url: link, title: "A" }));
  return JSON.stringify({ version: "https://jsonfeed.org/version/1.1", title: "Feed", items });
}
