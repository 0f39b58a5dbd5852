/** Finds the date of a page that does not state it: in its address, or beside its headline. */
import { parseUrl } from "../../../parse-url.js";
import type { ElementNode, ParsedPage } from "../../../document/tree.js";
import { elementBefore, findAround, isOrIsIn } from "../../around.js";
import { isCommentPath } from "../../comment-paths.js";
import { DAY_MS, toDate } from "./calendars.js";
import { normaliseDate } from "./date.js";
import { findDatePlaces, namesOf, statedTimeOf, type DatePlace, type Heading } from "./date-places.js";
import { findDates } from "./dates-in-text.js";
import { textOf } from "../../elements.js";

/**
 * The largest number of visible characters between the headline and a date that belongs to it. (On development pages
 * that also state a date, the rules of this file find the stated day, give or take one, 274 times of 314 in WCXB and 54
 * times of 54 in waddle; most of the others show the date of a later edition without saying so. From 150 to 400
 * characters after the headline, every fourth date is a wrong one.)
 */
const MAX_BEHIND = 150;
const MAX_BEFORE = 120;
/** The largest length of a line with a date, and of its other text (twice that if the line begins with the date). */
const MAX_LINE = 160;
const MAX_REST = 60;
/** Lists of more terms and definitions do not describe a member. */
const MAX_TERMS = 100;
/** The largest length of an author beside a date in one link. */
const MAX_BESIDE = 20;
/** The largest length of words before a date that name it. */
const MAX_LABEL = 20;
/** The number of ancestors whose names are checked for the kind of the date, and the largest depth of a path. */
const MAX_STEPS = 4;
const MAX_PATH = 100;
/** The number of characters of a class attribute that are compared. */
const MAX_CLASS = 200;
/** The number of places that are checked on either side of the headline. */
const MAX_NEAR = 40;
/** The largest number of places of one kind that may agree on a day. */
const MAX_ALIKE = 6;
const DAY_LENGTH = "2019-05-17".length;

/** Names of elements with other dates, and with the date of first publication. */
const OTHER_NAME =
  /updat|modif|changed|revis|edited|review|expir|event|start|(?:^|[\s_-])(?:end|due|until)s?(?:$|\s|[_-]?(?:date|time|day|on))|deadline|birth|copyright|joined|registered|member-?since|date-(?:upcoming|past)|(?:^|[\s_-])todays?(?:$|[\s_-])|current[_-]?date/i;
const FIRST_NAME = /publish|pubdate|posted|pubtime|created/i;

/** Words before the date on which a user joined. */
const JOINED =
  /(?:joined|registered|registration|member since|registriert|registrierung|dabei seit|mitglied seit|inscri(?:t|ption)|membre depuis|registrad[oa]|registro|miembro desde|membro desde|ingresso|iscritto|membro dal|lid sinds|geregistreerd|lid geworden|medlem sedan|registrerad|medlem siden|registrert|registreret|rekisteröitynyt|liittynyt|dołączył|rejestracja|registrován|založen|csatlakozott|regisztrált|katılım|üyelik|kayıt|зарегистрирован|регистрация|зареєстрован|реєстрація|εγγραφή|注册|註冊|登録日|가입)[\s:：]\D{0,20}\d/iu;

/** Words before the date of a later edition. */
const LATER =
  /updat|modif|aktualis|geändert|bearbeitet|revis|review|mis à jour|actualiz|atualiz|aggiorn|actualitz|ažurir|ажурир|posodob|uuendat|muudet|atjaun|atnaujin|обнов|изменен|оновлен|uppdater|ändrad|päivit|oppdater|opdater|bijgewerkt|aktualiz|güncel|frissít|ενημερώ|تحديث|به?.?روز.?(?:رسانی|شده)|ویرایش|עודכן|अपडेट|संशोधित|আপডেট|cập nhật|diperbarui|อั[ปพ]เด[ตท]|ปรับปรุง|แก้ไข|更新|修改|改訂|업데이트|수정|last|stand:|copyright|©/iu;

/** Words before the dates on which a journal received and accepted a paper. */
const SUBMITTED =
  /(?:received|accepted|eingegangen|angenommen|reçu|accepté|recibido|aceptado|recebido|aceito|ricevuto|accettato|收稿|录用|受付|受理)(?:\s(?:on|le|el|em|il|am)|\s?日期)?[\s:：]*$/iu;

