/** Reads the character that a picture is drawn in place of, as WordPress, Twitter and boards have their emoji. */
import type { ElementNode, TextNode } from "../../../tree.js";

/** Code units of an emoji of many persons, and of two or three beside each other. */
const MAX_EMOJI = 24;
/** The first of the characters that are an emoji by themselves. */
const FIRST = 0x200d;
const EMOJI =
  /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[\p{Emoji_Modifier}\p{Regional_Indicator}\u200d])+$/u;

/** The alternative text of a picture as a text in its place; undefined where it is anything but emoji. */
export function readEmoji({ attributes, parent }: ElementNode): TextNode | undefined {
  const value = attributes.size === 0 ? undefined : attributes.get("alt");
  // Most begin with a letter, or have none.
  if (value === undefined || value.length > MAX_EMOJI || !(value.charCodeAt(0) > FIRST)) return undefined;
  return EMOJI.test(value) ? { kind: "text", value, parent, start: -1, end: -1 } : undefined;
}
