/**
 * Lists clues to the kind of a page as words with a prefix: from its address ("host:forum", "path:product"), its
 * `<meta>` elements ("og:article", "meta:product:price:amount", "generator:discourse") and its JSON-LD ("ld:QAPage").
 * Each word is listed once. The words do not identify a site, because a classifier of pages should weigh what many
 * sites share.
 */
import { cutAfter } from "../../cut-after.js";
import { parseUrl } from "../../parse-url.js";
import { decodePercent } from "../percent.js";
import type { Statements } from "./statements.js";

/** The largest number of clues; a page with more is broken or hostile. */
const MAX_CLUES = 300;
const MAX_ADDRESS = 2_000;
const MAX_SEGMENTS = 12;
const MAX_TYPES = 5_000;
/** The largest length, in characters, of a word of an address, and the length at which kinds are cut. */
const LONGEST_WORD = 15;
const LONGEST_KIND = 20;
/** A page that names a type this often is a list. */
const MANY = 4;
/** Counts of words and path segments are capped here; more words do not make a headline more likely. */
const MOST_WORDS = 7;
const MOST_SEGMENTS = 5;

/** `address`: the page's address, or the one that it states itself; `linked`: the texts of its JSON-LD. */
export function listClues(
  address: string | undefined,
  { metas }: Pick<Statements, "metas">,
  linked: readonly string[],
): string[] {
  const clues = new Set<string>();
  for (const clue of addressClues(address ?? "")) clues.add(clue);
  for (const [name, values] of metas) {
    clues.add(`meta:${name}`);
    if (name === "og:type") for (const value of values) clues.add(`og:${kindOf(value)}`);
    if (name === "generator") for (const value of values) clues.add(`generator:${programOf(value)}`);
  }
  for (const [type, count] of countTypes(linked)) {
    clues.add(`ld:${type}`);
    if (count >= MANY) clues.add(`many:${type}`);
  }
  return [...clues].slice(0, MAX_CLUES);
}

function kindOf(value: string): string {
  return cutAfter(value.trim().toLowerCase(), LONGEST_KIND);
}

/** The program's name: "discourse" of "Discourse 3.4.0 - https://…". */
function programOf(value: string): string {
  return /[a-z]+/.exec(kindOf(value))?.[0] ?? "";
}

function* addressClues(address: string): Generator<string> {
  const url = address.length > MAX_ADDRESS ? undefined : parseUrl(address);
  if (url === undefined) return;
  const { hostname, pathname, searchParams } = url;
  const names = hostname.replace(/^www\./, "").split(".");
  yield `domain:${names.pop() ?? ""}`;
  for (const word of names.flatMap((name) => name.split(/[-_]/)))
    if (word.length > 1 && word.length <= LONGEST_WORD) yield `host:${singular(word)}`;
  const segments = decodePercent(pathname).toLowerCase().split("/").filter(Boolean);
  yield `segments:${Math.min(MOST_SEGMENTS, segments.length)}`;
  for (const [at, segment] of segments.slice(0, MAX_SEGMENTS).entries()) yield* segmentClues(segment, at);
  yield* lastClues(segments.at(-1) ?? "");
  if (/\/(?:19|20)\d\d\//.test(pathname)) yield "year-in-path";
  if (pathname.endsWith("/")) yield "ends-in-slash";
  const asked = [...searchParams.keys()].slice(0, MAX_SEGMENTS);
  if (asked.length > 0) yield "query";
  for (const name of asked) if (name.length <= LONGEST_WORD) yield `query:${name.toLowerCase()}`;
}

function* segmentClues(segment: string, at: number): Generator<string> {
  const words = segment.split(/[-_.,+ ]+/).filter(Boolean);
  for (const word of words)
    if (word.length <= LONGEST_WORD && /^\p{L}+$/u.test(word)) yield `path:${singular(word)}`;
  const whole = words.join("-").replace(/\d+/g, "0");
  if (words.length > 2 || whole.length >= LONGEST_WORD) return;
  yield `segment:${whole}`;
  if (at === 0) yield `first:${whole}`;
}

/** Clues from the last path segment: headlines have many words, categories of a shop few, and products a number. */
function* lastClues(segment: string): Generator<string> {
  if (segment === "") return;
  yield `ending:${/\.([a-z]{2,5})$/.exec(segment)?.[1] ?? ""}`;
  const words = segment.split(/[-_]+/).filter((word) => /^\p{L}+$/u.test(word));
  yield `words:${Math.min(MOST_WORDS, words.length)}`;
  if (/\d{4,}/.test(segment)) yield "long-number";
}

function singular(word: string): string {
  return word.replace(/(?<=...)s$/, "");
}

/** Counts the schema.org types that a page's JSON-LD names, even if the JSON is broken. */
function countTypes(linked: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  let found = 0;
  for (const text of linked)
    for (const [, types = ""] of text.matchAll(/"@type"\s{0,20}:\s{0,20}(\[[^\]]{0,300}\]|"[^"]{1,100}")/g)) {
      if ((found += 1) > MAX_TYPES) return counts;
      for (const [, type = ""] of types.matchAll(/([A-Za-z]+)"/g))
        counts.set(type, (counts.get(type) ?? 0) + 1);
    }
  return counts;
}
