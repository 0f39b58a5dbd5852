/** Checks whether a reader sees a gap where two text nodes meet without whitespace. */
import type { ElementNode, TextNode } from "../../../document/tree.js";
import { UNSPACED } from "../../../language/words.js";
import { findAround, isOrIsIn } from "../../around.js";
import { isDrawnApart } from "./drawn-apart.js";

/** Scripts without spaces between words, also those whose syllables or sentences a mark of the script separates. */
const UNBROKEN = `${UNSPACED}\\p{Script=Tibetan}\\p{Script=Javanese}\\p{Script=Balinese}\\p{Script=Tai_Tham}`;
/** Characters of scripts written without spaces, at the end of a text, at its beginning and anywhere. */
const UNSPACED_END = new RegExp(`[${UNBROKEN}ー]$`, "u");
const UNSPACED_START = new RegExp(`^[${UNBROKEN}]`, "u");
const UNSPACED_WORDS = new RegExp(`[${UNBROKEN}]`, "u");
/** The end of a label, which is not a sentence. */
const LABEL_END = /[:：]\s*$/;
const MAX_LABEL_END = 10;

/** The Arabic article, alone or after a particle. It begins a word and is never a word by itself. */
const ARTICLE_END = /(?<!\p{L})[وف]?(?:لل|[بك]?ال)$/u;

/**
 * Checks whether two links side by side are apart. They are drawn apart, whatever is in the source. But an editor may
 * cut one link in two in the middle of a word, or link two words of a sentence without spaces. `tail` is what the line
 * ends in; `text` and `node` follow it.
 */
export function areApart(
  { tail }: { readonly tail: string },
  node: TextNode,
  { text, isSameTarget }: { readonly text: string; readonly isSameTarget: boolean },
): boolean {
  if (isSameTarget && /\p{L}$/u.test(tail) && /^\p{Ll}/u.test(text)) return false;
  if (ARTICLE_END.test(tail) && /^\p{Script=Arabic}/u.test(text)) return false;
  return !UNSPACED_START.test(text) || !UNSPACED_END.test(tail) || !isInSentence(node);
}

/** Nodes beside a link that are read, characters of each, and elements between the link and its text. */
const MAX_BESIDE = 100;
const MAX_LOOKED = 500;
const MAX_WRAPPERS = 4;

/** Checks whether there are words beside the link of a text, and not only other links, as in a menu. */
function isInSentence({ parent }: TextNode): boolean {
  let link = parent;
  for (let step = 0; link !== null && link.tag !== "a" && step < MAX_WRAPPERS; step += 1) link = link.parent;
  const beside = link?.parent?.children.slice(0, MAX_BESIDE) ?? [];
  return beside.some(
    (node) =>
      node.kind === "text" &&
      UNSPACED_WORDS.test(node.value.slice(0, MAX_LOOKED)) &&
      !LABEL_END.test(node.value.slice(-MAX_LABEL_END)),
  );
}

/** What the text before a gap ends in, and what the text after it begins with. */
interface Seam {
  readonly end: RegExp;
  readonly start: RegExp;
}

/**
 * Ends and starts of neighbours between which there is a gap. If a style sheet draws neighbours apart, their source
 * often has no space: `<span>Reviews</span><span>View all</span>`. Words seldom go on across these edges. (In 500 pages
 * of WCXB's development set, if an inline element ends and its neighbour begins like the first two, the gold text has a
 * gap in all 420 cases. Letters of one case, digits beside digits, and the two sides of a single tag are often one
 * word.) The third matches "UCLA|Science" and "By|Ada", but not "Mc|Adam": on 5,600 pages of all gold sets, 135 sites
 * have such neighbours, and no word goes on.
 */
const SEAMS: readonly Seam[] = [
  { end: /\p{Ll}{2}$/u, start: /^[\p{Lu}\d]/u },
  { end: /\d$/u, start: /^\p{Lu}(?:\p{Ll}|\p{Lu}\p{Lu})/u },
  { end: /\p{Lu}(?:\p{Lu}|(?!c)\p{Ll})$/u, start: /^\p{Lu}\p{Ll}/u },
  { end: /\p{Ll}{2}[.!?)]$/u, start: /^\p{Lu}\p{Ll}/u },
  { end: /\p{L}{2}:$/u, start: /^[\p{L}\d]/u },
  { end: /\d%$/, start: /^\p{L}/u },
  { end: /\p{Ll}{2}$/u, start: /^[$€£¥₹]\s?\d/ },
];
/** A number with its unit, which is often an element of its own: `<span>5</span><span>g</span><span>Protein</span>`. */
const UNIT = { end: /\d\s?\p{Ll}$/u, start: /^\p{Lu}\p{Ll}/u };
/**
 * Numbers beside numbers: a year and then a time or a duration, a number with its unit and then another one, a price
 * and its discount, a number and a word that is no ordinal (`<em>28</em><em>may</em>`). (On 2,328 pages of the gold sets
 * 22 sites have the first three, and they are never one number; on 4,632 pages 63 sites have the last.)
 */
