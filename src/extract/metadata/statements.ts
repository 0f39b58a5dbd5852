/**
 * Collects the elements of a page that state its metadata, in one pass over all elements and without reading their
 * text.
 */
import { textOf } from "../elements.js";
import type { Metadata } from "../../document.js";
import { isReservingMeta, readReservations } from "../../document/reservations.js";
import type { ElementNode } from "../../document/tree.js";
import { isBase } from "../base.js";
import { findElement } from "../elements.js";

/** Limits on what is collected; a page that has more is broken or hostile. */
const MAX_VALUES = 50;
const MAX_BYLINES = 20;
const MAX_HEADINGS = 10;
const MAX_RELATED = 100;
/** The number of characters that are read of the names of one `<meta>`; longer class attributes are skipped. */
const MAX_NAMES = 500;

export interface Statements {
  /** Contents of the `<meta>` elements that are used, by lower-case name. */
  readonly metas: Map<string, string[]>;
  /** Contents of other `<meta>` elements whose names say that they are the date of publication, posting or upload. */
  readonly created: string[];
  /** The uses that `<meta>` elements reserve. */
  readonly reserved: string[];
  /** JSON-LD scripts. */
  readonly scripts: ElementNode[];
  readonly titles: ElementNode[];
  /** The first `h1` elements. A single one is the title; of several, the one that repeats the title. */
  readonly headings: ElementNode[];
  /** The first `h2` elements, which are used for the title if the page has no `h1`. */
  readonly seconds: ElementNode[];
  /** Headings that the class name of hAtom (microformats) marks as the title of an entry. */
  readonly entries: ElementNode[];
  /** Elements that microdata or a link relation marks as the author, and elements with a class name for authors. */
  readonly bylines: ElementNode[];
  readonly callings: ElementNode[];
  /** Links to the pages of authors, by their addresses. */
  readonly signed: ElementNode[];
  /** Links to licences of Creative Commons. */
  readonly licensed: ElementNode[];
  /** `<link>` elements, and `<a>` elements with a relation that is used. */
  readonly related: ElementNode[];
  /** Elements that microdata or `pubdate` marks as the date of publication. */
  readonly dates: ElementNode[];
  /** Elements that microdata marks as the date of a change. */
  readonly changes: ElementNode[];
  /** The first two `<article>` elements, and the `<time datetime>` elements. */
  readonly articles: ElementNode[];
  readonly times: ElementNode[];
  readonly langs: (string | undefined)[];
  /** The canonical address of the page. */
  address: string | undefined;
  /** The first `<base>` with an `href`. */
  base: ElementNode | undefined;
}

/** "head" skips the microdata, relations and classes in the page's text that mark authors, dates and tags. */
export function collectStatements(root: ElementNode, where: "page" | "head"): Statements {
  const found: Statements = {
    metas: new Map(),
    created: [],
    reserved: [],
    scripts: [],
    titles: [],
    headings: [],
    seconds: [],
    entries: [],
    bylines: [],
    callings: [],
    signed: [],
    licensed: [],
    related: [],
    dates: [],
    changes: [],
    articles: [],
    times: [],
    langs: [],
    address: undefined,
    base: undefined,
  };
  findElement(root, (element) => {
    if (element.namespace === "html") {
      COLLECTORS.get(element.tag)?.(element, found);
      if (where === "page" && element.attributes.size > 0) collectMicrodata(element, found);
    }
    return false;
  });
  return found;
}

type Collector = (element: ElementNode, found: Statements) => void;

/** The collectors by tag. */
const COLLECTORS: ReadonlyMap<string, Collector> = new Map<string, Collector>([
  ["meta", collectMeta],
  ["time", collectTime],
  ["html", collectLang],
  ["body", collectLang],
  ["script", collectScript],
  ["link", collectAddress],
  [
    "base",
    (element, found) => {
      if (found.base === undefined && isBase(element)) found.base = element;
    },
  ],
  ["title", collectInto("titles", MAX_VALUES)],
  ["h1", collectHeadingInto("headings")],
  ["h2", collectHeadingInto("seconds")],
  ["h3", collectEntry],
  ["h4", collectEntry],
  ["article", collectInto("articles", 2)],
]);

function collectInto(list: "titles" | "articles", limit: number): Collector {
  return (element, found) => {
    addSome(found[list], element, limit);
  };
}

function collectHeadingInto(list: "headings" | "seconds"): Collector {
  return (element, found) => {
    addSome(found[list], element, MAX_HEADINGS);
    collectEntry(element, found);
  };
}

function collectEntry(element: ElementNode, { entries }: Statements): void {
  if (namesIn(element.attributes.get("class"), "entry-title")) addSome(entries, element, MAX_HEADINGS);
}

