/** Chooses the authors of a page from the names in its metadata, its microdata and its bylines. */
import type { ElementNode } from "../../document/tree.js";
import { findAround, isOrIsIn } from "../around.js";
import { findElement, textOf } from "../elements.js";
import { normaliseText } from "../lines/text/characters.js";
import { bareHostOf, parseUrl } from "../../parse-url.js";
import { findBehindTime, findByline, findSigned, isName, ROLE, splitNames } from "./byline.js";
import { namesOf } from "./dates/date-places.js";
import { cutLead } from "./leads.js";
import { nameOf } from "./mail.js";
import { META_NAMES, type Statements } from "./statements.js";
import { holdsName, lettersOf } from "./title.js";

/** Longer values are not names; a page that has them is broken or hostile. */
const MAX_VALUE = 500;
/** The largest length of a byline in characters (as in Readability). */
const MAX_BYLINE = 100;
/** A longer byline must split into a list of names. */
const MAX_NAME = 50;
const MAX_AUTHORS = 20;
/** Ancestors that are checked to see whether a name is in a comment, and ancestors that names of one byline share. */
const MAX_STEPS = 10;
const MAX_BESIDE = 3;

interface Author {
  readonly value: string;
  /** The source that states the author. */
  readonly from: string;
}

interface Page {
  readonly found: Statements;
  /** The authors in the JSON-LD. */
  readonly linked: () => readonly string[];
  readonly site: string | undefined;
  readonly address: string;
  /** Whether other pages of the same thread come before this one. */
  readonly isContinued: boolean;
}

/**
 * The authors from the most trusted source that has any. Bylines that the page only shows come last. The name of an
 * account or of the site counts only if no source has another name.
 */
export function chooseAuthor(page: Page): Author | undefined {
  const own = [page.site ?? "", bareHostOf(page.address)].map(coreOf).filter((name) => name !== "");
  const isOwn = (name: string): boolean => own.includes(coreOf(name));
  let poor: Author | undefined;
  for (const { from, names } of sourcesOf(page)) {
    const value = joinPeople(names(), isOwn);
    if (value === undefined) continue;
    const isPoor = ACCOUNT.test(value) || value === JOOMLA_ADMIN || isOwn(value);
    // "The Herald staff" says no more than "The Herald".
    const isSame = poor !== undefined && isOwn(poor.value) && holdsName(value, poor.value);
    if (!isPoor && !isSame) return { value, from };
    poor ??= { value, from };
  }
  return poor;
}

/** A name without case, spaces and punctuation, and without "The" before it. */
function coreOf(name: string): string {
  return lettersOf(name).replace(/^the(?=...)/, "");
}

/** The name of the first account of each site made with Joomla. */
const JOOMLA_ADMIN = "Super User";
const ACCOUNT = /^[a-z\d]+(?:[._-][a-z\d]+)*$/;

interface Source {
  readonly from: string;
  readonly names: () => readonly string[];
}

function sourcesOf({ found, linked, address, isContinued }: Page): Source[] {
  const isList = isListOfTexts(address);
  return [
    { from: "json-ld", names: linked },
    ...META_NAMES.author.map((from) => ({
      from,
      names: () => {
        const names = found.metas.get(from) ?? [];
        return from === "citation_author" || areTurned(names) ? names.map(turnName) : names;
      },
    })),
    { from: "microdata", names: () => (isList ? readShared(found.bylines) : readMarked(found.bylines)) },
    // On a list of texts, a byline belongs to one text of the list.
    {
      from: "byline",
      names: () => (isList ? [] : (findByline(found.callings, isContinued) ?? findBehindTime(found.times))),
    },
    {
      from: "twitter:data1",
      names: () =>
        WRITTEN.test(found.metas.get("twitter:label1")?.[0] ?? "")
          ? (found.metas.get("twitter:data1") ?? [])
          : [],
    },
    { from: "link", names: () => (isList ? [] : findSigned(found.signed)) },
  ];
}

/** Words before the author in the preview of a link, as Yoast SEO writes them in the languages of WordPress. */
const WRITTEN =
  /^(?:written by|(?:verfasst|geschrieben) von|geschreven door|escrito por|escrit per|scritto da|[eé]crit par|skrevet a[fv]|skriven av|kirjoittanut|kirjoittaja|napisane przez|napsala?|autore?|auteur|author|szerző|scris de|yazan|ditulis oleh|автор|написано автором|συντάχθηκε από|作者|投稿者|執筆者|글쓴이|작성자)$/iu;

