/** Turns metadata values into plain text, because some pages write character references and markup into them. */
import { decodeWhole } from "../../references.js";
import { normaliseText } from "../lines/text/characters.js";

/**
 * Closed elements, line breaks between words, and a tag that was cut off at the end. A text about HTML has tags as
 * well, but no closing ones: "The <br> element".
 */
const MARKUP =
  /<([a-z][a-z\d]{0,15})\b[^<>]*>[^]*<\/\1\s*>|(?<=\S)<br\s*\/?>(?=\S)|<[a-z]{1,16}\s[^<>=]*=[^<>]*$/i;
const TAG = /<\/?[a-z][^<>]*>|<[a-z]{1,16}\s[^<>=]*=[^<>]*$/gi;
/** Tags within words and sentences, which leave no space behind. */
const INLINE = /<\/?(?:a|abbr|b|cite|code|em|font|i|mark|q|s|small|span|strong|sub|sup|u)\b[^<>]*>/gi;

/** Converts a value whose references are already decoded once; some pages encode them twice: "Q&amp;amp;A". */
export function toPlain(text: string): string {
  if (!text.includes("&") && !text.includes("<")) return text;
  const decoded = decodeWhole(text);
  return MARKUP.test(decoded) ? withoutTags(decoded) : normaliseText(decoded);
}

/** Removes all tags; those that are not within words and sentences leave a space. */
export function withoutTags(text: string): string {
  return normaliseText(text.replace(INLINE, "").replace(TAG, " "));
}

/**
 * Decodes references in a script, where they have no meaning; some generators write them there, encoded once or twice.
 */
export function decodeScript(text: string): string {
  return decodeWhole(decodeWhole(text));
}
