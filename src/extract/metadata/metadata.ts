/** Reads the metadata of a page: title, author, date, site, language and further fields. */
import { cutAfter } from "../../cut-after.js";
import type { Metadata } from "../../document.js";
import { normaliseLang } from "../../language/language-tag.js";
import { bareHostOf, parseUrl } from "../../parse-url.js";
import { mergeReservations } from "../../document/reservations.js";
import type { ElementNode, ParsedPage } from "../../document/tree.js";
import type { MetadataOption } from "../extractor.js";
import { resolveBase } from "../base.js";
import { isPlaceholder } from "../structure/media/image.js";
import { isBlankText, isOrIsIn } from "../around.js";
import { textOf } from "../elements.js";
import { normaliseText } from "../lines/text/characters.js";
import { listClues } from "./clues.js";
import { boundDates } from "./dates/date.js";
import { findLicense } from "./license.js";
import { readMessage, type Message } from "./mail.js";
import { readJsonLd, type LinkedData } from "./json-ld.js";
import { findPageDate } from "./dates/page-date.js";
import { toPlain } from "./plain.js";
import { collectStatements, type Statements } from "./statements.js";
import { chooseAuthor, isListOfTexts } from "./author.js";
import { chooseDate, firstDate, markedDates, onSiteDay } from "./dates/stated-date.js";
import {
  firstTold,
  fromLinked,
  fromMetas,
  valuesOf,
  type Source,
  type Statement,
  type Told,
} from "./told.js";
import { chooseHeadline, headingText, isSentence, withoutCapitals } from "./headline.js";
import {
  cutHost,
  cutSite,
  cutSiteHeading,
  cutSlogan,
  cutToHeading,
  cutTopicWords,
  cutPowered,
  holdsName,
  isCommonName,
  isNameOfHost,
  isPartOf,
  lettersOf,
  siteBehind,
  siteInTitle,
} from "./title.js";

/** Longer values are not titles or names; a page that has them is broken or hostile. */
const MAX_VALUE = 500;
/** The number of characters of JSON-LD that are read, in all scripts together. */
const MAX_JSON_LD = 2_000_000;

/** What both titles are chosen from: the title of the record, and the title for the labellers. */
interface Page extends Statement {
  readonly headings: readonly string[];
  readonly site: Told | undefined;
  readonly stated: Told | undefined;
}

interface Asked {
  /** Dates later than the day after this one (UTC) are ignored. */
  readonly now?: Date;
  /** Whether to record the source of each field, or to read only title and language ("brief") or no field ("skip"). */
  readonly metadata?: MetadataOption | undefined;
}

/**
 * The metadata of a page; the title that lines are compared with, if it is not `meta.title`; and the base URL of its
 * links, if it is not the page's own.
 */
interface PageStatements {
  readonly meta: Metadata;
  readonly statedTitle?: string;
  readonly base?: string;
  /** Clues to the kind of the page (see clues.ts). */
  readonly clues?: readonly string[];
}

export function readStatements(parsed: ParsedPage, asked: Asked = {}): PageStatements {
  const page = openPage(parsed, asked);
  const meta = asked.metadata === "skip" ? {} : readFields(parsed, page, asked);
  const stated = readStatedTitle(page);
  const base = resolveBase(page.found.base, page.url);
  const clues = listClues(page.url === "" ? page.found.address : page.url, page.found, page.scripts());
  return {
    meta,
    ...(stated !== undefined && stated !== meta.title && { statedTitle: stated }),
    ...(base !== page.url && { base }),
    ...(clues.length > 0 && { clues }),
  };
}

function openPage({ root, url }: ParsedPage, { metadata }: Asked): Page {
  const found = collectStatements(root, metadata === "brief" || metadata === "skip" ? "head" : "page");
  let texts: readonly string[] | undefined;
  let read: LinkedData | undefined;
  const scripts = (): readonly string[] => (texts ??= readScripts(found.scripts));
  const said: Statement = {
    found,
    url,
    scripts,
    linked: () => (read ??= readJsonLd(scripts(), [url, ...addressesIn(found)])),
  };
  const headings = found.headings.map((heading) => textOf(heading, MAX_VALUE));
  return { ...said, headings, site: chooseSite(said), stated: findStated(said, headings) };
}

