/** A parsed page into what it says of itself: title, author, date, site, language. */
import type { Metadata } from "../document.js";
import type { ElementNode, ParsedPage } from "../tree.js";
import { normaliseText } from "./characters.js";
import { normaliseDate } from "./date.js";
import { readJsonLd, type LinkedData } from "./json-ld.js";
import { normaliseLang } from "./lang.js";
import { isHiddenByPage, isHiddenByTag } from "./visible.js";

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
    "publishdate",
    "publish-date",
    "publication_date",
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

/** Longer values are no titles or names; a page that has them is broken or hostile. */
const MAX_VALUE = 500;
/** A byline's length at most (as in Readability). */
const MAX_BYLINE = 100;
const MAX_AUTHORS = 20;
/** Values remembered of one `<meta>` name, and characters read of all JSON-LD. */
const MAX_VALUES = 50;
const MAX_JSON_LD = 2_000_000;

/** What one walk over the tree collects. */
interface Found {
  readonly metas: Map<string, string[]>;
  readonly jsonLd: string[];
  readonly titles: string[];
  readonly headings: string[];
  readonly bylines: string[];
  /** Dates of publication, then of creation, in the page itself. */
  readonly dates: string[];
  readonly created: string[];
  readonly articles: ElementNode[];
  readonly times: ElementNode[];
  langs: (string | undefined)[];
}

export function readMetadata(page: ParsedPage): Metadata {
  const found = collect(page.root);
  const linked = readJsonLd(found.jsonLd);
  const site = firstOf([...metas(found, "site"), ...linked.sites]);
  const author = chooseAuthor(found, linked);
  const title = chooseTitle(found, linked, site);
  const dates = [
    ...metas(found, "date").slice(0, MAX_VALUES),
    ...linked.dates,
    ...found.dates,
    articleTime(found),
  ];
  const date = firstDefined(dates, normaliseDate);
  const lang = firstDefined([...found.langs, ...metas(found, "lang"), ...linked.langs], normaliseLang);
  return {
    ...(title !== undefined && { title }),
    ...(author !== undefined && { author }),
    ...(date !== undefined && { date }),
    ...(site !== undefined && { site }),
    ...(lang !== undefined && { lang }),
  };
}

function collect(root: ElementNode): Found {
  const found: Found = {
    metas: new Map(),
    jsonLd: [],
    titles: [],
    headings: [],
    bylines: [],
    dates: [],
    created: [],
    articles: [],
    times: [],
    langs: [],
  };
  let jsonLdLeft = MAX_JSON_LD;
  for (const element of elementsBelow(root)) {
    if (element.namespace !== "html") continue;
    const { tag, attributes } = element;
    if (tag === "meta") collectMeta(element, found);
    else if (tag === "title" && found.titles.length < MAX_VALUES)
      found.titles.push(textOf(element, MAX_VALUE));
    // One heading may be the title; two already are not.
    else if (tag === "h1" && found.headings.length < 2) found.headings.push(textOf(element, MAX_VALUE));
    else if (tag === "html" || tag === "body")
      found.langs.push(attributes.get("lang") ?? attributes.get("xml:lang"));
    else if (tag === "article") found.articles.push(element);
    else if (tag === "script" && /^\s*application\/ld\+json\b/i.test(attributes.get("type") ?? "")) {
      const json = textOf(element, jsonLdLeft, "raw");
      jsonLdLeft -= json.length;
      found.jsonLd.push(json);
    }
    collectMicrodata(element, found);
  }
  return found;
}

function collectMeta({ attributes }: ElementNode, found: Found): void {
  const content = attributes.get("content");
  if (content === undefined) return;
  for (const key of ["name", "property", "itemprop", "http-equiv"]) {
    const names = attributes.get(key)?.slice(0, MAX_VALUE).toLowerCase().split(/\s+/) ?? [];
    for (const name of names) {
      const values = found.metas.get(name) ?? [];
      if (name !== "" && values.length < MAX_VALUES) found.metas.set(name, [...values, content]);
    }
  }
}

/** Microdata and link relations that name author and date inside the page. */
function collectMicrodata(element: ElementNode, found: Found): void {
  const { tag, attributes } = element;
  const properties = attributes.get("itemprop")?.split(/\s+/) ?? [];
  const isTime = tag === "time" && attributes.has("datetime");
  if (isTime && found.times.length < MAX_VALUES) found.times.push(element);
  const isPublished = properties.includes("datePublished") || (isTime && attributes.has("pubdate"));
  const dates = isPublished ? found.dates : found.created;
  if ((isPublished || properties.includes("dateCreated")) && tag !== "meta" && dates.length < MAX_VALUES) {
    dates.push(attributes.get("datetime") ?? attributes.get("content") ?? textOf(element, MAX_BYLINE));
  }
  const isAuthor =
    properties.includes("author") || attributes.get("rel")?.split(/\s+/).includes("author") === true;
  if (!isAuthor || tag === "meta" || tag === "link" || found.bylines.length >= MAX_AUTHORS) return;
  const named = elementsBelow(element).find((child) => child.attributes.get("itemprop") === "name");
  const name = named?.attributes.get("content") ?? textOf(named ?? element, MAX_BYLINE + 1);
  found.bylines.push(name.length <= MAX_BYLINE ? name : "");
}