/** Paths of a site's front page, and of lists of texts as most systems name and number them. */
const LIST = /^\/(?:(?:index|home|default)\.\w{3,5})?$|\/(?:category|categories|tag|tags)\/|\/page\/\d+\/?$/i;

/** Whether an address is that of a site's front page, or of a list of texts. */
export function isListOfTexts(address: string): boolean {
  return LIST.test(pathOf(address));
}

/** The path with the query; "" without an address. */
function pathOf(address: string): string {
  const url = parseUrl(address);
  return url === undefined ? "" : `${url.pathname}${url.search}`;
}

/** The author that all texts of a list have in common. */
function readShared(bylines: readonly ElementNode[]): string[] {
  const names = new Set(bylines.filter((element) => !isAtComment(element)).map(readByline));
  names.delete("");
  return names.size === 1 ? readMarked(bylines) : [];
}

/** Whether several names have the family name first. */
function areTurned(names: readonly string[]): boolean {
  return names.length > 1 && names.every((name) => TURNED.test(name) && isName(name)) && hasFamily(names);
}

const TURNED = /^\s*([^,]{1,50}),\s+([^,]{1,50}?)\s*$/;

/** Whether a name begins with a single word and a comma: not "Ann Lee, CNN". */
function hasFamily(names: readonly string[]): boolean {
  return names.some((name) => /^\s*(?:\p{Ll}+\s)*[^\s,]+,/u.test(name));
}

/** Turns "Curie, Marie" around. A Highwire tag holds one author, with the family name first or last. */
function turnName(name: string): string {
  const [, family = "", given = ""] = TURNED.exec(name) ?? [];
  return family === "" || TITLES.test(given) || ROLE.test(given) ? name : `${given} ${family}`;
}

const TITLES = /^(?:jr|sr|i{1,3}|iv|md|m\.d|phd|ph\.d|esq)\.?$/i;

/** The first name marked as the author, and the names beside it. Others belong to other pages, pictures or comments. */
function readMarked(bylines: readonly ElementNode[]): string[] {
  const [first, ...others] = bylines.filter((element) => !isAtComment(element) && readByline(element) !== "");
  if (first === undefined) return [];
  const beside = others.filter((element) => isBeside(element, first));
  return [first, ...beside].flatMap((element) => {
    const text = readByline(element);
    const names = splitNames(text);
    return names.length > 0 ? names : text.length <= MAX_NAME ? [text] : [];
  });
}

function isBeside(element: ElementNode, first: ElementNode): boolean {
  if (scopeOf(element) !== scopeOf(first)) return false;
  let around = first;
  for (let step = 0; step < MAX_BESIDE; step += 1) {
    const { parent } = around;
    if (parent === null || parent.tag === "body") break;
    around = parent;
  }
  return isOrIsIn(element.parent, (open) => open === around, MAX_STEPS);
}

/** The article or post that a name belongs to, since each has its own author. */
function scopeOf({ parent }: ElementNode): ElementNode | undefined {
  const isScope = ({ tag, attributes }: ElementNode): boolean =>
    tag === "article" ||
    (attributes.has("itemscope") && !/Person|Organi[sz]ation/.test(attributes.get("itemtype") ?? ""));
  return findAround(parent, isScope, MAX_STEPS);
}

/** Whether names around an element say that it is in a reader's comment, or in one of a product's reviews. */
export function isAtComment(element: ElementNode): boolean {
  return isOrIsIn(
    element,
    (open) =>
      open.attributes.size > 0 &&
      open.tag !== "body" &&
      (/comment/i.test(namesOf(open)) || open.attributes.get("itemprop") === "review"),
    MAX_STEPS,
  );
}

/** The credit of a theme in the footer, which WooCommerce marks as an author. */
const CREDIT =
  /^(?:built|made|construit|créé|erstellt|gebaut|creado|construido|creato|realizzato|gebouwd|gemaakt|criado|construído|desenvolvido|byggd|bygget|создано) (?:with|avec|mit|con|met|com|med|с) /iu;

