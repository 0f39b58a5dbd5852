/** Reads the characters that an image shows from its `alt`: emoji, and rare Chinese characters. */
import type { ElementNode, TextNode } from "../../../document/tree.js";
import { classOf } from "../../bounded-attributes.js";

/** The longest `alt` that is read, in UTF-16 code units: an emoji of many persons, or two or three emoji. */
const MAX_EMOJI = 24;
/** An `alt` is an emoji only if its first code unit is above this one. */
const FIRST = 0x200d;
const EMOJI =
  /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[\p{Emoji_Modifier}\p{Regional_Indicator}\u200d])+$/u;

/**
 * The class name of images of characters that a character set lacks, in Japanese e-books and Aozora Bunko. Their `alt`
 * describes the character, and may state the code point of a Chinese character: "※(「さんずい＋壹」、U+6B39)".
 */
const GAIJI = /(?:^|\s)gaiji(?:\s|$)/;
const CODE_POINT = /U\+([3-9][\da-f]{3}|2[\da-f]{4})(?!\w)/i;
/** The longest description that is read. */
const MAX_GAIJI = 100;

/**
 * Returns the emoji or the rare character of an image as a text node without source positions; undefined if it shows
 * anything else.
 */
export function readEmoji(image: ElementNode): TextNode | undefined {
  const { attributes, parent } = image;
  const value = attributes.size === 0 ? undefined : attributes.get("alt");
  // Most images have no `alt`, or one that begins with a letter.
  if (value === undefined || value.length > MAX_GAIJI || !(value.charCodeAt(0) > FIRST)) return undefined;
  const shown = GAIJI.test(classOf(image))
    ? readGaiji(value)
    : value.length <= MAX_EMOJI && EMOJI.test(value)
      ? value
      : undefined;
  return shown === undefined ? undefined : { kind: "text", value: shown, parent, start: -1, end: -1 };
}

function readGaiji(alt: string): string {
  const code = CODE_POINT.exec(alt)?.[1];
  return code === undefined ? alt : String.fromCodePoint(Number.parseInt(code, 16));
}