function readFields(
  parsed: ParsedPage,
  page: Page,
  { now = new Date(), metadata = "read" }: Asked,
): Metadata {
  const { found, site } = page;
  const title = chooseTitle(page);
  const lang = firstTold(readLang, [
    { from: "html", values: found.langs },
    fromMetas(found, "lang"),
    fromLinked(page, "langs"),
  ]);
  if (metadata === "brief") return settle({ title, lang }, false);
  const bounds = boundDates(now);
  let message: Message | undefined;
  const sent = (field: keyof Message): Told | undefined => {
    const value = (message ??= readMessage(parsed.html))[field];
    return value === undefined ? undefined : { value, from: "mail" };
  };
  const named = nameSite(page, title?.value);
  const further = readFurther(page, (sources) => firstDate(sources, bounds, lang?.value));
  const told = {
    title,
    author:
      chooseAuthor({
        found,
        linked: () => page.linked().authors,
        site: (site ?? named)?.value,
        address: addressOf(page),
      }) ?? sent("author"),
    // The date of the last change is better than no date.
    date: onSiteDay(chooseDate(page, bounds, lang?.value) ?? sentDate(), shownDate) ?? further["modified"],
    site: named,
    lang,
    ...further,
  };
  return settle(told, metadata === "origins");

  function sentDate(): Told | undefined {
    const date = sent("date");
    return date && firstDate([{ from: date.from, values: [date.value] }], bounds, lang?.value);
  }

  function shownDate(): Told | undefined {
    const hints = { title: title?.value, site: site?.value, lang: lang?.value, address: found.address };
    const isContinued = isLaterPage(found, page.url);
    const date = findPageDate(parsed, { ...hints, isContinued, isPlausible: bounds.canBeShown });
    return date === undefined ? undefined : { value: date, from: "page" };
  }
}

/** English and own names of languages, which older pages state in place of a tag. */
const LANGUAGES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    cs: "czech čeština",
    da: "danish dansk",
    de: "german deutsch",
    el: "greek ελληνικά",
    en: "english",
    es: "spanish español espanol",
    fi: "finnish suomi",
    fr: "french français francais",
    hu: "hungarian magyar",
    it: "italian italiano",
    ja: "japanese 日本語",
    ko: "korean 한국어",
    nl: "dutch nederlands",
    pl: "polish polski",
    pt: "portuguese português portugues",
    ru: "russian русский",
    sv: "swedish svenska",
    tr: "turkish türkçe",
    zh: "chinese 中文",
  }).flatMap(([code, names]) => names.split(" ").map((name) => [name, code] as const)),
);

function readLang(value: string): string | undefined {
  return normaliseLang(value) ?? LANGUAGES.get(value.trim().toLowerCase());
}

/** Whether other pages of the same thread come before this one. */
function isLaterPage(found: Statements, url: string): boolean {
  if (/[?&]start=[1-9]/.test(found.address ?? url)) return true;
  return hrefsOf(found, /(?:^|\s)prev(?:ious)?(?:\s|$)/i).length > 0;
}

function chooseSite(page: Statement): Told | undefined {
  return (
    firstTold(toText, [fromMetas(page.found, "site"), fromLinked(page, "sites")]) ?? choosePublisher(page)
  );
}

function choosePublisher(page: Statement): Told | undefined {
  return firstTold(toText, [fromLinked(page, "publishers")]);
}