/** The text of a byline; "" if it is too long for a name, or the credit of a theme. */
function readByline(element: ElementNode): string {
  const named = findElement(element, (child) => child.attributes.get("itemprop") === "name");
  const name = named?.attributes.get("content") ?? textOf(named ?? element, MAX_BYLINE + 1);
  return name.length <= MAX_BYLINE && !CREDIT.test(name) ? name : "";
}

/** Joins the names with commas. The name of the site is dropped if there are other names. */
function joinPeople(names: readonly string[], isOwn: (name: string) => boolean): string | undefined {
  const all = new Set(names.flatMap(toNames).map((name) => cutOwn(name, isOwn)));
  const others = [...all].filter((name) => !isOwn(name));
  const people = others.length > 0 ? others : [...all];
  return people.length > 0 ? people.slice(0, MAX_AUTHORS).join(", ") : undefined;
}

/** Cuts the name of the site behind a person's: "Ann Lee, herald.example", "Ann Lee (The Herald)"; and "Par" before it. */
function cutOwn(name: string, isOwn: (name: string) => boolean): string {
  const bare = cutLead(name, "shown");
  if (isOwn(bare)) return bare;
  const [, person = "", site = ""] = BEHIND.exec(name) ?? [];
  return isOwn(site) ? person : name;
}

const BEHIND = /^([^,(]+)(?:,\s+|\s+\()([^,()]+)\)?$/;

/** A label that is joined with the name after it: "ByAda Lund". */
const GLUED = /^By(?=\p{Lu}\p{Ll}+ \p{Lu})/u;
/**
 * Not a name: a link to a profile, a handle, a number, a photo credit, the words of a button, the value of a missing
 * name, what follows a missing name (", The Herald"), or the editor or source of a Chinese or Japanese text.
 */
const NO_NAME =
  /^(?:(?:https?:|www\.|[@(,/]|[\d.]+$|[\w-]+\.(?:com|org|net)\/)|(?:null|undefined|none|n\/a|\[object object\]|(?:see |view |read )?(?:full )?(?:bio|profile))$|(?:page )?(?:published|updated|posted)(?: on| at)? \d|(?:developed|designed|powered) by |[\p{Script=Han}\p{Script=Katakana}]{2,8}[:：]|(?:责任编辑|責任編輯|编辑|編輯|来源|來源)\s)/iu;

/** A semicolon that does not end an entity, because some pages escape their values twice. */
const SEMICOLON = /\s*(?:(?<!&#?\w{1,9});|；)\s*/;

/** A name of a library's catalogue, with the years of birth and death: "Curie, Marie, 1867-1934". */
const CATALOGUED = /^([^,]+), ([^,()]+?)(?: \([^()]*\))?, (?:ca?\. )?\d{4}\??[-–](?:\d{4}\??)?\.?$/;

/** The names in a value; a byline may hold several. */
function toNames(value: string): string[] {
  const said = normaliseText(value.slice(0, MAX_VALUE))
    .replace(/^["“”„«]+|["“”»]+$/g, "")
    .replace(CATALOGUED, "$2 $1");
  const bare = cutLead(said, "stated");
  const people = bare
    .split(SEMICOLON)
    .filter((name) => name !== "")
    .map((name) => (name.includes("@") ? (nameOf(name) ?? name) : name));
  return chooseNames(people, { bare, isLed: bare !== said }).flatMap((each) => {
    const name = each
      .replace(GLUED, "")
      .replace(/(?<=\S)\s+https?:\S+/g, "")
      .replace(/(?:\s*\|.*|[\s,]+)$/, "");
    return name === "" || NO_NAME.test(name) ? [] : [name];
  });
}

/** `bare`: the value without the words before the names; `isLed`: whether there are such words. */
function chooseNames(
  people: readonly string[],
  { bare, isLed }: { readonly bare: string; readonly isLed: boolean },
): readonly string[] {
  if (people.length > 1 && people.every(isName)) return hasFamily(people) ? people.map(turnName) : people;
  // The text after a comma may also be a rank.
  const names = isLed && !bare.includes(",") ? splitNames(bare) : [];
  if (names.length > 0) return names;
  return people.length === 1 ? people : [bare];
}