interface DateHints {
  readonly title: string | undefined;
  readonly site: string | undefined;
  /** The language of the page, if it states one. */
  readonly lang: string | undefined;
  /** The address that the page states itself. */
  readonly address: string | undefined;
  /** Whether another page of the same thread comes before this one. */
  readonly isContinued: boolean;
  readonly isPlausible: (date: string) => boolean;
  /** Does what `isHiddenByPage` does, but faster (see walk.ts). */
  readonly isHidden?: ((element: ElementNode) => boolean) | undefined;
}

/** Returns an ISO 8601 day, or a day and time; undefined if no date of the page is clearly its own. */
export function findPageDate(page: ParsedPage, hints: DateHints): string | undefined {
  const path = pathOf(page.url) ?? pathOf(hints.address ?? "");
  // The front page of a site shows the dates of other pages, and is as old as the latest of them.
  if (path === "/") return latestDate(page, hints);
  const stated = path === undefined ? undefined : dateInPath(path);
  return stated !== undefined && hints.isPlausible(stated) ? stated : dateAtHeadline(page, hints);
}

function pathOf(address: string): string | undefined {
  return parseUrl(address)?.pathname;
}

/** A day in a path: /2019/05/17/name, /2019-05-17-name, /20190517/name. A path that ends with the day is an archive. */
const DAY_IN_PATH =
  /\/(?:(?<year>(?:19|20)\d\d)(?<mark>[/-])(?<month>\d\d)\k<mark>(?<day>\d\d)|(?<y>(?:19|20)\d\d)(?<m>\d\d)(?<d>\d\d))[/_-]\w/u;

/** Returns `2019-05-17`; undefined if the path has no such day, or if the day does not exist. */
export function dateInPath(path: string): string | undefined {
  const { year, month, day, y, m, d } = DAY_IN_PATH.exec(path)?.groups ?? {};
  return toDate(Number(year ?? y), Number(month ?? m), Number(day ?? d));
}

/** The title of a log, an issue or a meeting ends with its day. A shown date one day off is that of its neighbour. */
function dateAtHeadline(page: ParsedPage, hints: DateHints): string | undefined {
  const shown = shownAtHeadline(page, hints);
  const titled = dateOfTitle(hints);
  if (titled === undefined || shown === undefined) return titled ?? shown;
  return shown.length === DAY_LENGTH && Math.abs(Date.parse(shown) - Date.parse(titled)) === DAY_MS
    ? titled
    : shown;
}

/** The text between a title and its day, and the text after the day. */
const BEFORE_DAY =
  /(?:^|[-–—|:·,(]|\s(?:for|of|on|from|vom|du|del|van))\s*(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s*)?$/i;
const BEHIND_DAY = /^\s*(?:\([^()]{0,20}\)|\))?\s*$/;

function dateOfTitle({ title, lang, isPlausible }: DateHints): string | undefined {
  if (title === undefined || title.length > MAX_LINE) return undefined;
  const [only, other] = findDates(title, lang);
  if (only === undefined || other !== undefined || !isPlausible(only.date)) return undefined;
  const isDay = BEFORE_DAY.test(title.slice(0, only.start)) && BEHIND_DAY.test(title.slice(only.end));
  return isDay ? only.date : undefined;
}

function shownAtHeadline(page: ParsedPage, hints: DateHints): string | undefined {
  const { places, headings } = findDatePlaces(page, hints.title ?? "", hints.isHidden);
  if (places.length === 0) return undefined;
  const headline = findHeadline(headings, hints);
  return (
    (headline && dateBeside(headline, places, hints)) ??
    lonelyDate(places, hints) ??
    phrasedDate(places, hints) ??
    (headline && bareDate(headline, places, hints)) ??
    laterDate(places, hints)
  );
}

/** For a page that only states when it was changed: the day that all lines with such a date agree on. */
function laterDate(places: readonly DatePlace[], hints: DateHints): string | undefined {
  const dates = new Set<string>();
  for (const { kind, element, text } of places) {
    if (kind !== "line") continue;
    const whole = textOf(element, MAX_REST);
    const line = whole.length < MAX_REST ? whole : text.trim();
    if (line.length >= MAX_REST || !LATER.test(line)) continue;
    if (NO_EDITION.test(whole) && !INFO_OF_WIKI.test(namesOf(element))) continue;
    if (isCommentPath(pathTo(element))) continue;
    const [first] = findDates(line, hints.lang);
    if (first !== undefined && hints.isPlausible(first.date)) dates.add(first.date);
  }
  return onlyOf(dates);
}

