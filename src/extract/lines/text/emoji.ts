/** Reads the emoji that an image shows from its `alt`, as on WordPress, Twitter and forums. */
import type { ElementNode, TextNode } from "../../../document/tree.js";

/** The longest `alt` that is read, in UTF-16 code units: an emoji of many persons, or two or three emoji. */
const MAX_EMOJI = 24;
/** An `alt` is an emoji only if its first code unit is above this one. */
const FIRST = 0x200d;
const EMOJI =
  /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[\p{Emoji_Modifier}\p{Regional_Indicator}\u200d])+$/u;

/** Returns the `alt` of an image as a text node without source positions; undefined if it is anything but emoji. */
export function readEmoji({ attributes, parent }: ElementNode): TextNode | undefined {
  const value = attributes.size === 0 ? undefined : attributes.get("alt");
  // Most images have no `alt`, or one that begins with a letter.
  if (value === undefined || value.length > MAX_EMOJI || !(value.charCodeAt(0) > FIRST)) return undefined;
  return EMOJI.test(value) ? { kind: "text", value, parent, start: -1, end: -1 } : undefined;
}
