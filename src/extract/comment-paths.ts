/** Tells by element paths which lines are readers' comments: by the names that authors give to ids and classes. */
import { codeUnit } from "../code-unit.js";

/** What words for a comment begin with, so that plurals, cases and compounds (`commentlist`) come along. */
export const COMMENT_STEMS: readonly string[] = [
  "comment", // English; French commentaire, Italian commento
  "kommentar", // German, Danish, Norwegian, Swedish
  "kommentti", // Finnish
  "kommentit",
  "komentar", // Polish, Czech, Slovak, Croatian, Indonesian
  "comentari", // Spanish, Portuguese, Catalan, Romanian
  "комментари", // Russian
  "коментар", // Ukrainian, Bulgarian, Serbian
  "σχολι", // Greek
  "hozzaszol", // Hungarian
  "yorumlar", // Turkish
  "תגוב", // Hebrew
  "تعليق", // Arabic
];

/** Words, and services, whose name is the whole part. */
export const COMMENT_WORDS: readonly string[] = [
  "disqus",
  "dsq",
  "intensedebate",
  "reactie",
  "reacties",
  "talkback",
  "talkbacks",
  "yorum",
  "コメント",
  "评论",
  "評論",
  "留言",
  "댓글",
];

/** What is glued before a stem: `usercomments`, `leserkommentare`. */
export const COMMENT_OWNERS: readonly string[] = [
  "user",
  "reader",
  "article",
  "post",
  "blog",
  "fb",
  "wp",
  "sub",
  "child",
  "all",
  "leser",
  "nutzer",
  "besucher",
];

/** Parts of a name that begin with a stem and are something else: a report of a match, or how many there are. */
export const NOT_COMMENTS: readonly string[] = [
  "commentary",
  "commentaries",
  "commentator",
  "commentators",
  "commentcnt",
  "commentcount",
  "commentscount",
  "commentlink",
  "commentslink",
  "commentnumber",
  "commentsnumber",
];

/** Parts that make of a name a state, a number, a link to comments or a box of them from elsewhere. */
export const OTHER_PARTS: readonly string[] = [
  "no",
  "off",
  "on",
  "open",
  "closed",
  "disabled",
  "enabled",
  "status",
  "has",
  "with",
  "without",
  "count",
  "counts",
  "counter",
  "number",
  "num",
  "total",
  "link",
  "links",
  "button",
  "btn",
  "icon",
  "badge",
  "toggle",
  "policy",
  "rules",
  "rss",
  "feed",
  "recent",
  "latest",
  "new",
  "newest",
  "popular",
  "widget",
  "subscribe",
  "and", // `comment-text-and-form` is both
];

/** Names and parts of a form to write a comment with, where a comment is spoken of; its lines are furniture. */
export const FORM_PARTS: readonly string[] = [
  "form",
  "formular",
  "formulaire",
  "formulario",
  "respond",
  "add",
  "leave",
  "write",
  "submit",
  "textarea",
];
export const FORM_NAMES: readonly string[] = [
  "respond",
  "commentform",
  "commentsform",
  "replyform",
  "kommentarformular",
  "leavereply",
  "addcomment",
  "newcomment",
  "writecomment",
];

/** Values of `itemprop` and types of schema.org that mark a comment. */
const ITEM_MARKS: ReadonlySet<string> = new Set(["comment", "usercomments"]);

/** Nothing to drop: ASCII, and the mark for the steps that a path leaves out. */
const PLAIN = /^[\0-\x7f…]*$/;
const stems = new RegExp(`^(?:${COMMENT_OWNERS.join("|")})?(?:${COMMENT_STEMS.join("|")})`, "u");
const words: ReadonlySet<string> = new Set(COMMENT_WORDS);
const notComments: ReadonlySet<string> = new Set(NOT_COMMENTS);
const otherParts: ReadonlySet<string> = new Set(OTHER_PARTS);
const formParts: ReadonlySet<string> = new Set(FORM_PARTS);
const formNames: ReadonlySet<string> = new Set(FORM_NAMES);
const hints = [...COMMENT_STEMS, ...COMMENT_WORDS].join("|");
/** What a path must hold anywhere to be worth taking apart. */
const hint = new RegExp(hints, "iu");
/** What a step must hold to say anything. */
const hintOfStep = new RegExp(`${hints}|respond|reply|^form`, "iu");
/** The same for steps of plain characters, in which a search for bytes is enough; finds every other step, too. */
const quickHint = new RegExp(`${hints}|respond|reply|^form|[^\\0-\\x7f…]`, "i");

/* Nearly all steps hold none of these words, which three letters in a row tell in a fifth of the time of the expression. */

