/** Chooses the heading that a reader takes for the title of a page. */
import { cutAfter } from "../../cut-after.js";
import type { ElementNode, TreeNode } from "../../document/tree.js";
import { splitWords, UNSPACED } from "../../language/words.js";
import { normaliseText } from "../lines/text/characters.js";
import { findElement } from "../elements.js";
import { isHiddenByPage, isHiddenByTag } from "../lines/visible/visible.js";
import { isPartOf, SEPARATORS } from "./title.js";

/**
 * The least length of a heading that is a title and not a name: in words, in characters, and for scripts without
 * spaces.
 */
const MIN_WORDS = 4;
const MIN_CHARACTERS = 24;
const MIN_IDEOGRAPHS = 10;
/** The least share of a heading's letters that are in words of a stated title. */
const MIN_SHARED = 0.6;

/**
 * Chooses among the texts of the `h1` elements; undefined if no heading fits. `stated`: titles in the page's metadata.
 */
export function chooseHeadline(
  headings: readonly string[],
  stated: readonly string[],
  site: string | undefined,
): string | undefined {
  const candidates = headings.filter(
    (text) =>
      text !== "" &&
      !isSame(text, site ?? "") &&
      !stated.some(
        (title) =>
          (endsWithName(title, text) && !stated.some((other) => leads(other, text))) ||
          beginsWithName(title, text, stated),
      ),
  );
  const short = candidates.find((text) =>
    headings.some((other) => stated.some((title) => isNamedIn(title, text, other))),
  );
  if (short !== undefined) return short;
  const same = candidates.find((text) => isSame(text, stated[0] ?? ""));
  if (same !== undefined) return same;
  const said = candidates
    .filter((text) => stated.some((title) => share(text, title) >= MIN_SHARED))
    .sort((a, b) => b.length - a.length)[0];
  if (said !== undefined) return said;
  const [only, other] = candidates;
  return only !== undefined && other === undefined && isSentence(only) ? only : undefined;
}

/** A heading in capitals is replaced by the title that has the same words in lower case, if there is one. */
export function withoutCapitals(heading: string, titles: readonly string[]): string {
  if (/\p{Ll}/u.test(heading)) return heading;
  return (
    titles.find((title) => title !== heading && isSame(title, heading) && /\p{Ll}/u.test(title)) ?? heading
  );
}

const SEPARATOR_AT_END = new RegExp(String.raw`[${SEPARATORS}_-]\s*$`, "u");
const SEPARATOR_AT_START = new RegExp(String.raw`^\s*[${SEPARATORS}_-]`, "u");
const SEPARATOR_ALONE = new RegExp(String.raw`^\s*[${SEPARATORS}_-]\s*$`, "u");
const SEPARATORS_AROUND = new RegExp(String.raw`^[\s/${SEPARATORS}-]+|[\s/${SEPARATORS}-]+$`, "gu");

/** Whether a title ends with this heading behind a separator: then the heading is the name of the site. */
function endsWithName(title: string, heading: string): boolean {
  const rest = title.length - heading.length;
  if (rest <= 2 || !isSame(title.slice(rest), heading)) return false;
  return SEPARATOR_AT_END.test(title.slice(0, rest)) && heading.split(/\s+/).length <= 5;
}

/** Whether a title begins with this heading and a separator: "Otters at the weir : r/rivers". */
function leads(title: string, heading: string): boolean {
  return (
    isSame(title.slice(0, heading.length), heading) && SEPARATOR_AT_START.test(title.slice(heading.length))
  );
}

/** Whether a title is this heading, a separator and another stated title: then the heading is the name of the site. */
function beginsWithName(title: string, heading: string, stated: readonly string[]): boolean {
  return stated.some((other) => {
    const end = title.length - other.length;
    return (
      end > heading.length &&
      isSame(title.slice(0, heading.length), heading) &&
      isSame(title.slice(end), other) &&
      SEPARATOR_ALONE.test(title.slice(heading.length, end))
    );
  });
}

/** Whether a title is a heading, a separator and another heading: "Hooks - The Lantern Book". */
export function isNamedIn(title: string, heading: string, site: string): boolean {
  const between = title.slice(heading.length, title.length - site.length);
  return (
    isSame(title.slice(0, heading.length), heading) &&
    endsWithName(title, site) &&
    SEPARATOR_ALONE.test(between)
  );
}

