/** Cuts the names of site and section off a title. */
import { splitWords } from "../../language/words.js";
import { bareHostOf } from "../../parse-url.js";

/** The signs between the parts of a title, for classes of characters: bars, points and dashes; and colons, too. */
const BARS = "|｜│•·»–—";
export const SEPARATORS = `${BARS}:：`;

const SEPARATOR = `\\s*(?:[${SEPARATORS}«_]|::|-{2,}|(?<=\\s)-(?=\\s)|(?<=[^\\w\\s])-)\\s*`;
const SEPARATOR_AT_END = new RegExp(`${SEPARATOR}$`, "iu");
const SEPARATOR_HERE = new RegExp(SEPARATOR, "iuy");

/** Names of sections may also be separated by a slash or ">", as in a path. */
const SECTION_SEPARATOR = `(?:${SEPARATOR}|\\s+[/>\\\\]\\s+)`;
const SECTION_AT_END = new RegExp(`${SECTION_SEPARATOR}$`, "iu");
const SECTION_HERE = new RegExp(SECTION_SEPARATOR, "iuy");

/**
 * Cuts a title to the page's heading if the title begins or ends with it. A heading shorter than half of the title is
 * ignored, because it may be the logo of the site.
 */
export function cutToHeading(title: string, heading: string): string {
  const { length } = heading;
  if (length >= title.length || length * 2 < title.length) return title;
  const isHeading = (part: string): boolean => part.toLowerCase() === heading.toLowerCase();
  SECTION_HERE.lastIndex = length;
  if (isHeading(title.slice(0, length)) && SECTION_HERE.test(title)) return title.slice(0, length);
  const start = title.length - length;
  return isHeading(title.slice(start)) && SECTION_AT_END.test(title.slice(0, start))
    ? title.slice(start)
    : title;
}

/** Whether a heading is one part of a title: "CNX - Towns brace for a dry summer - June 3, 1999". */
export function isPartOf(title: string, heading: string): boolean {
  const at = title.toLowerCase().indexOf(heading.toLowerCase());
  const end = at + heading.length;
  if (at < 0 || heading === "" || heading.length >= title.length) return false;
  SECTION_HERE.lastIndex = end;
  return (
    (at === 0 || SECTION_AT_END.test(title.slice(0, at))) &&
    (end === title.length || SECTION_HERE.test(title))
  );
}

/** Cuts the site's name and its separator off both ends of a title. */
export function cutSite(title: string, site: string | undefined): string {
  if (site === undefined) return title;
  const cut = cutStart(cutEnd(title, site), site);
  return cut === "" ? title : cut;
}

/** Cuts a heading off the end of a title if it is short compared with the rest: then it is the site's name. */
export function cutSiteHeading(title: string, heading: string): string {
  return heading.length >= 3 && heading.length * 2 <= title.length + 10 && title.endsWith(heading)
    ? cutSite(title, heading)
    : title;
}

/**
 * The words that phpBB before 3.1 puts between the names of board and thread, in the languages of its larger boards.
 */
const TOPIC_WORDS = new RegExp(
  "^.{1,100}?\\s(?:•|::|-)\\s+(?:View topic|Thema anzeigen|Voir le sujet|Consulter le sujet|Ver Tema|Leggi argomento|" +
    "Visualizza argomento|Bekijk onderwerp|Zobacz temat|Zobacz wątek|Просмотр темы|Exibir tópico|Visa tråd|Visa ämne|Vis emne|" +
    "Zobrazit téma|Téma megtekintése)\\s+-\\s+",
  "iu",
);

/** Cuts the name of the board and these words off the front of a thread's title. */
export function cutTopicWords(title: string): string {
  return title.replace(TOPIC_WORDS, "");
}

/** How programs that make pages put the page's own title and the name of the site into `<title>`. */
const TITLE_FORMS: readonly (readonly [program: string, form: RegExp])[] = [
  ["DokuWiki", /^(?<own>.+?)\s+\[(?<site>[^[\]]{2,60})\]$/u],
  ["Doxygen", /^(?<site>[^:]{2,60}):\s+(?<own>.+)$/u],
  ["javadoc", /^(?<own>[^\s()]+) \((?<site>[^()]{2,60})\)$/u],
  ["rustdoc", /^(?<own>.+) - Rust$/u],
];

/**
 * The title and the site in the `<title>` of a program: "rivers:otters [Otter Wiki]", "Otter Lib: Weir Class Reference".
 * `generators`: the programs that the page names.
 */
