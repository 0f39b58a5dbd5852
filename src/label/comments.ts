/** Element paths into which lines are readers' comments: told by the names that authors give to ids and classes. */
import type { Document } from "../document.js";

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

/** What stands glued before a stem: `usercomments`, `leserkommentare`. */
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

const stems = new RegExp(`^(?:${COMMENT_OWNERS.join("|")})?(?:${COMMENT_STEMS.join("|")})`, "u");
const words: ReadonlySet<string> = new Set(COMMENT_WORDS);
const notComments: ReadonlySet<string> = new Set(NOT_COMMENTS);
const otherParts: ReadonlySet<string> = new Set(OTHER_PARTS);
const formParts: ReadonlySet<string> = new Set(FORM_PARTS);
const formNames: ReadonlySet<string> = new Set(FORM_NAMES);
/** What a path must hold anywhere to be worth taking apart. */
const hint = new RegExp([...COMMENT_STEMS, ...COMMENT_WORDS].join("|"), "iu");

/** The document with `kind` on the lines that stand in comments; the same object where there are none. */
export function markComments(document: Document): Document {
  const known = new Map<string, boolean>();
  const isComment = (path: string): boolean => {
    const answer = known.get(path) ?? isCommentPath(path);
    known.set(path, answer);
    return answer;
  };
  if (!document.lines.some((line) => isComment(line.path))) return document;
  const lines = document.lines.map((line) =>
    isComment(line.path) ? { ...line, kind: "comment" as const } : line,
  );
  return { ...document, lines };
}

/**
 * True for what stands inside an element named as a comment, or as a list of them, and not in the form for the next
 * one. `html` and `body` carry states (`single-comments-open`) and say nothing; replies are comments where the list that
 * they hang in is one.
 */
export function isCommentPath(path: string): boolean {
  const plain = dropAccents(path);
  if (!hint.test(plain)) return false;
  let isInside = false;
  for (const step of plain.split(">")) {
    const marks = step.split(/[#.[\]\s]+/u).filter((mark) => mark !== "");
    const [tag = "", ...names] = marks;
    if (tag === "html" || tag === "body") continue;
    if (isInside && tag === "form") return false;
    // A tag of one's own (`comment-list`) is as good as a class.
    for (const name of tag.includes("-") ? marks : names) {
      const mark = readName(name);
      if (mark === "form") return false;
      isInside ||= mark === "comment";
    }
  }
  return isInside;
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

const ASCII = /^[\0-\x7f]*$/;

/** Letters without their marks; composed again at the end, because Hangul syllables come apart as well. */
function dropAccents(text: string): string {
  return ASCII.test(text) ? text : text.normalize("NFD").replace(/\p{M}/gu, "").normalize("NFC");
}
