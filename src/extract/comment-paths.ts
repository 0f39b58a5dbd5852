/** Finds lines that are readers' comments by their element path, from the ids and class names that authors choose. */
import { codeUnit } from "../code-unit.js";

/** Beginnings of words for a comment, so that plurals, cases and compounds (`commentlist`) match as well. */
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

/** Words for a comment and names of comment services that must match a whole part of a name. */
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

/** Words that authors put before a stem without a separator: `usercomments`, `leserkommentare`. */
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

/**
 * Parts of a name that begin with a stem but mean something else: a report of a match, a link, or a count of comments.
 */
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

/**
 * Parts that give a name another meaning: a state, a count, a link to comments, or a box of comments from other pages.
 */
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

/**
 * Names, and parts of names, of the form for writing a comment; its lines are boilerplate. A part counts only in a name
 * that also has a word for a comment.
 */
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

/** Matches a path without accents to drop: ASCII, and the "…" in place of left-out steps. */
const PLAIN = /^[\0-\x7f…]*$/;
const stems = new RegExp(`^(?:${COMMENT_OWNERS.join("|")})?(?:${COMMENT_STEMS.join("|")})`, "u");
const words: ReadonlySet<string> = new Set(COMMENT_WORDS);
const notComments: ReadonlySet<string> = new Set(NOT_COMMENTS);
const otherParts: ReadonlySet<string> = new Set(OTHER_PARTS);
const formParts: ReadonlySet<string> = new Set(FORM_PARTS);
const formNames: ReadonlySet<string> = new Set(FORM_NAMES);
const hints = [...COMMENT_STEMS, ...COMMENT_WORDS].join("|");
/** A path without a match need not be split into steps. */
const hint = new RegExp(hints, "iu");
/** A step without a match says nothing about comments. */
const hintOfStep = new RegExp(`${hints}|respond|reply|^form`, "iu");
/**
 * Like `hintOfStep`, but faster, because it compares without Unicode rules; matches every step that is not ASCII, too.
 */
const quickHint = new RegExp(`${hints}|respond|reply|^form|[^\\0-\\x7f…]`, "i");

/* Nearly all steps lack these words. Comparing three letters in a row shows it in a fifth of the expression's time. */

/** Bits for a letter's place in the alphabet, the same in either case. */
const LETTER_BITS = 5;
const LETTER_MASK = (1 << LETTER_BITS) - 1;
const THREE_LETTERS = 1 << (3 * LETTER_BITS);
/**
 * Is 1 for the first three letters of each ASCII word that `quickHint` looks for; `mayHint` accepts all steps that are
 * not ASCII.
 */
const beginnings = new Uint8Array(THREE_LETTERS);
for (const word of [...COMMENT_STEMS, ...COMMENT_WORDS, "respond", "reply", "form"]) {
  let three = 0;
  for (let at = 0; at < 3; at += 1) three = addLetter(three, codeUnit(word, at));
  beginnings[three] = 1;
}

function addLetter(three: number, unit: number): number {
  return ((three << LETTER_BITS) | (unit & LETTER_MASK)) & (THREE_LETTERS - 1);
}

/** Returns false only for steps that `quickHint` does not match. */
function mayHint(step: string): boolean {
  let three = 0;
  for (let at = 0, { length } = step; at < length; at += 1) {
    const unit = codeUnit(step, at);
    three = addLetter(three, unit);
    if (unit >= 0x80 || beginnings[three] === 1) return true;
  }
  return false;
}

/** What a step says about everything below it; "odd" if only the whole path can say. */
type Mark = "comment" | "form" | "form-inside" | "odd" | undefined;

/**
 * Where the last step of a path is: outside or inside of comments, or in the form for one; "odd" if only the whole path
 * can say.
 */
export type Side = "outside" | "inside" | "form" | "odd";

/** The marks of a page's steps, which are read once. */
export type StepMarks = Map<string, Mark>;

/** The most tags whose result is cached; there are few tags, and nearly all paths consist of them. */
const MOST_TAGS = 256;
const plainTags = new Map<string, boolean>();

/** Checks whether a step that is only this tag says nothing about comments. */
export function isPlainTag(tag: string): boolean {
  const known = plainTags.get(tag);
  if (known !== undefined) return known;
  const isPlain = !quickHint.test(tag);
  if (plainTags.size < MOST_TAGS) plainTags.set(tag, isPlain);
  return isPlain;
}

/** Returns the side of a path after one more step. One search is enough for nearly all steps. */
export function goOn(side: Side, step: string, known: StepMarks): Side {
  if (side === "form" || side === "odd" || !mayHint(step) || !quickHint.test(step)) return side;
  const isKnown = known.has(step);
  // A combining accent may follow the edge of a step, so the whole path must be read.
  const mark = isKnown ? known.get(step) : PLAIN.test(step) ? readStep(step) : "odd";
  if (!isKnown) known.set(step, mark);
  return take(mark, side);
}

function take(mark: Mark, side: Side): Side {
  if (mark === undefined) return side;
  if (mark === "comment") return "inside";
  if (mark === "form-inside") return side === "inside" ? "form" : side;
  return mark;
}

/**
 * Checks whether a path is inside an element named as a comment or as a list of comments, and not in the form for the
 * next one. `html` and `body` carry states (`single-comments-open`) and are ignored. Replies are comments if the list
 * around them is a list of comments.
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
  // The name of a custom element (`comment-list`) counts like a class name.
  const names = (tag.includes("-") ? marks : marks.slice(1)).map(readName);
  if (names.includes("form")) return "form";
  // A form around the comments belongs to a page that posts itself; a form among them is for the next comment.
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

/** Drops the accents of letters. Composes at the end, because NFD also splits Hangul syllables. */
function dropAccents(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").normalize("NFC");
}
