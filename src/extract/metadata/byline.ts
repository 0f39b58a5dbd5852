/** Reads the authors from the bylines that a page shows, for pages that do not state them in their metadata. */
import type { ElementNode } from "../../document/tree.js";
import { isOrIsIn } from "../around.js";
import { findElement, textOf } from "../elements.js";
import { normaliseText } from "../lines/text/characters.js";
import { namesOf } from "./dates/date-places.js";
import { cutLead } from "./leads.js";

/** The largest length of a byline, and of one name, in characters. */
const MAX_BYLINE = 120;
const MAX_NAME = 50;
/** The largest number of words in a name, and of names in a byline. */
const MAX_WORDS = 5;
const MAX_PEOPLE = 8;
/** The number of ancestors that are checked to see what a byline belongs to. */
const MAX_STEPS = 8;
/** The number of nodes behind a time that are read. */
const MAX_BEHIND = 4;

/** Text after a name: the date, the author's role, how to reach the author. */
const TAIL =
  /\s*(?:[|·•/@([»]|\s[–—-]\s|,?\s(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|fév|avr|mai|juin|juil|aoû|déc|ene|abr|ago|dic|gen|mag|giu|lug|set|ott|okt|dez|mär)\p{L}{0,7}\.?\s+\d|,?\s(?:le|el|em|am|il|den|dne|dnia)\s(?:\p{L}{2,12},?\s)?\d|(?<!\p{L})(?:on|at|in|updated|published|posted|for|with|avec|mit)(?!\p{L})|,?\s+(?:staff|senior|contributor|editor|reporter|correspondent|writer)\b|,?\s*(?:\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b)).*$/iu;

/** A mark between two names, or the word for "and". */
const SEPARATOR =
  /\s*(?:[,;、，،&]|\s(?:and|und|et|y|e|och|en|og|ja|un|ir|és|și|ve|və|dan|và|и|й|і|та|και|և|და|و|اور|और|এবং|ও)\s)\s*/u;

const ASIDE = /^(?:nav|footer|aside|form)$/;
/** Class names of a footer with the author of a text, which Drupal has above it: "node__meta", "entry-meta". */
const META = /(?:^|[\s_-])meta(?:$|\s)/;
const OTHER =
  /comment|respond|disqus|related|(?<!\b(?:has|with|no)[-_]?)sidebar|footer|widget|recommend|newsletter|review|testimonial|rating|quote|role|bio|about-?author|author-?(?:box|bio|card|info|desc)|teaser|card/i;

/** Class names and ids of the part of a page with its main text, which may have one of these words, too: "main widget". */
const MAIN = /(?:^|\s)main(?:\s|$)/;

/** The line below the title of a thread in XenForo, which links to the user who started the thread. */
const STARTED = /(?:^|\s)(?:p-description|pageDescription)(?:\s|$)/;

/** The names of those who wrote the posts of vBulletin 3 and 4, MyBB and Invision Community. */
const POSTER = /(?:^|\s)(?:bigusername|username_container|author_information|cAuthorPane_author)(?:\s|$)/;
/** These names in SMF and Vanilla: common class names, and those of the element around. */
const POSTER_IN: ReadonlyMap<string, string> = new Map([
  ["poster", "post_wrapper"],
  ["Author", "AuthorWrap"],
]);

function isPoster(element: ElementNode): boolean {
  const around = POSTER_IN.get(element.attributes.get("class") ?? "");
  return around === undefined
    ? POSTER.test(namesOf(element))
    : element.parent?.attributes.get("class") === around;
}

/**
 * The names in the first element that is a byline of the page; undefined if no element is. `isContinued`: the first post
 * is on another page.
 */
export function findByline(
  callings: readonly ElementNode[],
  isContinued: boolean,
): readonly string[] | undefined {
  const poster = callings.find(isPoster);
  if (poster !== undefined) return isContinued ? undefined : nameOfPoster(poster);
  for (const element of callings) {
    if (STARTED.test(namesOf(element))) {
      const starter = findElement(
        element,
        ({ tag, attributes }) => tag === "a" && /^username(?:\s|$)/.test(attributes.get("class") ?? ""),
      );
      if (starter !== undefined) return [textOf(starter, MAX_NAME)];
      continue;
    }
    if (
      element.tag === "time" ||
      isElsewhere(element) ||
      /^poster(?:\s|$)|role|avatar|url|link-?list|button/i.test(namesOf(element))
    )
      continue;
    // Drupal has its line of author and date in the language of the site: "Submitted by Ann Lee on …".
    if (/submitted/.test(namesOf(element)) && !isLed(element)) continue;
    const text = textOf(element, MAX_BYLINE + 1);
    const poster = posterIn(element, text);
    if (poster !== undefined) return [poster];
    if (
      !isLed(element) &&
      callings.some((inner) => isLed(inner) && isOrIsIn(inner.parent, (open) => open === element, MAX_STEPS))
    )
      continue;
    const linked = namesInLinks(element);
    const people = linked.length > 0 ? linked : namesIn(element, text);
    if (people.length > 0) return people;
    const account = isAccount(element, text) ? text : accountIn(element, text);
    if (account !== undefined) return [account];
  }
  return undefined;
}

/** The text of the first link or, as guests have none, of the first element. */
function nameOfPoster(poster: ElementNode): string[] {
  const holdsText = (inner: ElementNode): boolean => textOf(inner, MAX_NAME) !== "";
  const name =
    poster.tag === "a"
      ? poster
      : (findElement(poster, (inner) => inner.tag === "a" && holdsText(inner)) ??
        findElement(poster, holdsText));
  return name === undefined ? [] : [textOf(name, MAX_NAME)];
}

/** The names in the words right behind the first time of a page: "<time>2 May 2024</time> by Ann Lee (3 comments)". */
export function findBehindTime(times: readonly ElementNode[]): readonly string[] {
  const [time] = times;
  if (time?.parent == null || isElsewhere(time)) return [];
  const { children } = time.parent;
  const at = children.indexOf(time) + 1;
  const text = normaliseText(
    children
      .slice(at, at + MAX_BEHIND)
      .map((node) => (node.kind === "text" ? node.value : ` ${textOf(node, MAX_BYLINE)}`))
      .join(""),
  );
  return cutLead(text, "shown") === text ? [] : splitNames(text);
}

/**
 * The names in links to the pages of authors: those of the only byline ("By <a href="/author/ann">Ann Lee</a>"), or else
 * the only name. Profiles may also be those of readers and staff.
 */
export function findSigned(signed: readonly ElementNode[]): readonly string[] {
  const links = signed.flatMap((link) => {
    const [name, other] = isElsewhere(link) ? [] : splitNames(textOf(link, MAX_BYLINE + 1));
    return name?.includes(" ") === true && other === undefined ? [{ name, link }] : [];
  });
  const led = links.filter(({ link: { parent } }) => parent !== null && isLed(parent));
  const isOneByline = new Set(led.map(({ link: { parent } }) => parent)).size === 1;
  const own =
    led.length > 0
      ? led
      : links.filter(({ link: { attributes } }) => !/\/(?:profile|staff)/.test(attributes.get("href") ?? ""));
  const names = new Set(own.map(({ name }) => name));
  return isOneByline || names.size === 1 ? [...names] : [];
}

/** Whether an element begins with a word like "by". */
function isLed(element: ElementNode): boolean {
  const text = textOf(element, MAX_BYLINE);
  return cutLead(text, "shown") !== text;
}

/** The names in a byline, or in its first child if that begins with "by" and the others show the site or the date. */
function namesIn(element: ElementNode, text: string): string[] {
  const names = splitNames(text);
  const first = element.children.find((child) => child.kind === "element");
  const part = first !== undefined && isLed(first) ? splitNames(textOf(first, MAX_BYLINE + 1)) : [];
  return part.length > 0 && !part.every((name) => names.includes(name)) ? part : names;
}

/** The name of the account that a byline begins with: "by <a href="/members/68032/">ann92</a>, on …". */
function accountIn(element: ElementNode, text: string): string | undefined {
  const bare = cutLead(text, "shown");
  if (bare === text) return undefined;
  const link = findElement(
    element,
    (inner) => inner.tag === "a" && isAccount(inner, textOf(inner, MAX_NAME)),
  );
  const name = link && textOf(link, MAX_NAME);
  return name !== undefined && bare.startsWith(name) ? name : undefined;
}

/**
 * The author of a post in phpBB, whatever the name looks like: "by <a>ann92</a> » 3 May 2020", at the start of the
 * post.
 */
function posterIn(element: ElementNode, text: string): string | undefined {
  if (!/ » .*\d/.test(text)) return undefined;
  const name = findElement(element, (inner) => {
    if (inner.tag !== "a" && inner.attributes.get("class")?.startsWith("username") !== true) return false;
    const said = textOf(inner, MAX_NAME);
    return said !== "" && text.includes(`${said} » `);
  });
  return name && textOf(name, MAX_NAME);
}

/** Whether an element links to the profile of a user whose name is one word. */
function isAccount({ tag, attributes }: ElementNode, text: string): boolean {
  const href = tag === "a" ? (attributes.get("href") ?? "") : "";
  return /(?:^|\/)(?:users?|u|members?)[/?]/.test(href) && /^[\w.-]{2,30}$/.test(text);
}

function isElsewhere(element: ElementNode): boolean {
  let open: ElementNode | null = element.parent;
  for (let step = 0; step < MAX_STEPS && open !== null; step += 1) {
    const names = namesOf(open);
    if (ASIDE.test(open.tag) && !(open.tag === "footer" && META.test(names))) return true;
    if (open.tag === "li" && step > 2) return true;
    if (open.tag !== "body" && OTHER.test(names) && !MAIN.test(names)) return true;
    open = open.parent;
  }
  return false;
}

/** The names in links to authors; usually each author has a link. */
function namesInLinks(element: ElementNode): string[] {
  const names = new Set<string>();
  findElement(element, (inner) => {
    if (
      inner.tag === "a" &&
      /author|profile|people|by\/|team|contributor|staff|journalist/i.test(inner.attributes.get("href") ?? "")
    ) {
      const [name] = splitNames(textOf(inner, MAX_BYLINE + 1));
      if (name !== undefined) names.add(name);
    }
    return names.size >= MAX_PEOPLE;
  });
  return [...names];
}

/** Splits a byline into names; returns an empty list if it is too long or a part is not a name. */
export function splitNames(text: string): string[] {
  if (text.length > MAX_BYLINE) return [];
  const behind = namesBehindSection(text);
  if (behind.length > 0) return behind;
  const bare = cutLead(text, "shown").replace(TAIL, "");
  const names = bare.split(SEPARATOR).map((name) =>
    cutLead(name, "shown")
      .replace(/[\s»›>|·]+$/u, "")
      .trim(),
  );
  const people = names.filter((name) => name !== "");
  return people.length <= MAX_PEOPLE && people.every(isName) ? people : [];
}

/** The names in "Politik · Anna Müller, Jörg Maß": one word, and after it full names only. */
function namesBehindSection(text: string): string[] {
  const [, rest = ""] = /^\s*\p{L}+\s+[·•|]\s+([^·•|]+)$/u.exec(text) ?? [];
  const names = rest === "" || ROLE.test(rest) ? [] : splitNames(rest);
  return names.every((name) => name.includes(" ")) ? names : [];
}

/** Words for what a person does, or of a line about the text. */
export const ROLE = /writer|editor|reporter|correspondent|staff|author|(?<!\p{L})(?:min(?:utes?)?|read)\b/iu;

/**
 * Whether a text is a few words that each begin with a capital, or with a letter of a script without capitals. The
 * letters of Georgian are small letters to Unicode, although no text has capitals of them.
 */
export function isName(name: string): boolean {
  const words = name.split(/\s+/);
  if (
    name.length > MAX_NAME ||
    words.length > MAX_WORDS ||
    !/\p{L}\p{M}*\p{L}/u.test(name) ||
    /[\d?!:]/.test(name)
  )
    return false;
  const isCased = (word: string): boolean =>
    /^(?:[^\p{Ll}]|\p{Script=Georgian}|d['’]|(?:de|del|della|di|da|dos|van|von|der|den|la|le|el|al|bin|ibn|y|e|zu|ten|ter)$)/u.test(
      word,
    );
  return (
    words.every(isCased) &&
    !/^(?:\+.*|(?:topic|thread|original) (?:author|starter|poster)|participant|member|moderator|advertisement|share|share this .*|home|author|by|staff|guest|admin|editor|follow|about(?: .*)?|written|mon|tue|wed|thu|fri|sat|sun)$/i.test(
      name,
    )
  );
}