const FIGURES: readonly Seam[] = [
  { end: /(?:^|[\s/.-])(?:19|20)\d{2}$/, start: /^\d{1,2}(?::\d{2}|\s?\p{L})/u },
  { end: /(?:^|\s)\d[\d.,]*\s?\p{Ll}{1,3}$/u, start: /^\d/ },
  { end: /\d$/, start: /^\d{2,3}\s?%/ },
  { end: /(?:^|\s)\d{1,2}$/, start: /^(?!(?:i?[èe][mr]e|st[ea][nr]?|nde)(?!\p{L}))\p{Ll}{3}/u },
];
/**
 * A word and then a number in a tag, as in `Discussions<span>51</span>`, but not in "SHA<b>256</b>" or "mp<b>3</b>".
 * (On 4,661 pages 26 sites have these places, and no word goes on in them.)
 */
const COUNTED = { end: /(?:^|\s)\p{L}+\p{Ll}{2}$/u, start: /^\d/ };
/**
 * What meets on both sides of a single tag: words, as in `« Previous post<a>How to sail</a>`, or a sentence and words; a
 * label and its value; words and an address. (On those 5,600 pages 75 sites have words like these, and no word goes on
 * in them. If one side is a single word, it does on one site in ten. On 4,632 pages 40 sites have the sentences, and 44
 * the labels.)
 */
const EDGES: readonly Seam[] = [
  { end: / (?:\S*\p{Ll}{2}|[^\s.]*\p{Ll}{2}[.!?])$/u, start: /^\p{Lu}\p{Ll}\S* /u },
  {
    end: /(?<!\b(?:doi|hdl|arXiv))(?<=\p{L}{2}):$/iu,
    start: new RegExp(`^(?![${UNSPACED}])[\\p{Lu}\\p{Lo}\\d]`, "u"),
  },
  {
    end: new RegExp(`(?:(?:(?![${UNSPACED}])\\p{L}){2}|:)$`, "u"),
    start: /^(?:https?:\/\/|www\.|[\w.+-]{2,64}@[\w-]{1,64}\.)\w/,
  },
  // The time of a quoted post in MyBB.
  { end: /(?::\d\d(?:\s?[ap]m)?|\sago)\)$/i, start: /^\p{L}{2}/u },
];

/** A point between the parts of a line, in an element of its own: "•2mo ago" of Reddit. */
const POINTS: ReadonlySet<string> = new Set(["•", "·"]);
const BESIDE_POINT = {
  end: new RegExp(`(?![${UNSPACED}])[\\p{L}\\p{N}]$`, "u"),
  start: new RegExp(`^(?![${UNSPACED}])[\\p{L}\\p{N}]`, "u"),
};

/**
 * The mark at the start of a line, in an element of its own: a bullet, the number of an item, or the number of a note
 * that links back to its reference. A letter of the line's text follows.
 */