/** The line below a page of DokuWiki, MoinMoin or XWiki that says who changed it, and when. */
const INFO_OF_WIKI = /(?:^|\s)(?:docInfo|pageinfo|xdocLastModification)(?:\s|$)/;

/** A copyright notice, or the note that someone edited a post of a forum. */
const NO_EDITION = /copyright|©|(?<!^created|^erstellt|^créée?|^cread[oa])\s(?:by|von|par|por|door|av|af)\s/i;

/** The day on which all lines below the headline agree that hold only a date. */
function bareDate(headline: Heading, places: readonly DatePlace[], hints: DateHints): string | undefined {
  const dates = new Set<string>();
  for (const place of places) {
    const { kind, element, text, at } = place;
    const line = text.trim();
    if (kind !== "line" || at < headline.end || at > headline.end + MAX_BARE) continue;
    if (line.length > MAX_DATE_LINE || textOf(element, MAX_LINE) !== line) continue;
    const [date, second] = findDates(line, hints.lang);
    if (date === undefined || second !== undefined || date.end - date.start !== line.length) continue;
    if (readPlace(place, hints) !== undefined) dates.add(date.date);
  }
  return onlyOf(dates);
}

/** The largest length of a line that is only a date, and the largest distance from the headline, in characters. */
const MAX_DATE_LINE = 40;
const MAX_BARE = 300;

/** The only date of the set; undefined if it has several. */
function onlyOf(dates: ReadonlySet<string>): string | undefined {
  const [only, other] = dates;
  return other === undefined ? only : undefined;
}

/** The latest day that a place of the page shows. */
function latestDate(page: ParsedPage, hints: DateHints): string | undefined {
  return findDatePlaces(page, "", hints.isHidden)
    .places.map((place) => readPlace(place, hints)?.slice(0, DAY_LENGTH))
    .filter((date) => date !== undefined)
    .sort()
    .at(-1);
}

/** Words before the date of publication, anywhere on the page. */
const PUBLISHED =
  /publish|posted (?:on|at|by|the)|written on|veröffentlicht|erschienen|geschrieben am|erstellt am|wurde am|publié|mis en ligne|publica(?:d[oa]|t(?!\p{L}))|pubblicat[oa]|gepubliceerd|geplaatst op|publicerad|publisert|udgivet|julkaistu|opublikowan|publikov[aá]n|vydáno|zveřejněno|zverejnen|objavljen|објављен|публикуван|avaldatud|publicēts|paskelbt|megjelent|yayın|опубликован|опубліковано|δημοσι|نشر|انتشار|פורסם|प्रकाशित|প্রকাশ|đăng (?:ngày|lúc)|xuất bản|diterbitkan|dipublikasikan|diposting|เผยแพร่|发布|發布|发表|發表|公開日|投稿日|掲載日|配信日|게시|입력|승인/iu;

/** An author followed directly by a date: "Von Ada Lund am …". */
const SIGNING = /^(?:by|von|par|por|door|av|af)\s/i;
const SIGNED = /^(?:by|von|par|por|door|av|af)\s[^\s,|]+(?:\s[^\s,|]+){0,4}\s(?:on|am|le|el|em|op|den)\s+$/iu;

/** The day on which all lines agree that name it as the date of publication, or that are a byline with a date. */
function phrasedDate(places: readonly DatePlace[], hints: DateHints): string | undefined {
  const dates = new Set<string>();
  for (const { kind, element, text } of places) {
    if (kind !== "line") continue;
    const whole = textOf(element, MAX_LINE);
    const line = whole.length < MAX_LINE ? whole : text.trim();
    if (line.length >= MAX_LINE) continue;
    const isPhrased = PUBLISHED.test(line);
    if (!(isPhrased || SIGNING.test(line)) || LATER.test(line)) continue;
    if (isOther(element) || isCommentPath(pathTo(element))) continue;
    const [first] = findDates(line, hints.lang);
    if (first === undefined || !hints.isPlausible(first.date)) continue;
    if (isPhrased || SIGNED.test(line.slice(0, first.start))) dates.add(first.date);
  }
  return onlyOf(dates);
}

/**
 * The day on which all places of one kind agree that are marked up as dates. A kind with many places is skipped,
 * because it is a list.
 */
function lonelyDate(places: readonly DatePlace[], hints: DateHints): string | undefined {
  for (const kind of ["time", "name"] as const) {
    const dates = new Map<string, string>();
    const alike = places.filter((place) => place.kind === kind);
    if (alike.length > MAX_ALIKE) continue;
    for (const place of alike) {
      const date = readPlace(place, hints);
      if (date !== undefined) dates.set(date.slice(0, DAY_LENGTH), date);
    }
    const [only, other] = dates.values();
    if (other !== undefined) return undefined;
    if (only !== undefined) return only;
  }
  return undefined;
}