/** The name that readers use for the site. The labellers and titles use the full value of `chooseSite`. */
function nameSite(page: Page, headline: string | undefined): Told | undefined {
  const { site, found } = page;
  const address = addressOf(page);
  const titles: Source = { from: "title", values: () => titlesOf(found).map(cutPowered) };
  const ofHost = (): Told | undefined => firstTold((title) => siteInTitle(title, address), [titles]);
  if (site === undefined) {
    if (headline === undefined) return ofHost();
    return ofHost() ?? firstTold((title) => siteBehind(title, headline, address), [titles]);
  }
  // Some pages state their title or their address as the name of the site.
  if (valuesOf(titles).includes(site.value)) return ofHost() ?? site;
  const host = bareHostOf(site.value);
  if (host !== "") return ofHost() ?? { ...site, value: host };
  // A publisher may own many sites.
  const isPublisher = site.from === "json-ld" && site.value === choosePublisher(page)?.value;
  const named = isPublisher ? ofHost() : undefined;
  const isSame =
    named !== undefined && (holdsName(site.value, named.value) || holdsName(named.value, site.value));
  if (named !== undefined && !isSame) return named;
  return { ...site, value: cutSlogan(site.value, address) };
}

/** The addresses that the page states itself. */
function addressesIn({ address, metas }: Statements): string[] {
  return [...(address === undefined ? [] : [address]), ...(metas.get("og:url") ?? [])];
}

/** The page's address, or the one that it states itself. */
function addressOf({ found, url }: Statement): string {
  return url === "" ? (addressesIn(found)[0] ?? "") : url;
}

function settle(
  told: Readonly<Record<string, Told<string | readonly string[]> | undefined>>,
  origins: boolean,
): Metadata {
  const meta: Record<string, unknown> = {};
  const from: Record<string, string> = {};
  for (const [field, one] of Object.entries(told)) {
    if (one === undefined) continue;
    meta[field] = typeof one.value === "string" && TEXTS.has(field) ? toPlain(one.value) : one.value;
    from[field] = one.from;
  }
  return origins && Object.keys(from).length > 0 ? { ...meta, from } : meta;
}

/** Fields with plain text, from which markup and references are removed. */
const TEXTS: ReadonlySet<string> = new Set(["author", "site", "description"]);

function toText(value: string, most = MAX_VALUE): string | undefined {
  const text = normaliseText(cutAfter(value, most));
  return text === "" ? undefined : text;
}

/* Fields that corpora and pipelines filter by. */

const MAX_DESCRIPTION = 2_000;
const MAX_TAGS = 50;
const MAX_TAG = 100;

function readFurther(
  page: Page,
  chooseFirstDate: (sources: readonly Source[]) => Told | undefined,
): Record<string, Told<string | readonly string[]> | undefined> {
  const { found } = page;
  const base = resolveBase(found.base, page.url);
  const toAddress = (value: string): string | undefined => resolve(value, base);
  const toPicture = (value: string): string | undefined =>
    isPlaceholder(value.trim()) ? undefined : toAddress(value);
  const reserved = mergeReservations(found.reserved);
  const rel = (name: string, values: Source["values"]): Source => ({ from: `rel=${name}`, values });
  return {
    modified: chooseFirstDate([
      fromLinked(page, "modified"),
      fromMetas(found, "modified"),
      { from: "microdata", values: markedDates(found.changes) },
    ]),
    description: firstTold(
      (value) => toText(value, MAX_DESCRIPTION),
      [fromLinked(page, "descriptions"), fromMetas(found, "description")],
    ),
    image: firstTold(toPicture, [
      fromMetas(found, "image"),
      fromLinked(page, "images"),
      rel("image_src", () => hrefsOf(found, /(?:^|\s)image_src(?:\s|$)/i)),
    ]),
    license: firstTold(toText, [
      fromLinked(page, "licenses"),
      rel("license", () => hrefsOf(found, /(?:^|\s)license(?:\s|$)/i).map((href) => href && toAddress(href))),
      fromMetas(found, "license"),
      { from: "link", values: () => [findLicense(found.licensed)] },
    ]),
    tags: firstTags([
      fromLinked(page, "tags"),
      fromMetas(found, "tags"),
      rel("tag", () => textsOf(found, /(?:^|\s)tag(?:\s|$)/i)),
    ]),
    categories: firstTags([
      fromLinked(page, "categories"),
      fromMetas(found, "categories"),
      rel("category", () => textsOf(found, /(?:^|\s)category(?:\s|$)/i)),
    ]),
    canonical: firstTold(toAddress, [rel("canonical", [found.address])]),
    feed: firstTold(toAddress, [rel("alternate", feedsOf(found))]),
    type: firstTold(toText, [fromMetas(found, "type"), fromLinked(page, "types")]),
    reservations: reserved && { value: reserved, from: "meta" },
  };
}

