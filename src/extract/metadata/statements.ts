/** Collects the places where the markup of a page says something of it: one look at each element, and no text is read. */
import type { Metadata } from "../../document.js";
import type { ElementNode } from "../../tree.js";
import { isBase } from "../base.js";
import { findElement } from "../elements.js";

/** A page that has more of them is broken or hostile. */
const MAX_VALUES = 50;
const MAX_BYLINES = 20;
const MAX_HEADINGS = 10;
const MAX_RELATED = 100;
/** Characters of the names of one `<meta>`. */
const MAX_NAMES = 500;

export interface Statements {
  /** Contents of the `<meta>`s that tell anything, by name in lower case. */
  readonly metas: Map<string, string[]>;
  /** Contents of other `<meta>`s whose names say that something was published, posted or uploaded then. */
  readonly created: string[];
  /** Scripts of JSON-LD. */
  readonly scripts: ElementNode[];
  readonly titles: ElementNode[];
  /** The first headings: one is the title, of several the one that says it. */
  readonly headings: ElementNode[];
  /** Those of the second order, which say the title where there is none of the first. */
  readonly seconds: ElementNode[];
  /** What microdata or a link names as the author, and what is called one. */
  readonly bylines: ElementNode[];
  readonly callings: ElementNode[];
  /** `<link>`s and `<a>`s with a relation that says something. */
  readonly related: ElementNode[];
  /** What microdata or `pubdate` names as the date of publication. */
  readonly dates: ElementNode[];
  /** What microdata names as the date of a later edition. */
  readonly changes: ElementNode[];
  /** The first two articles, and every `<time datetime>`. */
  readonly articles: ElementNode[];
  readonly times: ElementNode[];
  readonly langs: (string | undefined)[];
  /** The address that the page gives itself. */
  address: string | undefined;
  /** The first `<base>` with a link. */
  base: ElementNode | undefined;
}

/** "head": not what only the text of the page holds, namely who wrote it, when, and under which tags. */
export function collectStatements(root: ElementNode, where: "page" | "head" = "page"): Statements {
  const found: Statements = {
    metas: new Map(),
    created: [],
    scripts: [],
    titles: [],
    headings: [],
    seconds: [],
    bylines: [],
    callings: [],
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

/** What the tags say that say anything by themselves. */
const COLLECTORS: ReadonlyMap<string, (element: ElementNode, found: Statements) => void> = new Map([
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
  [
    "title",
    (element, { titles }) => {
      addSome(titles, element, MAX_VALUES);
    },
  ],
  [
    "h1",
    (element, { headings }) => {
      addSome(headings, element, MAX_HEADINGS);
    },
  ],
  [
    "h2",
    (element, { seconds }) => {
      addSome(seconds, element, MAX_HEADINGS);
    },
  ],
  [
    "article",
    (element, { articles }) => {
      addSome(articles, element, 2);
    },
  ],
]);

function addSome(elements: ElementNode[], element: ElementNode, limit: number): void {
  if (elements.length < limit) elements.push(element);
}

function collectLang({ attributes }: ElementNode, { langs }: Statements): void {
  langs.push(attributes.get("lang") ?? attributes.get("xml:lang"));
}

function collectAddress(element: ElementNode, found: Statements): void {
  const { attributes } = element;
  if (attributes.get("rel")?.toLowerCase() === "canonical") found.address ??= attributes.get("href");
  addSome(found.related, element, MAX_RELATED);
}

/** Part of every name below, and quicker to look for. */
const CALLED_HINT = /author|by-?line|posted|writer|journalist|contributor/i;
/** What an author calls the place of a name. */
const CALLED =
  /(?:^|[\s_-])(?:author|authors|byline|by-?line|author-?name|authorname|byauthor|posted-?by|post-?author|article-?author|c-byline|writer|journalist|contributor)(?:$|[\s_-]|__)/i;

function collectScript(element: ElementNode, { scripts }: Statements): void {
  const type = element.attributes.get("type");
  if (type !== undefined && /^\s*application\/ld\+json\b/i.test(type)) scripts.push(element);
}

function collectMeta({ attributes }: ElementNode, found: Statements): void {
  // Some pages write `value`, which browsers pass over and other readers of metadata take.
  const content = attributes.get("content") ?? attributes.get("value");
  if (content === undefined) return;
  addMeta(found, attributes.get("name"), content);
  addMeta(found, attributes.get("property"), content);
  addMeta(found, attributes.get("itemprop"), content);
  addMeta(found, attributes.get("http-equiv"), content);
}

/** `names` may be a list. */
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

/** What sites of their own vocabulary call it: "article:post_date", "bt:pubdate", "vr:published_time", "…:uploaded". */
const CREATED =
  /(?:^|[:._-])(?:(?:date[_-]?)?(?:publish(?:ed)?|created|posted|uploaded|issued)|(?:publication|publish(?:ed)?|post(?:ed)?|creat(?:ed|ion)|upload(?:ed)?|pub|release)[_-]?(?:date|time|at|on))$/;

function collectTime(element: ElementNode, found: Statements): void {
  const { attributes } = element;
  if (!attributes.has("datetime") || namesIn(attributes.get("itemprop"), "dateModified")) return;
  addSome(found.times, element, MAX_VALUES);
  if (attributes.has("pubdate") && !namesIn(attributes.get("itemprop"), "datePublished"))
    addSome(found.dates, element, MAX_VALUES);
}

/** Microdata and link relations that name author and date inside the page. */
function collectMicrodata(element: ElementNode, found: Statements): void {
  const { tag, attributes } = element;
  if (tag === "meta") return;
  const property = attributes.get("itemprop");
  if (namesIn(property, "datePublished")) addSome(found.dates, element, MAX_VALUES);
  if (namesIn(property, "dateModified")) addSome(found.changes, element, MAX_VALUES);
  if (tag !== "link" && (namesIn(property, "author") || namesIn(attributes.get("rel"), "author")))
    addSome(found.bylines, element, MAX_BYLINES);
  const names = attributes.get("class") ?? "";
  if (names !== "" && names.length < MAX_NAMES && isCalled(names))
    addSome(found.callings, element, MAX_BYLINES);
  if (tag === "a" && RELATION.test(attributes.get("rel") ?? "")) addSome(found.related, element, MAX_RELATED);
}

/** Hacker News has a name of its own. */
function isCalled(names: string): boolean {
  return names === "hnuser" || (CALLED_HINT.test(names) && CALLED.test(names));
}

/** Relations of links in the page that say something of it. */
const RELATION = /(?:^|\s)(?:tag|category|license)(?:$|\s)/i;

/** Whether a list of names has one of them. */
function namesIn(list: string | undefined, name: string): boolean {
  if (list?.includes(name) !== true) return false;
  return list === name || list.split(/\s+/).includes(name);
}

/* The names of `<meta>`, by the fields that they fill. */

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
    // The space of a wiki of Confluence.
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
} as const satisfies Record<Exclude<keyof Metadata, "from" | "canonical" | "feed">, readonly string[]>;

/** Names of `<meta>` that fill no field, but tell what a page is. */
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

/** Those that anything is told by. */
const KNOWN_NAMES: ReadonlySet<string> = new Set([...Object.values(META_NAMES).flat(), ...TELLING_NAMES]);
