/** Takes the names of site and section off the ends of a title, and finds the heading that says the title. */
import { bareHostOf } from "../../parse-url.js";
import type { ElementNode, ParsedPage, TextNode } from "../../tree.js";
import { splitWords } from "../../language/words.js";

const SEPARATOR = "\\s*(?:[|•·»«:_–—]|::|(?<=\\s)-(?=\\s)|(?<=[^\\w\\s])-)\\s*";
const SEPARATOR_AT_END = new RegExp(`${SEPARATOR}$`, "iu");
const SEPARATOR_HERE = new RegExp(SEPARATOR, "iuy");

/** Sections of a site are parted as a path is, too. */
const SECTION_SEPARATOR = `(?:${SEPARATOR}|\\s+[/>\\\\]\\s+)`;
const SECTION_AT_END = new RegExp(`${SECTION_SEPARATOR}$`, "iu");
const SECTION_HERE = new RegExp(SECTION_SEPARATOR, "iuy");

/**
 * Where a title begins or ends with the page's own heading, that is the title. A heading much shorter than the rest may
 * be the logo of the site, and then the rest is the title.
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

/** Whether a heading is one of the parts of a title: "CNX - Towns brace for a dry summer - June 3, 1999". */
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

/** Cuts the site's name, and what parts it from the title, off either end. */
export function cutSite(title: string, site: string | undefined): string {
  if (site === undefined) return title;
  const cut = cutStart(cutEnd(title, site), site);
  return cut === "" ? title : cut;
}

/** Cuts a heading off the end of a title where it is short against the rest: the name of the site. */
export function cutSiteHeading(title: string, heading: string): string {
  return heading.length >= 3 && heading.length * 2 <= title.length + 10 && title.endsWith(heading)
    ? cutSite(title, heading)
    : title;
}

/** What phpBB before 3.1 writes between the names of a board and of a thread, in the languages of its larger boards. */
const TOPIC_WORDS = new RegExp(
  "^.{1,100}?\\s(?:•|::|-)\\s+(?:View topic|Thema anzeigen|Voir le sujet|Consulter le sujet|Ver Tema|Leggi argomento|" +
    "Visualizza argomento|Bekijk onderwerp|Zobacz temat|Zobacz wątek|Просмотр темы|Exibir tópico|Visa tråd|Visa ämne|Vis emne|" +
    "Zobrazit téma|Téma megtekintése)\\s+-\\s+",
  "iu",
);

/** Cuts the name of the board, and the words that say that this is a thread of it, off the front of the thread's title. */
export function cutTopicWords(title: string): string {
  return title.replace(TOPIC_WORDS, "");
}

const LAST_PART = /\s*(?:[|•·»:：｜–—]|(?<=\s)-(?=\s))\s*([^|•·»:：｜–—]{2,40})\s*[-|]?\s*$/u;

const FIRST_PART = /^(.{3,60}?)\s*(?:[|•·»:：｜–—]|(?<=\s)-(?=\s)).*$/u;

const BETWEEN_PARTS = /\s*(?:[|•·»:：｜–—]|(?<=\s)-(?=\s))\s*/u;
/** Parts of a title, and characters of one that is a name. */
const MAX_PARTS = 20;
const MAX_NAME = 40;

/** The part of a title that is the name of the site's host: the last one, since most sites stand behind the title. */
export function siteInTitle(title: string, url: string): string | undefined {
  return title
    .split(BETWEEN_PARTS, MAX_PARTS)
    .map((part) => part.trim())
    .findLast((part) => part.length <= MAX_NAME && !NO_SITE.test(part) && isNameOfHost(part, url));
}

/** The last part of what stands behind the headline in a title: "The Lantern Book" of "Hooks - The Lantern Book". */
export function siteBehind(title: string, headline: string): string | undefined {
  if (!isSameName(title.slice(0, headline.length), headline)) return undefined;
  const site = SITE_BEHIND.exec(title.slice(headline.length))?.[1];
  return site === undefined || NO_SITE.test(site) ? undefined : site;
}

/** A number of pages, a date, or what pages of all sites are called. */
const NO_SITE =
  /^(?:\p{L}+\s+\d+(?:,?\s+\d+)?|official site|home(?:\s?page)?|index page|(?:contact|kontakt|about)(?:\s(?:us|os))?|cont[aá]cto|contato|contatti|über uns|search|suche|log\s?in|sign (?:in|up)|register|create (?:an )?account|news|blog|faqs?|events|products|services)$/iu;

const SITE_BEHIND = /^(?:\s*[|•·»｜–—]|\s+-\s)(?:.*(?:[|•·»｜–—]|\s-\s))?\s*([^|•·»｜–—]{2,40}?)\s*$/u;