function dateBeside(headline: Heading, places: readonly DatePlace[], hints: DateHints): string | undefined {
  const behind = places
    .filter(({ at }) => at >= headline.end && at < headline.end + MAX_BEHIND)
    .slice(0, MAX_NEAR);
  const before = places
    .filter(({ at }) => at < headline.start && at >= headline.start - MAX_BEFORE)
    .slice(-MAX_NEAR);
  return firstDate(behind, places, hints) ?? firstDate(before.reverse(), places, hints);
}

/** The heading, or else the text, that repeats the title; otherwise the only `h1` of the page. */
function findHeadline(headings: readonly Heading[], { title, site }: DateHints): Heading | undefined {
  const lower = title?.toLowerCase();
  const said = headings.filter(({ text }) => lower !== undefined && isTitle(text.toLowerCase(), lower));
  const firsts = headings.filter(({ kind }) => kind === "h1");
  const lonely = firsts.length === 1 && firsts[0]?.text !== site ? firsts[0] : undefined;
  return (
    said.find(({ kind }) => kind === "h1") ?? said.find(({ kind }) => kind === "heading") ?? said[0] ?? lonely
  );
}

/** Whether a heading is the title, both in lower case. Either may also hold the name of the site or of a section. */
function isTitle(heading: string, title: string): boolean {
  return heading === title || (heading.length >= 4 && (holds(heading, title) || holds(title, heading)));
}

function holds(long: string, short: string): boolean {
  return short.length * 2 >= long.length && long.includes(short);
}

/** The first date near the headline; places that are marked up as dates come before plain lines. */
function firstDate(
  near: readonly DatePlace[],
  places: readonly DatePlace[],
  hints: DateHints,
): string | undefined {
  for (const kind of ["time", "name", "line"] as const) {
    for (const place of near) {
      if (place.kind !== kind) continue;
      const date = readPlace(place, hints);
      if (date !== undefined && isOwn(place, places, hints)) return date;
    }
  }
  return undefined;
}

function readPlace({ kind, element, text }: DatePlace, hints: DateHints): string | undefined {
  if (isOther(element) || isInTeaser(element) || isCommentPath(pathTo(element))) return undefined;
  if (kind === "time") {
    const date = normaliseDate(statedTimeOf(element) ?? "", hints.lang);
    const isDay = date !== undefined && date.length >= DAY_LENGTH && hints.isPlausible(date);
    if (!isDay) return undefined;
    return isLater(element) ? readBeforeLater(element, hints) : date;
  }
  const line = textOf(element, MAX_LINE).replace(APART, "$1$2$3$2$4");
  const term = element.tag === "dd" ? elementBefore(element, MAX_TERMS) : undefined;
  const named = term === undefined ? line : `${textOf(term, MAX_LINE)} ${line}`;
  if (line.length < MAX_LINE && JOINED.test(named)) return undefined;
  const date = readLine(line, hints);
  if (date !== undefined || kind !== "line") return date;
  // If the block holds more than the line, the text between two elements is read as the line.
  const part = text.trim();
  const at = Math.max(0, line.indexOf(part));
  const [label = ""] = /[^.]*$/.exec(line.slice(Math.max(0, at - MAX_LABEL), at)) ?? [];
  return LATER.test(label) ? undefined : readLine(part, hints);
}

/** Three numbers of a date that are in elements of their own: "2019 - 03 - 05" of LiveJournal, "05 . 03 . 2019". */
const APART = /\b(\d{1,4}) ?([-./]) ?(\d\d?) ?\2 ?(\d{1,4})\b/g;

/** The first date in a text like "Posted: 14 Oct 2022 | Last updated: 24 minutes ago". */
function readBeforeLater(element: ElementNode, { lang, isPlausible }: DateHints): string | undefined {
  const text = textOf(element, MAX_LINE);
  const [first] = findDates(text.slice(0, Math.max(0, text.search(LATER))), lang);
  return first !== undefined && isPlausible(first.date) ? first.date : undefined;
}