/** An http or https URL, made absolute if the base URL of the page's links is known. */
function resolve(value: string, from: string): string | undefined {
  const href = value.trim();
  if (href === "" || href.length > MAX_ADDRESS) return undefined;
  const base = parseUrl(from)?.href;
  const address = parseUrl(href, base);
  if (address === undefined) return base === undefined && !href.includes(":") ? href : undefined;
  if (address.protocol !== "https:" && address.protocol !== "http:") return undefined;
  return parseUrl(href) === undefined ? address.href : href;
}

const MAX_ADDRESS = 4_000;

function hrefsOf({ related }: Statements, relation: RegExp): (string | undefined)[] {
  return related
    .filter(({ attributes }) => relation.test(attributes.get("rel") ?? ""))
    .map(({ attributes }) => attributes.get("href"));
}

function textsOf({ related }: Statements, relation: RegExp): string[] {
  return related
    .filter(({ tag, attributes }) => tag === "a" && relation.test(attributes.get("rel") ?? ""))
    .map((element) => textOf(element, MAX_TAG));
}

function feedsOf({ related }: Statements): (string | undefined)[] {
  return related
    .filter(({ attributes }) => /^application\/(?:rss|atom)\+xml/i.test(attributes.get("type") ?? ""))
    .map(({ attributes }) => attributes.get("href"));
}

/** Whether a value is script code: if its closing quote is missing, the value goes on into the next script. */
function isCode(value = ""): boolean {
  return /[{}]/.test(value) && /[=;]/.test(value);
}

