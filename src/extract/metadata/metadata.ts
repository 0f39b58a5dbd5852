/** Reads the metadata of a page: title, author, date, site, language and further fields. */
import type { Metadata } from "../../document.js";
import { normaliseLang } from "../../language/language-tag.js";
import type { ElementNode, ParsedPage } from "../../document/tree.js";
import type { MetadataOption } from "../extractor.js";
import { resolveBase } from "../base.js";
import { textOf } from "../elements.js";
import { chooseAuthor } from "./author.js";
import { listClues } from "./clues.js";
import { boundDates } from "./dates/date.js";
import { findPageDate } from "./dates/page-date.js";
import { chooseDate, firstDate, onSiteDay } from "./dates/stated-date.js";
import { readFurther } from "./further.js";
import { readJsonLd, type LinkedData } from "./json-ld.js";
import { readMessage, type Message } from "./mail.js";
import { chooseTitle, findStated, readStatedTitle } from "./page-title.js";
import { toPlain } from "./plain.js";
import { chooseSite, nameSite } from "./site.js";
import { addressesIn, collectStatements, hrefsOf, MAX_VALUE, type Statements } from "./statements.js";
import { addressOf, firstTold, fromLinked, fromMetas, type Page, type Statement, type Told } from "./told.js";

/** The number of characters of JSON-LD that are read, in all scripts together. */
const MAX_JSON_LD = 2_000_000;

interface Asked {
  /** Dates later than the day after this one (UTC) are ignored. */
  readonly now?: Date;
  /** Whether to record the source of each field, or to read only title and language ("brief") or no field ("skip"). */
  readonly metadata?: MetadataOption | undefined;
  /** Does what `isHiddenByPage` does, but faster (see walk.ts). */
  readonly isHidden?: ((element: ElementNode) => boolean) | undefined;
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

/** Reads what a page states about itself: its fields, and what readers of its lines need besides. */
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
  { now = new Date(), metadata = "read", isHidden }: Asked,
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
  const isContinued = isLaterPage(found, page.url);
  const told = {
    title,
    author:
      chooseAuthor({
        found,
        linked: () => page.linked().authors,
        site: (site ?? named)?.value,
        address: addressOf(page),
        isContinued,
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
    const hints = {
      title: title?.value,
      site: site?.value,
      lang: lang?.value,
      address: found.address,
      isHidden,
    };
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
  if (LATER_PAGE.test(found.address ?? url)) return true;
  // SMF links to the thread before this one.
  return hrefsOf(found, /(?:^|\s)prev(?:ious)?(?:\s|$)/i).some(
    (href) => href?.includes("prev_next=") !== true,
  );
}

/** Addresses of later pages of threads: of phpBB, SMF, vBulletin, MyBB, XenForo. */
const LATER_PAGE =
  /[?&;](?:start=[1-9]|topic=\d+\.[1-9]|page=(?!1(?!\d))[1-9])|[/-]page[-/]?(?!1(?!\d))[1-9]/;

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

function readScripts(scripts: readonly ElementNode[]): string[] {
  let left = MAX_JSON_LD;
  return scripts.map((script) => {
    const json = textOf(script, left, "raw");
    left -= json.length;
    return json;
  });
}