/** Cuts what follows the name of a site where that is the name of its host: "TechCrunch | Startup news" of techcrunch.com. */
export function cutSlogan(site: string, url: string): string {
  const first = FIRST_PART.exec(site)?.[1] ?? "";
  return isNameOfHost(first, url) ? first : site;
}

/** One of the parts of a host's name, or the end of it: "Example" or "Example.com" of news.example.com. */
function isNameOfHost(name: string, url: string): boolean {
  const letters = lettersOf(name);
  if (letters.length < 3) return false;
  const labels = labelsOf(url);
  if (labels.includes(letters)) return true;
  return lettersOf(bareHostOf(url)).endsWith(letters) && labels.some((label) => letters.startsWith(label));
}

/** Whether a name is in another, whatever spaces and cases they have. */
export function holdsName(text: string, name: string): boolean {
  return lettersOf(text).includes(lettersOf(name));
}

/** The parts of the name of a host, without the last, in letters and digits. */
function labelsOf(url: string): string[] {
  return bareHostOf(url)
    .split(".")
    .slice(0, -1)
    .map((label) => label.replace(/[^a-z0-9]/g, ""));
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** Cuts the last part of a title where it is the name of the site's host: "Title | TechCrunch" of techcrunch.com. */
export function cutHost(title: string, url: string): string {
  const part = LAST_PART.exec(title);
  const name = lettersOf(part?.[1] ?? "");
  if (part === null || name.length < 3 || part.index === 0) return title;
  return labelsOf(url).some((label) => isNameOf(name, label)) ? title.slice(0, part.index) : title;
}

/** Either may have a word more: "CNN Politics" of cnn.com, "Forbes" of forbesmagazine.com. */
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

/** Whether two names of one length differ in case at most. */
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
  // Only an expression folds case as Unicode says, and making one costs more than reading a small page.
  return new RegExp(`^${b.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")}$`, "iu").test(a);
}

/* The heading that says the title. */

/** Share of the heading's letters whose words the title has, and the other way round. */
const MIN_SHARED_OF_HEADING = 0.75;
const MIN_SHARED_OF_TITLE = 0.5;
/** Longer headings are no headlines, and a page may have any number of headings. */
const MAX_HEADING_CHARS = 500;
const MAX_HEADINGS = 200;

/**
 * The text nodes of the first `h1`, or else `h2`, that says the title. Readability takes such a heading out of its
 * article (it counts a heading as a repeated title from three quarters of shared words on) and hands out the title
 * apart; for a reader of the text it belongs above the article, at its place in the page.
 */
export function findHeadline(page: ParsedPage, title: string): readonly TextNode[] {
  const wanted = countLetters(title);
  for (const tag of ["h1", "h2"]) {
    for (const heading of findHeadings(page, tag)) {
      const said = countLetters(heading.map((node) => node.value).join(" "));
      const shared = sharedLetters(said, wanted);
      if (shared === 0) continue;
      if (shared >= MIN_SHARED_OF_HEADING * total(said) && shared >= MIN_SHARED_OF_TITLE * total(wanted))
        return heading;
    }
  }
  return [];
}

/** The text nodes of each element of that tag, in document order. */
function findHeadings(page: ParsedPage, tag: string): TextNode[][] {
  const headings: TextNode[][] = [];
  const open: { element: ElementNode; next: number; heading: TextNode[] | undefined }[] = [];
  open.push({ element: page.root, next: 0, heading: undefined });
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const child = top.element.children[top.next];
    top.next += 1;
    if (child === undefined) {
      open.pop();
    } else if (child.kind === "text") {
      top.heading?.push(child);
    } else {
      const isHeading = child.tag === tag && top.heading === undefined && headings.length < MAX_HEADINGS;
      const heading: TextNode[] | undefined = isHeading ? [] : top.heading;
      if (isHeading && heading !== undefined) headings.push(heading);
      open.push({ element: child, next: 0, heading });
    }
  }
  return headings.filter(
    (nodes) => nodes.reduce((sum, node) => sum + node.value.length, 0) <= MAX_HEADING_CHARS,
  );
}

/** How many letters each word has in all its places, by word in lower case. */
function countLetters(text: string): Map<string, number> {
  const letters = new Map<string, number>();
  for (const word of splitWords(text.toLowerCase()))
    letters.set(word, (letters.get(word) ?? 0) + word.length);
  return letters;
}

function total(letters: ReadonlyMap<string, number>): number {
  return [...letters.values()].reduce((sum, count) => sum + count, 0);
}

function sharedLetters(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  return [...a].reduce((sum, [word, count]) => sum + Math.min(count, b.get(word) ?? 0), 0);
}
