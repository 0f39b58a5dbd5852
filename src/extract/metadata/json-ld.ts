/** Reads the metadata of a page from its JSON-LD scripts. */
import { toFields, tryJson, type Fields } from "../../json.js";
import { parseUrl } from "../../parse-url.js";
import { normaliseText } from "../lines/text/characters.js";
import { decodeScript, withoutTags } from "./plain.js";

/** Candidate values for each field, the most reliable first. */
export interface LinkedData {
  /** Headlines and names of articles and the like. */
  readonly titles: readonly string[];
  /** Names of the page itself; a name may be just the page's address. */
  readonly names: readonly string[];
  readonly authors: readonly string[];
  readonly dates: readonly string[];
  readonly sites: readonly string[];
  /** Publishers of the page; a publisher may own many sites. */
  readonly publishers: readonly string[];
  readonly langs: readonly string[];
  readonly modified: readonly string[];
  readonly descriptions: readonly string[];
  readonly images: readonly string[];
  readonly licenses: readonly string[];
  readonly tags: readonly string[];
  readonly categories: readonly string[];
  readonly types: readonly string[];
}

/** The largest number of objects that are read on a page; real pages have up to a few hundred. */
const MAX_OBJECTS = 5_000;
/** The largest number of values that are read of one field. */
const MAX_VALUES = 20;
/** The number of main objects whose description is read. */
const MAX_MAIN = 2;

/** schema.org types whose headline or name is the title of the page. */
const MAIN_TYPE =
  /(?:Article|Posting|Report|Review|Recipe|Product|Question|HowTo|Book|Event|JobPosting|VideoObject|PodcastEpisode|CreativeWork|Course|Movie)$/;
const PAGE_TYPE = /(?:Page|WebSite)$/;

/**
 * `scripts`: the texts of the JSON-LD scripts. Broken JSON is repaired, or read in part. `addresses`: those of the page,
 * which tell its own objects from those of other pages.
 */
export function readJsonLd(scripts: readonly string[], addresses: readonly string[] = []): LinkedData {
  const objects = scripts.flatMap((script) => {
    const value = parseLoosely(script);
    return value === undefined ? scavenge(script) : listObjects(value);
  });
  const byId = new Map<unknown, Fields>();
  // An object with nothing but an id is a reference to another object.
  for (const object of objects) {
    const id = object["@id"];
    if (id !== undefined && Object.keys(object).length > 1 && !byId.has(id)) byId.set(id, object);
  }
  const main = keepOwn(objects, addresses);
  const pages = objects.filter((object) => hasType(object, PAGE_TYPE));
  const [first] = main;
  const described = [...(first === undefined ? [] : [first]), ...pages];
  return {
    titles: main
      .slice(0, 1)
      .flatMap((object) => [...textsOf(object["headline"]), ...textsOf(object["name"])]),
    names: pages.flatMap((object) => [...textsOf(object["headline"]), ...textsOf(object["name"])]),
    authors: firstFilled(
      described.flatMap((object) => [namesOf(object["author"], byId), namesOf(object["creator"], byId)]),
    ),
    dates: described.flatMap((object) =>
      firstFilled([textsOf(object["datePublished"]), textsOf(object["dateCreated"])]),
    ),
    sites: objects
      .filter((object) => hasType(object, /^WebSite$/))
      .flatMap((object) => textsOf(object["name"])),
    publishers: described.flatMap((object) => namesOf(object["publisher"], byId)),
    langs: described.flatMap((object) => tagsOf(object["inLanguage"])),
    modified: described.flatMap((object) => textsOf(object["dateModified"])),
    // Descriptions of a site or page object are left out, because they usually describe the whole site.
    descriptions: main
      .slice(0, MAX_MAIN)
      .flatMap((object) => textsOf(object["description"]).map(withoutTags)),
    images: described.flatMap((object) => addressesOf(object["image"] ?? object["thumbnailUrl"], byId)),
    licenses: described.flatMap((object) => addressesOf(object["license"], byId)),
    tags: firstFilled(described.map((object) => namesOf(object["keywords"], byId))),
    categories: firstFilled(
      described.map((object) => namesOf(object["articleSection"] ?? object["recipeCategory"], byId)),
    ),
    types: [...main.slice(0, 1), ...pages].flatMap((object) =>
      textsOf(object["@type"]).map((type) => type.replace(/^https?:\/\/schema\.org\//i, "")),
    ),
  };
}

/**
 * Parses JSON after repairing the most common errors: comment marks, raw control characters, commas before a bracket,
 * escaped apostrophes.
 */
export function parseLoosely(script: string): unknown {
  const bare = script
    .replace(/^\s*(?:<!--|\/\*<!\[CDATA\[\*\/|\/\/\s*<!\[CDATA\[|<!\[CDATA\[)/, "")
    .replace(/(?:-->|\/\*\]\]>\*\/|\/\/\s*\]\]>|\]\]>);?\s*$/, "");
  return tryJson(bare) ?? tryJson(repair(bare));
}

/** Reads single fields from JSON-LD that cannot be repaired: the first plain value of each. */
function scavenge(script: string): Fields[] {
  const fields = [...SCAVENGED].flatMap(([name, pattern]) => {
    const value = pattern.exec(script)?.[1];
    return value === undefined ? [] : [[name, value] as const];
  });
  return fields.length === 0 ? [] : [{ "@type": "Article", ...Object.fromEntries(fields) }];
}

const SCAVENGED: ReadonlyMap<string, RegExp> = new Map(
  ["headline", "datePublished", "dateModified", "inLanguage"].map((name) => [
    name,
    new RegExp(`"${name}"\\s{0,20}:\\s{0,20}"([^"\\\\\\n]{1,300})"`),
  ]),
);

function repair(json: string): string {
  return json
    .replace(/[\u0000-\u001f]+/g, " ")
    .replace(/, ?(?=[}\]])/g, "")
    .replace(/\\[^]/g, (escape) => (escape === "\\'" ? "'" : escape))
    .replace(/;\s*$/, "");
}