function metas(found: Found, field: keyof typeof META_NAMES): string[] {
  return META_NAMES[field].flatMap((name) => found.metas.get(name) ?? []);
}

function chooseTitle(found: Found, linked: LinkedData, site: string | undefined): string | undefined {
  const lonely = found.headings.length === 1 ? found.headings : [];
  const title = firstOf([
    ...metas(found, "title"),
    ...linked.titles,
    ...found.titles,
    ...lonely,
    ...linked.names,
  ]);
  return title === undefined ? undefined : cutSite(title, site);
}

/** Cuts the site's name, and what parts it from the title, off either end. */
export function cutSite(title: string, site: string | undefined): string {
  if (site === undefined) return title;
  const name = site.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const separator = "\\s*(?:[|•·»«:_–—]|::|(?<=\\s)-(?=\\s)|(?<=[^\\w\\s])-)\\s*";
  const cut = title
    .replace(new RegExp(`${separator}${name}$`, "iu"), "")
    .replace(new RegExp(`^${name}${separator}`, "iu"), "");
  return cut === "" ? title : cut;
}

function chooseAuthor(found: Found, linked: LinkedData): string | undefined {
  for (const names of [
    ...META_NAMES.author.map((name) => found.metas.get(name) ?? []),
    linked.authors,
    found.bylines,
  ]) {
    const people = new Set<string>();
    for (const name of names) {
      const person = toName(name);
      if (person !== undefined && people.size < MAX_AUTHORS) people.add(person);
    }
    if (people.size > 0) return [...people].join(", ");
  }
  return undefined;
}

/** A name as text; undefined for a link to a profile, a handle or nothing. */
function toName(value: string): string | undefined {
  const name = normaliseText(value.slice(0, MAX_VALUE)).replace(/^by\s+/i, "");
  return name === "" || /^(https?:|www\.|@)/i.test(name) ? undefined : name;
}

/** The time of a page's one article, when it stands in the article's header or is the only one there. */
function articleTime(found: Found): string | undefined {
  const [article, another] = found.articles;
  if (article === undefined || another !== undefined) return undefined;
  const inside = found.times.filter((time) => isInside(time, article));
  const stated =
    inside.find((time) => isInsideTag(time, "header", article)) ??
    (inside.length === 1 ? inside[0] : undefined);
  return stated?.attributes.get("datetime");
}

function isInside(element: ElementNode, ancestor: ElementNode): boolean {
  for (let { parent } = element; parent !== null; parent = parent.parent)
    if (parent === ancestor) return true;
  return false;
}

function isInsideTag(element: ElementNode, tag: string, within: ElementNode): boolean {
  for (let { parent } = element; parent !== null && parent !== within; parent = parent.parent) {
    if (parent.tag === tag) return true;
  }
  return false;
}

function firstOf(values: readonly string[]): string | undefined {
  return firstDefined(values, (value) => {
    const text = normaliseText(value.slice(0, MAX_VALUE));
    return text === "" ? undefined : text;
  });
}

function firstDefined(
  values: readonly (string | undefined)[],
  read: (value: string) => string | undefined,
): string | undefined {
  for (const value of values) {
    const result = value === undefined ? undefined : read(value);
    if (result !== undefined) return result;
  }
  return undefined;
}

/** The text inside an element, of at most about `limit` characters; "raw" for what is not text of the page. */
function textOf(element: ElementNode, limit: number, how: "normal" | "raw" = "normal"): string {
  let text = "";
  const open = [...element.children].reverse();
  for (let node = open.pop(); node !== undefined && text.length < limit; node = open.pop()) {
    if (node.kind === "text") text += node.value;
    else if (!isHiddenByTag(node) && !isHiddenByPage(node)) {
      text += " ";
      for (let index = node.children.length - 1; index >= 0; index -= 1) {
        const child = node.children[index];
        if (child !== undefined) open.push(child);
      }
    }
  }
  const cut = text.slice(0, limit);
  return how === "raw" ? cut : normaliseText(cut);
}

/** Every element below `root` in document order. */
function elementsBelow(root: ElementNode): ElementNode[] {
  const elements: ElementNode[] = [];
  const open = [...root.children].reverse();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === "text") continue;
    elements.push(node);
    for (let index = node.children.length - 1; index >= 0; index -= 1) {
      const child = node.children[index];
      if (child !== undefined) open.push(child);
    }
  }
  return elements;
}