function addSome(elements: ElementNode[], element: ElementNode, limit: number): void {
  if (elements.length < limit) elements.push(element);
}

function collectLang({ attributes }: ElementNode, { langs }: Statements): void {
  langs.push(attributes.get("lang") ?? attributes.get("xml:lang"));
}

function collectAddress(element: ElementNode, found: Statements): void {
  const { attributes } = element;
  if (namesIn(attributes.get("rel")?.toLowerCase(), "canonical")) found.address ??= attributes.get("href");
  addSome(found.related, element, MAX_RELATED);
}

/** A part of every class name below, and faster to search for. */
const CALLED_HINT = /author|by-?line|posted|submitted|writer|writ(?:e|ten)-?by|journalist|contributor/i;
/** Class names of elements that hold an author's name. */
const CALLED =
  /(?:^|[\s_-])(?:author|authors|byline|by-?line|author-?name|authorname|byauthor|posted-?by|submitted|post-?author|article-?author|c-byline|writer|writ(?:e|ten)-?by|journalist|contributor)(?:$|[\s_-]|__)/i;

function collectScript(element: ElementNode, { scripts }: Statements): void {
  const type = element.attributes.get("type");
  if (type !== undefined && /^\s*application\/ld\+json\b/i.test(type)) scripts.push(element);
}

function collectMeta({ attributes }: ElementNode, found: Statements): void {
  // Some pages write `value`, which browsers ignore and other readers of metadata accept.
  const content = attributes.get("content") ?? attributes.get("value");
  if (content === undefined) return;
  addMeta(found, attributes.get("name"), content);
  addMeta(found, attributes.get("property"), content);
  addMeta(found, attributes.get("itemprop"), content);
  addMeta(found, attributes.get("http-equiv"), content);
  const name = attributes.get("name")?.trim().toLowerCase() ?? "";
  if (isReservingMeta(name) && found.reserved.length < MAX_VALUES)
    found.reserved.push(...readReservations(name, content));
}

/** Adds the content of a `<meta>`. `names` may be a list of names, separated by whitespace. */
function addMeta({ metas, created }: Statements, names: string | undefined, content: string): void {
  if (names === undefined) return;
  const lower = names.slice(0, MAX_NAMES).toLowerCase();
  for (const name of KNOWN_NAMES.has(lower) ? [lower] : lower.split(/\s+/)) {
    if (!KNOWN_NAMES.has(name)) {
      if (CREATED.test(name) && created.length < MAX_VALUES) created.push(content);
      continue;
    }
    const values = metas.get(name);
    if (values === undefined) metas.set(name, [content]);
    else if (values.length < MAX_VALUES) values.push(content);
  }
}

/** Names for the date of publication that single sites use: "article:post_date", "bt:pubdate", "vr:published_time". */
const CREATED =
  /(?:^|[:._-])(?:(?:date[_-]?)?(?:publish(?:ed)?|created|posted|uploaded|issued)|(?:publication|publish(?:ed)?|post(?:ed)?|creat(?:ed|ion)|upload(?:ed)?|pub|release)[_-]?(?:date|time|at|on))$/;

function collectTime(element: ElementNode, found: Statements): void {
  const { attributes } = element;
  if (!attributes.has("datetime") || namesIn(attributes.get("itemprop"), "dateModified")) return;
  addSome(found.times, element, MAX_VALUES);
  if (attributes.has("pubdate") && !namesIn(attributes.get("itemprop"), "datePublished"))
    addSome(found.dates, element, MAX_VALUES);
}

/** Collects the elements in the page that microdata, link relations or class names mark. */
function collectMicrodata(element: ElementNode, found: Statements): void {
  const { tag, attributes } = element;
  if (tag === "meta") return;
  const names = attributes.get("class") ?? "";
  // WordPress gives the body of a site with one author the class "single-author".
  const called = names !== "" && names.length < MAX_NAMES && tag !== "body" && isCalled(names);
  if (called || (tag === "p" && attributes.get("id") === "pageDescription"))
    addSome(found.callings, element, MAX_BYLINES);
  // Most elements have a class and no other attribute.
  if (names !== "" && attributes.size === 1) return;
  const property = attributes.get("itemprop")?.slice(0, MAX_NAMES);
  if (namesIn(property, "datePublished")) addSome(found.dates, element, MAX_VALUES);
  // Drupal states the date in RDFa.
  const stated = attributes.get("property");
  if (stated !== undefined && /(?:^|\s)(?:dc:created|schema:date(?:Created|Published))(?:\s|$)/.test(stated))
    addSome(found.dates, element, MAX_VALUES);
  if (namesIn(property, "dateModified")) addSome(found.changes, element, MAX_VALUES);
  if (tag !== "link" && (namesIn(property, "author") || namesIn(attributes.get("rel"), "author")))
    addSome(found.bylines, element, MAX_BYLINES);
  if (tag === "a") collectLink(element, found);
}