export function splitTitle(
  title: string,
  generators: readonly string[] = [],
): { readonly title: string; readonly site: string | undefined } {
  for (const [program, form] of TITLE_FORMS) {
    const { own, site } =
      (generators.some((name) => name.startsWith(program)) && form.exec(title)?.groups) || {};
    if (own !== undefined) return { title: own, site };
  }
  return { title: cutPowered(title), site: undefined };
}

/**
 * Cuts the name of a section off the front of a title if another title has the rest at its front, and not that name:
 * "r/rivers - Otters" beside "Otters : rivers".
 */
export function cutToShared(title: string, others: readonly string[]): string {
  const [before = title] = title.split(BETWEEN_PARTS, 1);
  SECTION_HERE.lastIndex = before.length;
  if (!SECTION_HERE.test(title)) return title;
  const rest = title.slice(SECTION_HERE.lastIndex);
  const isShared = (other: string): boolean =>
    other.startsWith(rest) && isPartOf(other, rest) && !isPartOf(other, before);
  return others.some(isShared) ? rest : title;
}

const POWERED =
  /\s+(?:[-–—|]\s+(?:Powered by [^-–|]{1,30}|Documentation by YARD [\d.]{1,10}|RDoc Documentation)|<\s+[^<]{1,60}\s<\s+[^<]{1,60})$/i;

/**
 * Cuts the name of a board's or generator's program off the end of a title: "… - Powered by Discuz!"; and the names of
 * the web and the wiki in TWiki and Foswiki: "TheAire < Rivers < OtterWiki".
 */
function cutPowered(title: string): string {
  return title.replace(POWERED, "");
}

/** The last parts of a title: with dashes in it, as in "CNN - Politics", or only what is behind the last dash. */
const LAST_PARTS = ["", "(?!\\s-\\s)"].map(
  (ahead) =>
    new RegExp(
      String.raw`\s*(?:(?:[${BARS}：]|:(?=[:\s]))+|-{2,}|(?<=\s)-(?=\s))\s*((?:${ahead}[^${SEPARATORS}]){2,40})\s*[-|]?\s*$`,
      "u",
    ),
);

const FIRST_PART = new RegExp(String.raw`^(.{3,60}?)\s*(?:[${SEPARATORS}]|(?<=\s)-(?=\s)).*$`, "u");

const BETWEEN_PARTS = new RegExp(String.raw`\s*(?:[${SEPARATORS}]|-{2,}|(?<=\s)-(?=\s))\s*`, "u");
/** The largest number of parts in a title, and the largest length of a part that is a name, in characters. */
const MAX_PARTS = 20;
const MAX_NAME = 40;

/**
 * The part of a title that is the name of the site's host. The last such part is used, as most sites put their name
 * last.
 */
export function siteInTitle(title: string, url: string): string | undefined {
  return partsOf(title).findLast((part) => isNameOfHost(part, url));
}

/**
 * The last part of a title after the headline: "The Lantern Book" of "Hooks - The Lantern Book", or the last one that
 * has a word of the host, as the name of the program may follow.
 */
export function siteBehind(title: string, headline: string, url: string): string | undefined {
  if (!isSameName(title.slice(0, headline.length), headline)) return undefined;
  const behind = title.slice(headline.length);
  const site = SITE_BEHIND.exec(behind)?.[1] ?? "";
  if (partsOf(site).length === 0) return undefined;
  const host = lettersOf(bareHostOf(url));
  const hasWord = (part: string): boolean =>
    splitWords(part.toLowerCase()).some((word) => word.length >= MIN_WORD && host.includes(word));
  return partsOf(behind).findLast(hasWord) ?? withoutWelcome(site);
}

/** The least length of a word that a name shares with its host, in characters. */
const MIN_WORD = 4;

/** The parts of a title that may be the site's name. */
function partsOf(title: string): string[] {
  return title
    .split(BETWEEN_PARTS, MAX_PARTS)
    .map((part) => withoutWelcome(part.trim()))
    .filter((part) => part !== "" && part.length <= MAX_NAME && !NO_SITE.test(part));
}

/** Whether a text is the name of a page or section that all sites have: "News". */
export function isCommonName(text: string): boolean {
  return NO_SITE.test(text);
}

function withoutWelcome(site: string): string {
  return site.replace(WELCOME, "");
}

const WELCOME =
  /^(?:welcome to|willkommen (?:bei|auf)|bienvenue (?:sur|chez|à)|bienvenid[oa]s? a|benvenut[oi] (?:in|su|a)|welkom (?:bij|op)|velkommen til|välkommen till|добро пожаловать (?:на|в))\s+(?=\S)/iu;