/** Words before a title: "Title:Attention is all you need" of arXiv, "Thread: Attention" of vBulletin. */
const LABEL =
  /^(?:title|titel|titre|título|titolo|标题|題名|thread|topic|thema|sujet|tema|tópico|argomento|onderwerp|temat|ämne|konu|тема|موضوع|主题|主題)[:：]\s*/iu;

/** The number of characters of a heading that are read. */
const MAX_HEADING = 500;
/** The number of elements of a heading that may be its label. */
const MAX_PARTS = 10;
/** Elements that are left out: ruby annotations (the pronunciation of characters) and buttons. */
const ASIDE = /^(?:rt|rp|button)$/;
const APART = /^(?:br|div|p|li|h[1-6]|section)$/;

/**
 * The text of a heading as browsers draw it, without a label before or after the title: "Opinion", "Subscribers".
 * `stated`: titles in the page's metadata.
 */
export function headingText(heading: ElementNode, stated: readonly string[] = []): string {
  const marked = findElement(heading, ({ attributes }) => attributes.get("itemprop") === "headline");
  const text = drawnText(marked ?? heading);
  const unlabelled = text.replace(LABEL, "");
  for (const each of [text, unlabelled]) if (stated.some((title) => isTitle(each, title))) return each;
  let bare: string | undefined;
  let parts = 0;
  findElement(heading, (part) => {
    const label = part === heading ? "" : drawnText(part);
    const rest = without(text, label);
    // "Otters: A Day Out" is a title without a label.
    const isBare = (title: string): boolean => !title.includes(`${label}:`) && isTitle(rest, title);
    if (rest !== "" && stated.some(isBare)) bare = rest;
    parts += 1;
    return bare !== undefined || parts > MAX_PARTS;
  });
  return bare ?? text;
}

/** Whether a text is a title, or a part of it beside the names of section and site. */
function isTitle(text: string, title: string): boolean {
  return isSame(text, title) || isPartOf(title, text);
}

/** What is left of a text without a part at its start or end, and without the separator between them; "" otherwise. */
function without(text: string, part: string): string {
  if (part === "" || part.length >= text.length) return "";
  const rest = text.startsWith(part)
    ? text.slice(part.length)
    : text.endsWith(part)
      ? text.slice(0, -part.length)
      : "";
  return rest.replace(SEPARATORS_AROUND, "");
}

/** The visible text of an element: inline elements within a word do not split the word. */
function drawnText(heading: ElementNode): string {
  let text = "";
  const open: TreeNode[] = [...heading.children].reverse();
  for (let node = open.pop(); node !== undefined && text.length < MAX_HEADING; node = open.pop()) {
    if (node.kind === "text") text += node.value;
    else if (!ASIDE.test(node.tag) && !isHiddenByTag(node) && !isHiddenByPage(node)) {
      if (APART.test(node.tag)) text += " ";
      for (let at = node.children.length - 1; at >= 0; at -= 1) {
        const child = node.children[at];
        if (child !== undefined) open.push(child);
      }
    }
  }
  return normaliseText(cutAfter(text, MAX_HEADING)).replace(/\s*[¶§#🔗]+$/u, "");
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, "u");

/** Whether a heading is long enough to be a title and not the name of a site or section. */
export function isSentence(text: string): boolean {
  if (HAS_UNSPACED.test(text))
    return text.length >= MIN_CHARACTERS || splitWords(text).length >= MIN_IDEOGRAPHS;
  return text.length >= MIN_CHARACTERS && text.split(/\s+/).length >= MIN_WORDS;
}

/**
 * The share of the letters of `a` that are in words of `b` as well. It is 1 if `b` begins with `a` and `a` has over a
 * quarter of its length, and otherwise 0 if the words of `a` have less than a third of the length of `b`.
 */
function share(a: string, b: string): number {
  const [one, other] = [a.toLowerCase(), b.toLowerCase()];
  if (other.startsWith(one) && one.length * 4 > other.length) return 1;
  const words = splitWords(one);
  const known = new Set(splitWords(other));
  const letters = words.reduce((sum, { length }) => sum + length, 0);
  const shared = words.reduce((sum, word) => sum + (known.has(word) ? word.length : 0), 0);
  return letters === 0 || letters * 3 < other.length ? 0 : shared / letters;
}
