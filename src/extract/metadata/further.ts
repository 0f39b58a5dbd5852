/** Reads the fields that corpora and pipelines filter by: description, picture, licence, tags and others. */
import { cutAfter } from "../../cut-after.js";
import { mergeReservations } from "../../document/reservations.js";
import { parseUrl } from "../../parse-url.js";
import { resolveBase } from "../base.js";
import { textOf } from "../elements.js";
import { normaliseText } from "../lines/text/characters.js";
import { isPlaceholder } from "../structure/media/image.js";
import { markedDates } from "./dates/stated-date.js";
import { findLicense } from "./license.js";
import { toPlain } from "./plain.js";
import { hrefsOf, type Statements } from "./statements.js";
import {
  firstTold,
  fromLinked,
  fromMetas,
  toText,
  valuesOf,
  type Source,
  type Statement,
  type Told,
} from "./told.js";

const MAX_DESCRIPTION = 2_000;
const MAX_TAGS = 50;
const MAX_TAG = 100;

/** Reads these fields; those that the page does not state are undefined. */
export function readFurther(
  page: Statement,
  chooseFirstDate: (sources: readonly Source[]) => Told | undefined,
): Record<string, Told<string | readonly string[]> | undefined> {
  const { found } = page;
  const base = resolveBase(found.base, page.url);
  const toAddress = (value: string): string | undefined => resolve(value, base);
  const toPicture = (value: string): string | undefined =>
    isPlaceholder(value.trim()) ? undefined : toAddress(value);
  // Without the page's address, a link without a scheme stays as it is.
  const toLicense = (href = ""): string | undefined => toAddress(href)?.replace(/^\/\//, "https://");
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
      rel("license", () => hrefsOf(found, /(?:^|\s)license(?:\s|$)/i).map(toLicense)),
      fromMetas(found, "license"),
      { from: "link", values: () => [toLicense(findLicense(found.licensed))] },
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