function collectLink(element: ElementNode, found: Statements): void {
  const href = element.attributes.get("href") ?? "";
  if (TELLING.test(href)) {
    const isLicense = href.includes("creativecommons.org/");
    addSome(isLicense ? found.licensed : found.signed, element, MAX_BYLINES);
  }
  if (RELATION.test(element.attributes.get("rel") ?? "")) addSome(found.related, element, MAX_RELATED);
}

/** Class names for authors in Hacker News, XenForo, vBulletin 3 and 4, and SMF. */
const CALLED_ALONE: ReadonlySet<string> = new Set([
  "hnuser",
  "p-description",
  "bigusername",
  "username_container",
  "poster",
]);

/** Whether class names mark an author. */
function isCalled(names: string): boolean {
  return CALLED_ALONE.has(names) || (CALLED_HINT.test(names) && CALLED.test(names));
}

/** Addresses of the pages of authors, and of licences of Creative Commons. */
const TELLING =
  /\/(?:authors?|contributors?|staff|profiles?|autor(?:en|es|i)?|auteurs?)\/[^/?#]{2}|\/creativecommons\.org\//;

/** Relations of `<a>` elements that state something about the page. */
const RELATION = /(?:^|\s)(?:tag|category|license)(?:$|\s)/i;

/** Whether a list of names, separated by whitespace, contains a name. */
function namesIn(list: string | undefined, name: string): boolean {
  if (list?.includes(name) !== true) return false;
  return list === name || list.split(/\s+/).includes(name);
}

/* The names of `<meta>` elements, by the fields that they fill. */

/** Names of `<meta>` elements (`name`, `property`, `itemprop` or `http-equiv`; lower case), the most reliable first. */
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
    // Cxense measures the reach of news sites.
    "cxenseparse:author",
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
    // The name of a space in Confluence.
    "ajs-space-name",
  ],
  modified: [
    "article:modified_time",
    "og:updated_time",
    "datemodified",
    "dcterms.modified",
    "dc.date.modified",
    "last-modified",
    "revised",
  ],
  description: [
    "og:description",
    "description",
    "twitter:description",
    "dc.description",
    "dcterms.description",
    "dcterms.abstract",
  ],
  image: [
    "og:image",
    "og:image:url",
    "og:image:secure_url",
    "twitter:image",
    "twitter:image:src",
    "image",
    "thumbnail",
  ],
  license: ["dc.rights.license", "dcterms.license", "dc.rights", "license"],
  tags: ["article:tag", "keywords", "news_keywords", "citation_keywords", "parsely-tags", "sailthru.tags"],
  categories: ["article:section", "og:article:section", "parsely-section", "category", "dc.subject"],
  type: ["og:type", "dc.type", "dcterms.type"],
  lang: ["content-language", "dc.language", "dcterms.language", "language", "og:locale"],
} as const satisfies Record<
  Exclude<keyof Metadata, "from" | "canonical" | "feed" | "reservations">,
  readonly string[]
>;

/** Names of `<meta>` elements that fill no field, but are clues to the kind of a page. */
const TELLING_NAMES = [
  "generator",
  "og:url",
  "product:price:amount",
  "product:price:currency",
  "product:availability",
  "og:price:amount",
  "og:availability",
  "twitter:label1",
  "twitter:data1",
  "article:publisher",
  "book:isbn",
  "profile:username",
] as const;

/** All names of `<meta>` elements that are used. */
const KNOWN_NAMES: ReadonlySet<string> = new Set([...Object.values(META_NAMES).flat(), ...TELLING_NAMES]);

/** Longer values are not titles or names; a page that has them is broken or hostile. */
export const MAX_VALUE = 500;

/** The texts of the `<title>` elements. */
export function titlesOf({ titles }: Statements): string[] {
  return titles.map((title) => textOf(title, MAX_VALUE));
}

/** The addresses that the page states itself. */
export function addressesIn({ address, metas }: Statements): string[] {
  return [...(address === undefined ? [] : [address]), ...(metas.get("og:url") ?? [])];
}

/** The addresses of `<link>` and `<a>` elements with a relation. */
export function hrefsOf({ related }: Statements, relation: RegExp): (string | undefined)[] {
  return related
    .filter(({ attributes }) => relation.test(attributes.get("rel") ?? ""))
    .map(({ attributes }) => attributes.get("href"));
}
