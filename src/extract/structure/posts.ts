/**
 * Recognises posts of forums and paragraphs of patents, which some systems mark up as list items or quotes for the
 * layout.
 */
import type { ElementNode, TreeNode } from "../../document/tree.js";
import { classOf } from "../bounded-attributes.js";

/** Lists of posts of XenForo 1 ("messageList"), Vanilla ("MessageList"), vBulletin 5, bbPress and NodeBB. */
export const POSTS_CLASS =
  /(?:^|\s)(?:messageList|conversation-list(?=\s.*thread-view)|bbp-replies|posts timeline)(?:$|\s)/i;
/** Posts, signatures and notes of edits of vBulletin, and posts of XenForo 1, which are `blockquote` elements. */
const POST = /^(?:postcontent|signature) (?:restore|lastedited)\b|(?:^|\s)messageText(?:$|\s)/;

/** Whether a quote is such a post, signature or note. */
export function isPost(quote: ElementNode): boolean {
  return POST.test(classOf(quote));
}

/** The number of elements of a list that may come before its first paragraph, as headings do. */
const MAX_BEFORE = 10;

/** Whether a list holds the posts of a thread, or the numbered paragraphs of a patent in Google Patents. */
export function isListOfPosts(list: ElementNode): boolean {
  const names = classOf(list);
  if (names === "description") return list.children.slice(0, MAX_BEFORE).some(isParagraph);
  // vBulletin 4 has only this name; other systems use it for lists of titles.
  return names === "posts"
    ? list.tag === "ol" && list.attributes.get("id") === "posts"
    : POSTS_CLASS.test(names);
}

function isParagraph(item: TreeNode): boolean {
  return (
    item.kind === "element" &&
    item.children.some((node) => node.kind === "element" && node.tag === "para-num")
  );
}