/** The tags of the first source that has any. A value may hold several, separated by commas. */
function firstTags(sources: readonly Source[]): Told<readonly string[]> | undefined {
  for (const source of sources) {
    const tags = new Set<string>();
    for (const value of valuesOf(source).filter((each) => !isCode(each)))
      for (const tag of toPlain(cutAfter(value ?? "", MAX_DESCRIPTION)).split(/[,;、，]/)) {
        const text = normaliseText(tag).replace(/^#\s?/, "");
        if (text !== "" && text.length <= MAX_TAG && tags.size < MAX_TAGS) tags.add(text);
      }
    if (tags.size > 0) return { value: [...tags], from: source.from };
  }
  return undefined;
}

function readScripts(scripts: readonly ElementNode[]): string[] {
  let left = MAX_JSON_LD;
  return scripts.map((script) => {
    const json = textOf(script, left, "raw");
    left -= json.length;
    return json;
  });
}

function chooseTitle(page: Page): Told | undefined {
  const { found, headings, stated } = page;
  if (stated === undefined) return undefined;
  const site = page.site === undefined ? undefined : toPlain(page.site.value);
  const said = cutTopicWords(cutPowered(toPlain(stated.value)));
  const known = [said, ...titlesOf(found).map(cutPowered)];
  const [entry, other] = found.entries;
  const marked = entry === undefined || other !== undefined ? "" : headingText(entry, known);
  if (entry !== undefined && known.some((title) => title === marked || isPartOf(title, marked)))
    return { value: withoutCapitals(marked, known), from: entry.tag };
  const address = addressOf(page);
  const isHome = found.headings.map((heading) => isHomeLink(heading, address));
  const isOfSite = (_: unknown, at: number): boolean => isHome[at] === true;
  const isOfPage = (_: unknown, at: number): boolean => isHome[at] === false;
  const own = found.headings.filter(isOfPage);
  const texts = own.map((heading) => headingText(heading, known));
  const chosen =
    chooseHeadline(texts, known, site) ??
    chooseHeadline(
      own.map((heading) => headingText(heading)),
      known,
      site,
    );
  const name = chosen ?? chooseHeadline(headings, known, site) ?? said;
  const headline = headingBesideName(page, name, texts) ?? chosen;
  if (headline !== undefined) return { value: withoutCapitals(headline, known), from: "h1" };
  const second = found.seconds.map((heading) => headingText(heading)).find(isPart);
  if (second !== undefined) return { value: second, from: "h2" };
  // A short heading that begins <title> may be the logo of the site, but not in the main part of the page.
  const [main = null] = own;
  const [short = ""] = texts;
  const isNamed = known.includes(said, 1) && short !== "" && siteBehind(said, short, address) !== undefined;
  if (isNamed && own.length === 1 && !isCommonName(short) && isOrIsIn(main, isMain))
    return { value: short, from: "h1" };
  const named = headings.filter(isOfSite).reduce(cutSite, cutSite(said, site));
  const cut = headings.filter(isOfPage).reduce(cutToHeading, named);
  return { value: cutHost(headings.reduce(cutSiteHeading, cut), address), from: stated.from };

  function isPart(text: string): boolean {
    // Beside an `h1`, an `h2` later in the title may be the slogan of the site.
    const isFirst = found.headings.length === 0 || said.startsWith(text);
    return isFirst && isSentence(text) && isPartOf(said, text);
  }
}

/** The most elements between a heading and the link that is all of it. */
const MAX_WRAPPERS = 3;

/** Whether all of a heading is a link to the front page, from another page: then it is the name or logo of the site. */
function isHomeLink(heading: ElementNode, address: string): boolean {
  let inner: ElementNode = heading;
  for (let step = 0; inner.tag !== "a"; step += 1) {
    const [only, other] = inner.children.slice(0, MAX_WRAPPERS + 1).filter((node) => !isBlankText(node));
    if (step > MAX_WRAPPERS || only?.kind !== "element" || other !== undefined) return false;
    inner = only;
  }
  const href = inner.attributes.get("href") ?? "";
  const [page, link] = [parseUrl(address), parseUrl(href, address)];
  if (page === undefined || link === undefined) return href === "/";
  const isHome = link.pathname === "/" && link.search === "" && link.host === page.host;
  return isHome && page.pathname !== "/";
}

/** The first heading of a page whose title is only the name of its site, unless it is the front page or a list. */
function headingBesideName(page: Page, title: string, headings: readonly string[]): string | undefined {
  const address = addressOf(page);
  const site = lettersOf(page.site?.value ?? "");
  const isName = (text: string): boolean => lettersOf(text) === site || isNameOfHost(text, address);
  if (address === "" || !isName(title) || isListOfTexts(address)) return undefined;
  return headings.find((text) => text !== "" && !isName(text));
}

function isMain({ tag, attributes }: ElementNode): boolean {
  return tag === "main" || tag === "article" || attributes.get("role") === "main";
}

function findStated(page: Statement, headings: readonly string[]): Told | undefined {
  return firstTold(toText, [
    fromMetas(page.found, "title"),
    fromLinked(page, "titles"),
    { from: "title", values: titlesOf(page.found) },
    { from: "h1", values: headings.length === 1 ? headings : [] },
    fromLinked(page, "names"),
  ]);
}

function titlesOf({ titles }: Statements): string[] {
  return titles.map((title) => textOf(title, MAX_VALUE));
}

/** The number of headings that the labellers compared with the title in training. */
const JUDGED_HEADINGS = 2;

/** The title that the labellers compare lines with, chosen as it was in training. */
function readStatedTitle({ headings, site, stated }: Page): string | undefined {
  if (stated === undefined) return undefined;
  return headings.slice(0, JUDGED_HEADINGS).reduce(cutToHeading, cutSite(stated.value, site?.value));
}
