/** What a sitemap or feed says of the pages that it lists: the elements of each format, and JSON feeds. */

/** What is known of an entry so far. */
export interface Draft {
  url: string | undefined;
  /** Taken where nothing better comes. */
  fallback: string | undefined;
  lastModified: string | undefined;
}

/** The elements of one format. Names are local and in lower case. */
export interface ListFormat {
  readonly kind: "index" | "urlset" | "feed";
  /** The element of an entry. */
  readonly entry: string;
  /** Whether entries have the prefix of the root; in RDF they do not. */
  readonly hasRootPrefix: boolean;
  /** Elements directly in an entry whose text is its URL, or the URL if there is no other. */
  readonly urls: ReadonlySet<string>;
  readonly fallbacks: ReadonlySet<string>;
  /** Elements in an entry with its date; the first ones count for more. */
  readonly dates: readonly string[];
}

/** By the name of the root element. */
export const LIST_FORMATS: ReadonlyMap<string, ListFormat> = new Map([
  ["sitemapindex", sitemap("index", "sitemap")],
  ["urlset", sitemap("urlset", "url")],
  ["rss", feed("item", ["link"], ["guid"], ["pubdate", "date"])],
  ["rdf", { ...feed("item", ["link"], [], ["date"]), hasRootPrefix: false }],
  // Atom writes its links into attributes.
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

/** The page of an Atom `link`: the one without a relation, or the alternate one that is HTML or says nothing. */
export function readAtomLink(attributes: ReadonlyMap<string, string>, draft: Draft): void {
  const href = attributes.get("href");
  if (href === undefined) return;
  const rel = (attributes.get("rel") ?? "alternate").trim().toLowerCase();
  const type = (attributes.get("type") ?? "text/html").trim().toLowerCase();
  if (rel !== "alternate") return;
  if (type === "text/html" || type === "application/xhtml+xml") draft.url ??= href;
  else draft.fallback ??= href;
}

/** The entries of a JSON Feed (version 1 or 1.1); undefined where the text is none. */
export function readJsonFeed(text: string): readonly Draft[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  const { version, items } = fieldsOf(value);
  if (typeof version !== "string" || !version.includes("jsonfeed.org") || !Array.isArray(items))
    return undefined;
  return items.map((item) => {
    const fields = fieldsOf(item);
    return {
      url: stringOf(fields["url"]),
      fallback: stringOf(fields["external_url"]) ?? stringOf(fields["id"]),
      lastModified: stringOf(fields["date_modified"]) ?? stringOf(fields["date_published"]),
    };
  });
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  // Any object may be read by key; what comes of it is checked.
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function stringOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
