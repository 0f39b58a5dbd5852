/** Chooses the title of a page: that of the record, and that for the labellers. */
import type { ElementNode } from "../../document/tree.js";
import { parseUrl } from "../../parse-url.js";
import { isBlankText, isOrIsIn } from "../around.js";
import { classOf } from "../bounded-attributes.js";
import { isForScreenReaders } from "../lines/visible/for-listeners.js";
import { isListOfTexts } from "./author.js";
import { chooseHeadline, headingText, isNamedIn, isSentence, withoutCapitals } from "./headline.js";
import { toPlain } from "./plain.js";
import { titlesOf } from "./statements.js";
import {
  cutHost,
  cutSite,
  cutSiteHeading,
  cutToHeading,
  cutToShared,
  cutTopicWords,
  isCommonName,
  isNameOfHost,
  isPartOf,
  lettersOf,
  siteBehind,
  siteInTitle,
  splitTitle,
} from "./title.js";
import {
  addressOf,
  firstTold,
  fromLinked,
  fromMetas,
  toText,
  type Page,
  type Statement,
  type Told,
} from "./told.js";

/** Returns the title of the record. */
export function chooseTitle(page: Page): Told | undefined {
  const { found, headings, stated } = page;
  if (stated === undefined) return undefined;
  const site = page.site === undefined ? undefined : toPlain(page.site.value);
  const generators = found.metas.get("generator");
  const cutProgram = (title: string): string => splitTitle(title, generators).title;
  const titles = titlesOf(found).map(cutProgram);
  const said = cutToShared(cutTopicWords(cutProgram(toPlain(stated.value))), titles);
  const known = [said, ...titles];
  const [entry, other] = found.entries;
  const marked = entry === undefined || other !== undefined ? "" : headingText(entry, known);
  if (entry !== undefined && known.some((title) => title === marked || isPartOf(title, marked)))
    return { value: withoutCapitals(marked, known), from: entry.tag };
  const address = addressOf(page);
  const isHome = found.headings.map((heading) => isHomeLink(heading, address));
  const isOfSite = (_: unknown, at: number): boolean => isHome[at] === true;
  const isOfPage = (_: unknown, at: number): boolean => isHome[at] === false;
  const own = found.headings.filter(isOfPage).filter((heading) => !isForScreenReaders(classOf(heading)));
  const first = own.find((heading) => classOf(heading).startsWith("sectionedit"));
  if (first !== undefined && ID_OF_PAGE.test(said) && generators?.some((name) => name.startsWith("DokuWiki")))
    return { value: headingText(first), from: "h1" };
  const texts = own.map((heading) => headingText(heading, known));
  const [only, second] = own;
  if (only !== undefined && second === undefined && titles.includes(said)) {
    const [short = ""] = texts;
    if (isShortHeadline(short, said, { address, isInMain: isOrIsIn(only, isMain) }))
      return { value: short, from: "h1" };
  }
  const chosen =
    chooseHeadline(texts, known, site) ??
    chooseHeadline(
      own.map((heading) => headingText(heading)),
      known,
      site,
    );
  const name = chosen ?? chooseHeadline(headings, known, site) ?? said;
  const headline = headingBesideName(page, name, texts) ?? chosen;
  if (headline !== undefined)
    return isPartOf(headline, said) && !headline.startsWith(said) && !headline.endsWith(said)
      ? { value: said, from: stated.from }
      : { value: withoutCapitals(headline, known), from: "h1" };
  const subtitle = found.seconds.map((heading) => headingText(heading)).find(isPart);
  if (subtitle !== undefined) return { value: subtitle, from: "h2" };
  const named = headings.filter(isOfSite).reduce(cutSite, cutSite(said, site));
  const cut = headings.filter(isOfPage).reduce(cutToHeading, named);
  return { value: cutHost(headings.reduce(cutSiteHeading, cut), address), from: stated.from };

  function isPart(text: string): boolean {
    if (headings.some((heading) => isNamedIn(said, text, heading))) return true;
    // Beside an `h1`, an `h2` later in the title may be the slogan of the site.
    const isFirst = found.headings.length === 0 || said.startsWith(text);
    return isFirst && isSentence(text) && isPartOf(said, text);
  }
}

/**
 * Whether the only heading, a short one that begins <title>, is the headline. It may be the logo of the site, but not in
 * the main part of the page, or if the name of the site comes before it.
 */
function isShortHeadline(
  heading: string,
  title: string,
  { address, isInMain }: { readonly address: string; readonly isInMain: boolean },
): boolean {
  if (heading === "" || isCommonName(heading)) return false;
  const bare = cutSite(title, siteInTitle(title, address));
  const isApart = isInMain || (!title.startsWith(bare) && !isListOfTexts(address));
  return isApart && siteBehind(bare, heading, address) !== undefined;
}

/** The id of a page in DokuWiki, its title unless a wiki is told to use headings: "rivers:aire_and_calder". */
const ID_OF_PAGE = /^[^\s\p{Lu}]+$/u;

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

/** What programs write into `<title>` in place of a title: the name of the file that they made the page from. */
const FILE_NAME =
  /^(?:Microsoft Word - .{1,200}|[^\s:/]{1,200})\.(?:xml|x?html?|docx?|pdf|rtf|odt|txt|indd|qxd)$/i;

/** Returns the title that the page states, before names of the site are cut off; the name of a file is none. */
export function findStated(page: Statement, headings: readonly string[]): Told | undefined {
  return firstTold(toText, [
    fromMetas(page.found, "title"),
    fromLinked(page, "titles"),
    { from: "title", values: titlesOf(page.found).filter((title) => !FILE_NAME.test(title.trim())) },
    { from: "h1", values: headings.length === 1 ? headings : [] },
    fromLinked(page, "names"),
  ]);
}

/** The number of headings that the labellers compared with the title in training. */
const JUDGED_HEADINGS = 2;

/** The title that the labellers compare lines with, chosen as it was in training. */
export function readStatedTitle({ headings, site, stated }: Page): string | undefined {
  if (stated === undefined) return undefined;
  return headings.slice(0, JUDGED_HEADINGS).reduce(cutToHeading, cutSite(stated.value, site?.value));
}
