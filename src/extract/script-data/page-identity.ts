/** Checks by URL and title whether an object in a page's data is about that page or another one. */
import { toFields, type Fields } from "../../json.js";
import { parseWebUrl } from "../../parse-url.js";
import type { ParsedPage } from "../../document/tree.js";
import { textOf } from "../elements.js";
import { collectStatements } from "../metadata/statements.js";
import { cutHost, cutSite } from "../metadata/title.js";
import { decodePercent } from "../percent.js";

/** What the page says about itself. */
export interface PageIdentity {
  /** The paths of its URLs, as `toPath` returns them. */
  readonly paths: readonly string[];
  /** Letters and digits of its titles. */
  readonly titles: readonly string[];
}

/** "own": about this page; "other": about another one; "open": the data does not say. */
type Belonging = "own" | "other" | "open";

/** Keys of a URL, of a slug (the part of a URL that names the page) and of a title, in lower case. */
export const ADDRESS_KEYS: readonly string[] = [
  "url",
  "link",
  "permalink",
  "canonical",
  "canonicalurl",
  "canonical_url",
  "fullurl",
  "weburl",
  "relativeurl",
  "href",
  "path",
  "uri",
  "mainentityofpage",
  "@id",
];
export const SLUG_KEYS: readonly string[] = ["slug", "urlslug", "url_slug", "postslug"];
export const TITLE_KEYS: readonly string[] = ["headline", "title", "name", "fancy_title", "heading"];
/** Keys of an object that describes the object around it, in lower case. */
export const ABOUT_KEYS: readonly string[] = [
  "seo",
  "meta",
  "metadata",
  "frontmatter",
  "fields",
  "attributes",
  "mainentity",
];

const addressKeys: ReadonlySet<string> = new Set(ADDRESS_KEYS);
const slugKeys: ReadonlySet<string> = new Set(SLUG_KEYS);
const titleKeys: ReadonlySet<string> = new Set(TITLE_KEYS);
const aboutKeys: ReadonlySet<string> = new Set(ABOUT_KEYS);

/** The fewest characters of a title, path or slug that identify a page. */
const MIN_LETTERS = 6;
const MAX_ADDRESS = 2_000;
const MAX_TITLE = 500;
const FILE = /\.(?:jpe?g|png|gif|webp|avif|svg|mp[34]|m3u8|webm|pdf|js|css|json|xml|woff2?)$/;

/** Identifies the page by its head alone, because its data is what will be compared with it. */
export function identifyPage({ root, url }: ParsedPage): PageIdentity {
  const { metas, titles, address } = collectStatements(root, "head");
  const paths = [url, address].flatMap((known) => toPath(known) ?? []);
  const site = metas.get("og:site_name")?.[0];
  const stated = [
    ...(metas.get("og:title") ?? []).map((title) => title.slice(0, MAX_TITLE)),
    ...titles.map((title) => textOf(title, MAX_TITLE)),
  ];
  const letters = stated.flatMap((title) => [title, cutHost(cutSite(title, site), url)].map(toLetters));
  return { paths, titles: letters.filter((title) => title.length >= MIN_LETTERS) };
}

/** Says by URL, slug and title whether an object is about the page; a title of the page outweighs another URL. */
export function belongs(object: Fields, page: PageIdentity): Belonging {
  const judged = judge(object, page);
  if (judged.address === "own" || judged.isTitled) return "own";
  return judged.address;
}

/**
 * Returns the first title of an object under one of the keys: a string, or an object with a string in `rendered` or
 * `value`.
 */
export function titleOf(object: Fields, keys: readonly string[] = TITLE_KEYS): string | undefined {
  for (const key of keys) {
    const value = object[key];
    const { rendered, value: inner } = toFields(value);
    const title = [value, rendered, inner].find((text) => typeof text === "string" && text.trim() !== "");
    if (typeof title === "string" && title.length <= MAX_TITLE) return title;
  }
  return undefined;
}

function judge(
  object: Fields,
  page: PageIdentity,
  depth = 0,
): { readonly address: Belonging; readonly isTitled: boolean } {
  let address: Belonging = "open";
  let isTitled = false;
  for (const [name, value] of Object.entries(object)) {
    const key = name.toLowerCase();
    if (addressKeys.has(key) || slugKeys.has(key)) {
      const judged = slugKeys.has(key) ? judgeSlug(value, page) : judgeAddress(value, page);
      if (judged === "own" || address === "open") address = judged;
    } else if (titleKeys.has(key)) {
      isTitled ||= isTitle(value, page);
    } else if (depth === 0 && aboutKeys.has(key)) {
      const about = judge(toFields(value), page, 1);
      isTitled ||= about.isTitled;
      if (about.address === "own" || address === "open") address = about.address;
    }
  }
  return { address, isTitled };
}

/** Compares a URL with the page's. A path below that of the page is a part of it: a post of a thread, a comment. */
function judgeAddress(value: unknown, { paths }: PageIdentity): Belonging {
  const { "@id": id, url, href } = toFields(value);
  const path = toPath(typeof value === "string" ? value : (id ?? url ?? href));
  if (path === undefined || paths.length === 0 || FILE.test(path)) return "open";
  return paths.some((own) => own.length >= MIN_LETTERS && `${path}/`.startsWith(`${own}/`)) ? "own" : "other";
}

/** Compares a slug with the last part of the page's path, or with the part before a number at its end. */
function judgeSlug(value: unknown, { paths }: PageIdentity): Belonging {
  const slug = (typeof value === "string" ? value : "").toLowerCase().replace(/^\/|\/$/g, "");
  if (slug === "" || slug.length > MAX_ADDRESS || paths.length === 0) return "open";
  const isOwn = (path: string): boolean => path.replace(/\/\d{1,20}$/, "").endsWith(`/${slug}`);
  return slug.length >= MIN_LETTERS && paths.some(isOwn) ? "own" : "other";
}

/**
 * Checks whether a value is a title of the page: the start or the end of one, at least half of it. The rest may be the
 * name of the site.
 */
function isTitle(value: unknown, { titles }: PageIdentity): boolean {
  const { rendered, value: inner } = toFields(value);
  return [value, rendered, inner].some((text) => {
    if (typeof text !== "string" || text.length > MAX_TITLE) return false;
    const letters = toLetters(text);
    if (letters.length < MIN_LETTERS) return false;
    return titles.some(
      (title) => letters.length * 2 >= title.length && (title.startsWith(letters) || title.endsWith(letters)),
    );
  });
}

/**
 * Returns only the letters and digits of a text, because punctuation, tags and character references differ between the
 * places of a title.
 */
export function toLetters(text: string): string {
  return text
    .replace(/<\/?[a-z][^<>]{0,200}>|&#?\w{2,8};/gi, " ")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

/**
 * Returns the path of a URL in lower case, without an optional ending (`/index`, `.html`, `/`). Undefined if the value
 * is not a URL, or is that of a whole site.
 */
function toPath(address: unknown): string | undefined {
  if (typeof address !== "string" || address.length > MAX_ADDRESS || address.startsWith("_:"))
    return undefined;
  const url = parseWebUrl(address, "http://a/");
  if (url === undefined) return undefined;
  const path = decodePercent(url.pathname)
    .toLowerCase()
    .replace(/(?:\/index)?(?:\.(?:html?|php|aspx?))?\/*$/, "");
  return path === "" ? undefined : path;
}
