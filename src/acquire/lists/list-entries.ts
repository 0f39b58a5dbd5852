/** Defines where sitemaps and feeds, in XML and JSON, have the URLs of their pages, and collects them as entries. */
import { toFields, toText, tryJson } from "../../json.js";
import { MAX_URL, parseWebUrl } from "../../parse-url.js";

/** An entry that is being read. */
export interface Draft {
  url: string | undefined;
  /** The URL that is used if no better one follows. */
  fallback: string | undefined;
  lastModified: string | undefined;
}

/** A page that a list names, or a list that an index names. */
export interface SitemapEntry {
  /** Absolute, http or https, without its fragment. */
  readonly url: string;
  /** As the list writes it: W3C date and time in sitemaps and Atom, RFC 822 in RSS. */
  readonly lastModified?: string;
  /** Set if the host is not that of the list: by the protocol, a sitemap may list only URLs of its own host. */
  readonly isCrossHost?: true;
}

/** Collects entries: resolves their URLs, counts them, and marks those on other hosts. */
export interface EntryList {
  /** Adds an entry. `base` is the URL that its URL is relative to, if not the list's. */
  add(draft: Draft, base?: string): void;
  /** Records text in the place of an entry that is not a URL. */
  refuse(text: string): void;
  isFull(): boolean;
  entries(): readonly SitemapEntry[];
  notes(): readonly string[];
}

/** The most characters of a date. */
const MAX_DATE = 64;
/** The most characters of a bad URL in a note. */
const EXCERPT = 100;

/** Keeps at most `maxUrls` entries. Throws TypeError if `listUrl` is not an absolute URL. */
export function createEntries(listUrl: string, maxUrls: number): EntryList {
  const { host } = new URL(listUrl);
  const entries: SitemapEntry[] = [];
  let isFull = false;
  let bad = 0;
  let firstBad = "";
  let crossHost = 0;
  const refuse = (text: string): void => {
    if (bad === 0) firstBad = text.trim().slice(0, EXCERPT);
    bad += 1;
  };
  return {
    refuse,
    add({ url, fallback, lastModified }, base = listUrl) {
      const target = resolve(url, base) ?? resolve(fallback, base);
      if (target === undefined) {
        refuse(url ?? fallback ?? "");
        return;
      }
      if (entries.length >= maxUrls) {
        isFull = true;
        return;
      }
      const date = lastModified?.trim() ?? "";
      const isCrossHost = target.host !== host;
      if (isCrossHost) crossHost += 1;
      entries.push({
        url: target.href,
        ...(date !== "" && date.length <= MAX_DATE && { lastModified: date }),
        ...(isCrossHost && { isCrossHost }),
      });
    },
    isFull: () => isFull,
    entries: () => entries,
    notes: () => [
      ...(isFull ? [`only the first ${maxUrls} URLs were read`] : []),
      ...(bad > 0 ? [`entries without a usable URL: ${bad}, the first: ${firstBad}`] : []),
      ...(crossHost > 0 ? [`URLs on other hosts: ${crossHost}`] : []),
    ],
  };
}

function resolve(url: string | undefined, base: string): URL | undefined {
  const text = url?.trim() ?? "";
  const target = text === "" || text.length > MAX_URL ? undefined : parseWebUrl(text, base);
  if (target !== undefined) target.hash = "";
  return target;
}

/** The elements of one XML format. Names have no prefix and are in lower case. */
export interface ListFormat {
  readonly kind: "index" | "urlset" | "feed";
  /** The element of an entry. */
  readonly entry: string;
  /** Whether entries have the prefix of the root; in RDF they do not. */
  readonly hasRootPrefix: boolean;
  /** Child elements of an entry whose text is its URL; `fallbacks` are used if there is no other. */
  readonly urls: ReadonlySet<string>;
  readonly fallbacks: ReadonlySet<string>;
  /** Elements in an entry with its date, the best first. */
  readonly dates: readonly string[];
}

/** The XML formats, by the name of their root element. */
export const LIST_FORMATS: ReadonlyMap<string, ListFormat> = new Map([
  ["sitemapindex", sitemap("index", "sitemap")],
  ["urlset", sitemap("urlset", "url")],
  ["rss", feed("item", ["link"], ["guid"], ["pubdate", "date"])],
  ["rdf", { ...feed("item", ["link"], [], ["date"]), hasRootPrefix: false }],
  // Atom has its links in attributes.
  ["feed", feed("entry", [], [], ["updated", "modified", "published", "issued"])],
]);

function sitemap(kind: "index" | "urlset", entry: string): ListFormat {
  return {
    kind,
    entry,
    hasRootPrefix: true,
    urls: new Set(["loc"]),
    fallbacks: new Set(),
    dates: ["lastmod", "publication_date"],
  };
}

function feed(
  entry: string,
  urls: readonly string[],
  fallbacks: readonly string[],
  dates: readonly string[],
): ListFormat {
  return {
    kind: "feed",
    entry,
    hasRootPrefix: true,
    urls: new Set(urls),
    fallbacks: new Set(fallbacks),
    dates,
  };
}

/** Reads the URL of an Atom `link` without `rel` or with "alternate"; if its type is not HTML, only as the fallback. */
export function readAtomLink(attributes: ReadonlyMap<string, string>, draft: Draft): void {
  const href = attributes.get("href");
  if (href === undefined) return;
  const rel = (attributes.get("rel") ?? "alternate").trim().toLowerCase();
  const type = (attributes.get("type") ?? "text/html").trim().toLowerCase();
  if (rel !== "alternate") return;
  if (type === "text/html" || type === "application/xhtml+xml") draft.url ??= href;
  else draft.fallback ??= href;
}

/** Reads the entries of a JSON Feed (version 1 or 1.1); undefined if the text is not a JSON Feed. */
export function readJsonFeed(text: string): readonly Draft[] | undefined {
  const { version, items } = toFields(tryJson(text));
  if (typeof version !== "string" || !version.includes("jsonfeed.org") || !Array.isArray(items))
    return undefined;
  return items.map((item) => {
    const fields = toFields(item);
    return {
      url: toText(fields["url"]),
      fallback: toText(fields["external_url"]) ?? toText(fields["id"]),
      lastModified: toText(fields["date_modified"]) ?? toText(fields["date_published"]),
    };
  });
}
