/** Makes text of what a page says of itself: some pages have references and markup in it, as if it were a part of their body. */
import { decodeWhole } from "../../references.js";
import { normaliseText } from "../lines/text/characters.js";

/**
 * Elements that are closed, line breaks between words, and what a cut has left of a tag. A text about HTML has tags as well, but
 * closes none of them: "The <br> element".
 */
const MARKUP =
  /<([a-z][a-z\d]{0,15})\b[^<>]*>[^]*<\/\1\s*>|(?<=\S)<br\s*\/?>(?=\S)|<[a-z]{1,16}\s[^<>]*=[^<>]*$/i;
const TAG = /<\/?[a-z][^<>]*>|<[a-z]{1,16}\s[^<>]*=[^<>]*$/gi;
/** Tags inside of words and sentences. */
const INLINE = /<\/?(?:a|abbr|b|cite|code|em|font|i|mark|q|s|small|span|strong|sub|sup|u)\b[^<>]*>/gi;

/** Of a value whose own references are decoded; some are written twice: "Q&amp;amp;A". */
export function toPlain(text: string): string {
  if (!text.includes("&") && !text.includes("<")) return text;
  const decoded = decodeWhole(text);
  return MARKUP.test(decoded) ? withoutTags(decoded) : normaliseText(decoded);
}

export function withoutTags(text: string): string {
  return normaliseText(text.replace(INLINE, "").replace(TAG, " "));
}

/** References have no meaning inside a script, but generators put them there; some do it twice. */
export function decodeScript(text: string): string {
  return decodeWhole(decodeWhole(text));
}