const MARK = /^(?:[•·▪■►▶○●◦‣⁃–§]|\(?\d{1,3}[.)]|\[\d{1,3}\])$/u;
/** The number or letter of a paragraph of a law, and the number of its section before it: "1(2)(a)". */
const PARAGRAPH = /^\((?:\d{1,3}|[a-z]{1,2}|[ivx]{1,5})\)$/;
const SECTION = /^(?:\d{1,3}[A-Z]?)?$/;
const NUMBER = /^\d{1,3}$/;
const LETTER = /^["'“‘«„(]?\p{L}/u;

/** Elements of words that an editor has removed; the new words follow in `ins` or `u`. */
const TAKEN: ReadonlySet<string> = new Set(["del", "s", "strike"]);
const LETTER_END = /\p{L}$/u;
const WORD_END = /[\p{L}\p{N}]$/u;
const WORD_START = /^[\p{L}\p{N}]/u;

/** Elements in which a gap would change the meaning: code, formulas and their indices, ruby. */
const EXACT: ReadonlySet<string> = new Set([
  "code",
  "kbd",
  "samp",
  "tt",
  "var",
  "sub",
  "sup",
  "math",
  "ruby",
]);

/** Punctuation that belongs to the text before it, as most texts begin that follow an inline element. */
const CLOSING = ",;:!?)]}|/\u2019\u201d";

/**
 * Checks whether there is a gap between the text that a line ends in and the text that follows. `tail` and `text` are
 * the drawn text of the two, and `lead` the few characters before `tail`.
 */
export function isSeam(
  { node: before, tail, lead }: { readonly node: TextNode; readonly tail: string; readonly lead: string },
  node: TextNode,
  text: string,
): boolean {
  if (CLOSING.includes(text.charAt(0))) return false;
  if (EDGES.some((edge) => isAt(edge, tail, text))) return !isExact(before) && !isExact(node);
  if (SECTION.test(lead) && LETTER.test(text) && !UNSPACED_START.test(text)) {
    if (lead === "" && isMark(before, tail)) return true;
    if (PARAGRAPH.test(tail) && isNeighbour(before, node) && isNeighbour(node, before)) return true;
  }
  return (
    isReplaced({ node: before, tail, lead }, node, text) ||
    isBesideTime({ node: before, tail }, node, text) ||
    areKeys(before.parent, node.parent) ||
    (isAt(COUNTED, tail, text) &&
      isNeighbour(node, before) &&
      !isExact(before) &&
      linkOf(node) === linkOf(before)) ||
    (isGap({ tail, lead }, text) && isNeighbour(before, node) && isNeighbour(node, before)) ||
    (isDrawnApart({ node: before, tail }, node, text) && !isExact(before) && !isExact(node))
  );
}

/** Returns the link around a text: the number of a note is in a link that the word before it is not in. */
function linkOf({ parent }: TextNode): ElementNode | undefined {
  return findAround(parent, ({ tag }) => tag === "a");
}

function isAt({ end, start }: Seam, tail: string, text: string): boolean {
  return start.test(text) && end.test(tail);
}

function isGap({ tail, lead }: { readonly tail: string; readonly lead: string }, text: string): boolean {
  if (POINTS.has(tail)) return BESIDE_POINT.start.test(text);
  if (POINTS.has(text)) return BESIDE_POINT.end.test(tail);
  const fits = (seam: Seam): boolean => isAt(seam, tail, text);
  return SEAMS.some(fits) || FIGURES.some(fits) || isAt(UNIT, lead + tail, text);
}

function isMark({ parent }: TextNode, text: string): boolean {
  if (MARK.test(text)) return true;
  return parent?.tag === "a" && NUMBER.test(text) && parent.attributes.get("href")?.startsWith("#") === true;
}

/**
 * Checks whether a text replaces a removed one and starts a word of its own. A replaced part of a word stays in the
 * word.
 */
function isReplaced(
  { node, tail, lead }: { readonly node: TextNode; readonly tail: string; readonly lead: string },
  { parent }: TextNode,
  text: string,
): boolean {
  if (parent?.tag !== "ins" && parent?.tag !== "u") return false;
  if (!TAKEN.has(node.parent?.tag ?? "")) return false;
  return WORD_END.test(tail) && WORD_START.test(text) && !LETTER_END.test(lead);
}

/** Checks whether one of the two texts is in a `time` element and the other is not. */
function isBesideTime(
  { node, tail }: { readonly node: TextNode; readonly tail: string },
  next: TextNode,
  text: string,
): boolean {
  const isTime = node.parent?.tag === "time";
  if (isTime === (next.parent?.tag === "time") || !WORD_END.test(tail) || !WORD_START.test(text))
    return false;
  return !UNSPACED_END.test(tail) && !UNSPACED_START.test(text) && !isExact(node) && !isExact(next);
}

/** Checks whether two elements are keys side by side: "Ctrl" and "K". */
function areKeys(one: ElementNode | null, other: ElementNode | null): boolean {
  return one?.tag === "kbd" && other?.tag === "kbd" && one.parent === other.parent;
}

/**
 * Checks whether the text's own element does not contain the other text, and the text is not in code, an index or ruby.
 */
function isNeighbour(text: TextNode, other: TextNode): boolean {
  const around = new Set<ElementNode>();
  for (let open = other.parent; open !== null; open = open.parent) around.add(open);
  const { parent } = text;
  return parent !== null && !around.has(parent) && !isExact(text);
}

function isExact({ parent }: TextNode): boolean {
  return isOrIsIn(parent, isExactElement);
}

/**
 * Sphinx marks the parts of code in a signature with the class "pre": "heron." and "Token". TypeDoc has labels in
 * `code`: "Readonly".
 */
function isExactElement({ tag, attributes }: ElementNode): boolean {
  const names = attributes.get("class");
  return EXACT.has(tag) ? names !== "tsd-tag" : tag === "span" && names === "pre";
}
