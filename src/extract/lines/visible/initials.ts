/** Recognises the initials that a page draws in place of the picture of a user. */
import type { ElementNode } from "../../../document/tree.js";

/** Capitals, a letter without case, a digit, or the question mark of a deleted user. A name may have two such letters. */
const INITIALS = /^\s*(?:\p{Lu}\p{M}*){1,2}\s*$|^\s*(?:\p{L}\p{M}*|[\d?])\s*$/u;
const MAX_TEXT = 20;

/**
 * Checks whether an element with this class attribute is an avatar that has no more text than initials. Discourse,
 * Flarum, GitLab, Moodle, NodeBB and XenForo draw them, often twice for one post.
 */
export function isInitials({ children }: ElementNode, names: string): boolean {
  const [only, other] = children;
  if (only?.kind !== "text" || other !== undefined || only.value.length > MAX_TEXT) return false;
  return (names.includes("vatar") || names.includes("userinitials")) && INITIALS.test(only.value);
}