/** The date of a line that holds little else. */
function readLine(line: string, { lang, isPlausible }: DateHints): string | undefined {
  if (line.length >= MAX_LINE) return undefined;
  const found = findDates(line, lang);
  const dates: string[] = [];
  let rest = "";
  let from = 0;
  for (const { date, start, end } of found) {
    const before = line.slice(from, start);
    if (!SUBMITTED.test(before)) dates.push(date);
    rest += before;
    from = end;
  }
  rest += line.slice(from);
  // Of two dates the earlier one is the date of publication, whatever the words around the other say.
  const most = found[0]?.start === 0 ? 2 * MAX_REST : MAX_REST;
  if (rest.length > most || (found.length < 2 && LATER.test(rest))) return undefined;
  return dates.filter(isPlausible).sort()[0];
}

/** Whether the words before a `<time>`, in the same parent, or the words in it, name a later edition. */
function isLater(element: ElementNode): boolean {
  const siblings = element.parent?.children ?? [];
  let before = "";
  for (let at = siblings.indexOf(element) - 1; at >= 0 && before.length < MAX_REST; at -= 1) {
    const sibling = siblings[at];
    if (sibling === undefined) break;
    before = `${sibling.kind === "text" ? sibling.value : ` ${textOf(sibling, MAX_LINE)}`}${before}`;
  }
  return LATER.test(before.slice(-MAX_REST)) || LATER.test(textOf(element, MAX_LINE));
}

/** Whether the names of the element or of elements around it mark another kind of date; the innermost match decides. */
function isOther(element: ElementNode): boolean {
  // The end of a poll of phpBB.
  if (elementBefore(element, MAX_TERMS)?.attributes.get("class") === "poll-title") return true;
  let open: ElementNode | null = element;
  for (let step = 0; step < MAX_STEPS && open !== null; step += 1) {
    const names = `${namesOf(open)} ${open.attributes.get("itemprop") ?? ""}`;
    if (FIRST_NAME.test(names)) return false;
    if (OTHER_NAME.test(names)) return true;
    open = open.parent;
  }
  return false;
}

/** Whether an element is in a link that says more than a date and an author: it leads to another page. */
function isInTeaser(element: ElementNode): boolean {
  const isLink = ({ tag, attributes }: ElementNode): boolean => tag === "a" && attributes.has("href");
  const link = findAround(element.parent, isLink, MAX_STEPS);
  if (link === undefined) return false;
  const { length } = textOf(link, MAX_LINE);
  return length < MAX_LINE && length - textOf(element, MAX_LINE).length > MAX_BESIDE;
}

function isOwn(place: DatePlace, places: readonly DatePlace[], { isContinued }: DateHints): boolean {
  return (isInPost(place) && !isContinued) || !isOneOfMany(place, places);
}

/** Whether a date is at the head of a post of phpBB. A thread is as old as its first post. */
function isInPost({ kind, element }: DatePlace): boolean {
  const isHead = kind === "time" || isOrIsIn(element, (open) => AUTHOR_LINE.test(namesOf(open)), 2);
  return isHead && isOrIsIn(element, (open) => /(?:^|\s)postbody(?:$|\s)/.test(namesOf(open)), MAX_STEPS);
}

/** The line below the title of a post; phpBB before 3.2 has no `<time>` in it. */
const AUTHOR_LINE = /(?:^|\s)author(?:$|\s)/;

/**
 * Whether the page has more places of the same sort. Then the page is a list, and each entry has a date of its own. Two
 * places with the same parent are allowed: they are the dates of the first and of a later edition.
 */
function isOneOfMany({ kind, element }: DatePlace, places: readonly DatePlace[]): boolean {
  const sort = sortOf(element);
  let beside = 0;
  for (const other of places) {
    if (other.kind !== kind || other.element === element || sortOf(other.element) !== sort) continue;
    if (other.element.parent !== element.parent) return true;
    beside += 1;
  }
  return beside > 1;
}

/** The tags and classes of an element and of the elements around it, without digits. */
function sortOf(element: ElementNode): string {
  let sort = "";
  let open: ElementNode | null = element;
  for (let step = 0; step < MAX_STEPS && open !== null; step += 1) {
    sort += `${open.tag}.${(open.attributes.get("class") ?? "").slice(0, MAX_CLASS)}>`;
    open = open.parent;
  }
  return sort.replace(/\d+/g, "");
}

function pathTo(element: ElementNode): string {
  const steps: string[] = [];
  for (let open: ElementNode | null = element; open !== null && steps.length < MAX_PATH; open = open.parent)
    steps.push(`${open.tag}.${namesOf(open).trim().replace(/\s+/g, ".")}`);
  return steps.reverse().join(">");
}
