/** The names of `<meta>` into the fields that they fill. */
import type { Metadata } from "../document.js";

/** Names of `<meta>` (name, property or itemprop; lower-case), the more telling ones first. */
export const META_NAMES = {
  title: [
    "og:title",
    "twitter:title",
    "citation_title",
    "dc.title",
    "dcterms.title",
    "headline",
    "parsely-title",
    "title",
  ],
  author: [
    "author",
    "article:author",
    "og:article:author",
    "citation_author",
    "dc.creator",
    "dcterms.creator",
    "parsely-author",
    "sailthru.author",
    "byl",
  ],
  date: [
    "article:published_time",
    "og:article:published_time",
    "og:published_time",
    "datepublished",
    "datecreated",
    "citation_publication_date",
    "citation_date",
    "dc.date",
    "dc.date.issued",
    "dcterms.issued",
    "dcterms.created",
    "dcterms.date",
    "parsely-pub-date",
    "sailthru.date",
    "pubdate",
    "date-pub",
    "publishdate",
    "publish-date",
    "publish_date",
    "published",
    "published-date",
    "published_at",
    "publication_date",
    "publication-date",
    "originalpublicationdate",
    "date",
  ],
  site: [
    "og:site_name",
    "application-name",
    "apple-mobile-web-app-title",
    "citation_journal_title",
    "dc.publisher",
  ],
  lang: ["content-language", "dc.language", "dcterms.language", "language", "og:locale"],
} as const satisfies Record<keyof Metadata, readonly string[]>;

const KNOWN: ReadonlySet<string> = new Set(Object.values(META_NAMES).flat());

/** Whether any field wants a `<meta>` of that name, in lower case. */
export function isMetaName(name: string): boolean {
  return KNOWN.has(name);
}