/** Keys whose objects are other pages: entries of a list, works that a text names. */
const OTHERS: ReadonlySet<string> = new Set(["itemListElement", "mentions", "citation"]);

/** All objects in a value that may be about this page, outer ones before inner ones. */
function listObjects(value: unknown): Fields[] {
  const objects: Fields[] = [];
  const open: unknown[] = [value];
  for (let next = 0; next < open.length && next < MAX_OBJECTS; next += 1) {
    const item = open[next];
    if (typeof item !== "object" || item === null) continue;
    if (!Array.isArray(item)) objects.push(toFields(item));
    for (const [key, child] of Object.entries(item))
      if (typeof child === "object" && !OTHERS.has(key) && open.length < MAX_OBJECTS) open.push(child);
  }
  return objects;
}

/** The least number of objects of one type, all of other pages, that are a list. */
const MIN_LIST = 3;

/** The main objects without those of other pages, as far as addresses tell, and without a list of questions. */
function keepOwn(objects: readonly Fields[], addresses: readonly string[]): readonly Fields[] {
  const main = objects.filter((object) => hasType(object, MAIN_TYPE));
  const questions = new Set(main.filter((object) => hasType(object, /^Question$/)));
  const single = questions.size > 1 ? main.filter((object) => !questions.has(object)) : main;
  if (single.length < 2) return single;
  const own = new Set(addresses.map(placeOf));
  own.delete(undefined);
  const isOwn = (object: Fields): boolean =>
    [...placesOf(object), placeOf(object["@id"])].some((place) => own.has(place));
  const isOther = (object: Fields): boolean => placesOf(object).length > 0 && !isOwn(object);
  const others = new Set(own.size > 0 ? single.filter(isOther) : []);
  const counts = new Map<string, number>();
  for (const { "@type": type } of others) counts.set(String(type), (counts.get(String(type)) ?? 0) + 1);
  const isList = [...counts.values()].some((count) => count >= MIN_LIST);
  return isList || single.some(isOwn) ? single.filter((object) => !others.has(object)) : single;
}

/** The places of the pages that an object says it is about. */
function placesOf(object: Fields): string[] {
  return [...listOf(object["url"]), ...listOf(object["mainEntityOfPage"])].flatMap((value) => {
    const place = placeOf(toFields(value)["@id"] ?? value);
    return place === undefined ? [] : [place];
  });
}

/** Host and path of a URL, without what may differ between the addresses of one page. */
function placeOf(url: unknown): string | undefined {
  const parsed = typeof url === "string" ? parseUrl(url) : undefined;
  return parsed && `${parsed.hostname.replace(/^www\./, "")}${parsed.pathname.replace(/\/$/, "")}`;
}

/** Whether one of the types of an object matches. */
export function hasType(object: Fields, pattern: RegExp): boolean {
  return listOf(object["@type"]).some((type) => typeof type === "string" && pattern.test(type));
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.slice(0, MAX_VALUES);
  return value === undefined || value === null ? [] : [value];
}

/** The strings of a value, which may be a string, a list, or `{"@value": …}`. */
function textsOf(value: unknown): string[] {
  return listOf(value).flatMap((item) => {
    const text = toFields(item)["@value"] ?? item;
    if (typeof text !== "string") return [];
    const decoded = normaliseText(decodeScript(text));
    return decoded === "" ? [] : [decoded];
  });
}

/** Names of people, organisations or terms. The value holds strings, objects, or references to objects by their id. */
function namesOf(value: unknown, byId: ReadonlyMap<unknown, Fields>): string[] {
  return listOf(value).flatMap((item) => {
    if (typeof item !== "object" || item === null || "@value" in item) return textsOf(item);
    const object = toFields(item);
    const named = "name" in object || "familyName" in object ? object : byId.get(object["@id"]);
    return textsOf(named?.["name"] ?? joinName(named));
  });
}

/** The name of a person who has only its parts. */
function joinName(person: Fields | undefined): string {
  return [...textsOf(person?.["givenName"]), ...textsOf(person?.["familyName"])].join(" ");
}

/** Language tags. The value holds strings, or objects of the type Language, whose `alternateName` is the tag (schema.org). */
function tagsOf(value: unknown): string[] {
  return listOf(value).flatMap((item) => textsOf(toFields(item)["alternateName"] ?? item));
}

/** URLs. The value holds strings, objects with a `url` or `contentUrl`, or references to objects by their id. */
function addressesOf(value: unknown, byId: ReadonlyMap<unknown, Fields>): string[] {
  return listOf(value).flatMap((item) => {
    if (typeof item !== "object" || item === null) return textsOf(item);
    const object = toFields(item);
    const found = "url" in object || "contentUrl" in object ? object : byId.get(object["@id"]);
    return textsOf(found?.["url"] ?? found?.["contentUrl"]);
  });
}

function firstFilled(lists: readonly (readonly string[])[]): readonly string[] {
  return lists.find((list) => list.length > 0) ?? [];
}