/** Parts of a title that are not a site's name: page numbers, dates, and names of pages that all sites have. */
const NO_SITE =
  /^(?:\p{L}+\s+\p{N}+(?:,?\s+\p{N}+)?|第?\s?\d+\s?(?:页|頁|ページ|페이지)|by\s.*|official site|home(?:\s?page)?|index page|главная(?: страница)?|головна(?: сторінка)?|startseite|foren-übersicht|accueil|page d['’]index|index du forum|página principal|índice general|inicio|início|indice|strona główna|forumoverzicht|forumindeks?|ana sayfa|首页|首頁|トップページ|(?:contact|kontakt|about)(?:\s(?:us|os))?|cont[aá]cto|contato|contatti|über uns|search|suche|log\s?in|sign (?:in|up)|register|create (?:an )?account|news|blog|forums?|faqs?|events|products|services)$/iu;

const SITE_BEHIND = new RegExp(
  String.raw`^(?:\s*[${BARS}]|\s+(?:-|::?)\s)(?:.*(?:[${BARS}]|\s-\s))?\s*([^${BARS}]{2,40}?)\s*$`,
  "u",
);

/**
 * Cuts the slogan beside a site's name if the name is that of its host: "TechCrunch | Startup news" of techcrunch.com.
 */
export function cutSlogan(site: string, url: string): string {
  const first = FIRST_PART.exec(site)?.[1] ?? "";
  return isNameOfHost(first, url) ? first : (siteInTitle(site, url) ?? site);
}

/** Whether a name is one part of the host name, or the end of it: "Example" or "Example.com" of news.example.com. */
export function isNameOfHost(name: string, url: string): boolean {
  const letters = lettersOf(name);
  if (letters.length < 3) return false;
  const host = bareHostOf(url);
  const labels = labelsOf(host);
  if (labels.includes(letters)) return true;
  return lettersOf(host).endsWith(letters) && labels.some((label) => letters.startsWith(label));
}

/** Whether a text contains a name, ignoring case, spaces and punctuation. */
export function holdsName(text: string, name: string): boolean {
  return lettersOf(text).includes(lettersOf(name));
}

/** The parts of a host name in letters and digits, without the top-level domain. */
function labelsOf(host: string): string[] {
  return host
    .split(".")
    .slice(0, -1)
    .map((label) => label.replace(/[^a-z0-9]/g, ""));
}

/** The letters and digits of a text in lower case and without accents, as in names of hosts. */
export function lettersOf(text: string): string {
  return text
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** Cuts the last part of a title if it is the name of the site's host: "Title | TechCrunch" of techcrunch.com. */
export function cutHost(title: string, url: string): string {
  const labels = labelsOf(bareHostOf(url));
  for (const form of LAST_PARTS) {
    const part = form.exec(title);
    const name = lettersOf(part?.[1] ?? "");
    if (part !== null && part.index > 0 && name.length >= 3 && labels.some((label) => isNameOf(name, label)))
      return title.slice(0, part.index);
  }
  return title;
}

/**
 * Whether a name matches a host label. Either may be longer: "CNN Politics" of cnn.com, "Forbes" of forbesmagazine.com.
 */
function isNameOf(name: string, label: string): boolean {
  return label.length >= 3 && (name.startsWith(label) || label.startsWith(name) || name.endsWith(label));
}

function cutEnd(title: string, site: string): string {
  const end = title.length - site.length;
  if (end < 0 || !isSameName(title.slice(end), site)) return title;
  const separator = SEPARATOR_AT_END.exec(title.slice(0, end));
  return separator === null ? title : title.slice(0, separator.index);
}

function cutStart(title: string, site: string): string {
  if (!isSameName(title.slice(0, site.length), site)) return title;
  SEPARATOR_HERE.lastIndex = site.length;
  return SEPARATOR_HERE.test(title) ? title.slice(SEPARATOR_HERE.lastIndex) : title;
}

/** Whether two names of the same length are equal when case is ignored. */
function isSameName(a: string, b: string): boolean {
  if (a === b) return true;
  for (let index = 0; index < b.length; index += 1) {
    const one = a.charAt(index);
    const other = b.charAt(index);
    if (
      one !== other &&
      one.toLowerCase() !== other.toLowerCase() &&
      one.toUpperCase() !== other.toUpperCase()
    )
      return false;
  }
  // Only a regular expression folds case by the rules of Unicode, and creating one costs more than reading a small
  // page.
  return new RegExp(`^${b.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")}$`, "iu").test(a);
}