/** Of a letter of either case, its place in the alphabet. */
const LETTER_BITS = 5;
const LETTER_MASK = (1 << LETTER_BITS) - 1;
const THREE_LETTERS = 1 << (3 * LETTER_BITS);
/** Holds 1 for the first three letters of each word that `quickHint` looks for and that is ASCII; it takes all others. */
const beginnings = new Uint8Array(THREE_LETTERS);
for (const word of [...COMMENT_STEMS, ...COMMENT_WORDS, "respond", "reply", "form"]) {
  let three = 0;
  for (let at = 0; at < 3; at += 1) three = addLetter(three, codeUnit(word, at));
  beginnings[three] = 1;
}

function addLetter(three: number, unit: number): number {
  return ((three << LETTER_BITS) | (unit & LETTER_MASK)) & (THREE_LETTERS - 1);
}

/** False only for steps that hold nothing of what `quickHint` looks for. */
function mayHint(step: string): boolean {
  let three = 0;
  for (let at = 0, { length } = step; at < length; at += 1) {
    const unit = codeUnit(step, at);
    three = addLetter(three, unit);
    if (unit >= 0x80 || beginnings[three] === 1) return true;
  }
  return false;
}

/** What a step makes of what is below it; "odd" where that takes the whole path. */
type Mark = "comment" | "form" | "form-inside" | "odd" | undefined;

/** Where a path has come to after its last step. */
export type Side = "outside" | "inside" | "form" | "odd";

/** The steps of a page that were taken apart. */
export type StepMarks = Map<string, Mark>;

/** Tags that were looked at, and whether they say nothing by themselves; there are few, and nearly all paths are made of them. */
const MOST_TAGS = 256;
const plainTags = new Map<string, boolean>();

/** Whether a step that is only this tag says nothing. */
export function isPlainTag(tag: string): boolean {
  const known = plainTags.get(tag);
  if (known !== undefined) return known;
  const isPlain = !quickHint.test(tag);
  if (plainTags.size < MOST_TAGS) plainTags.set(tag, isPlain);
  return isPlain;
}

/** Where a path comes to that goes on with `step`. Nearly all steps are done with one search. */
export function goOn(side: Side, step: string, known: StepMarks): Side {
  if (side === "form" || side === "odd" || !mayHint(step) || !quickHint.test(step)) return side;
  const isKnown = known.has(step);
  // Accents may go over the edge of a step, so such a path is read as a whole.
  const mark = isKnown ? known.get(step) : PLAIN.test(step) ? readStep(step) : "odd";
  if (!isKnown) known.set(step, mark);
  return take(mark, side);
}

function take(mark: Mark, side: Side): Side {
  if (mark === undefined) return side;
  if (mark === "comment") return side === "form" ? "form" : "inside";
  if (mark === "form-inside") return side === "inside" ? "form" : side;
  return mark;
}

/**
 * True for what is inside an element named as a comment, or as a list of them, and not in the form for the next
 * one. `html` and `body` carry states (`single-comments-open`) and say nothing; replies are comments where the list that
 * they hang in is one.
 */
export function isCommentPath(path: string): boolean {
  const plain = PLAIN.test(path) ? path : dropAccents(path);
  if (!hint.test(plain)) return false;
  let side: Side = "outside";
  for (const step of plain.split(">")) {
    if (hintOfStep.test(step)) side = take(readStep(step), side);
    if (side === "form") return false;
  }
  return side === "inside";
}

function readStep(step: string): Mark {
  const marks = step.split(/[#.[\]\s]+/u);
  const [tag = ""] = marks;
  if (tag === "html" || tag === "body") return undefined;
  // A tag of one's own (`comment-list`) is as good as a class.
  const names = (tag.includes("-") ? marks : marks.slice(1)).map(readName);
  if (names.includes("form")) return "form";
  // Around the comments a form is a page that posts itself; among them it is for the next one.
  if (tag === "form") return "form-inside";
  return names.includes("comment") ? "comment" : undefined;
}

function readName(name: string): "comment" | "form" | undefined {
  const item = /^item(?:prop|type)=(?:.*\/)?([^/]*)$/iu.exec(name)?.[1];
  if (item !== undefined) return ITEM_MARKS.has(item.toLowerCase()) ? "comment" : undefined;
  const parts = splitName(name);
  if (formNames.has(parts.join(""))) return "form";
  if (!parts.some(isCommentPart) || parts.some((part) => otherParts.has(part))) return undefined;
  return parts.some((part) => formParts.has(part) || formNames.has(part)) ? "form" : "comment";
}

function isCommentPart(part: string): boolean {
  return words.has(part) || (stems.test(part) && !notComments.has(part));
}

/** "wp-block-commentList_item2" → wp, block, comment, list, item. */
function splitName(name: string): string[] {
  return name
    .replace(/(\p{Ll})(?=\p{Lu})/gu, "$1-")
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((part) => part !== "");
}

/** Letters without their marks; composed again at the end, because Hangul syllables come apart as well. */
function dropAccents(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").normalize("NFC");
}
