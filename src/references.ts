/** Decodes the character references of HTML: `&#8217;`, `&rsquo;`. Only this file imports the package `entities`. */
import { decodeHTML, decodeHTMLAttribute, decodeHTMLStrict } from "entities";

/** A character reference at the start of a text: `&#8217;`, `&#x2019`, `&rsquo;`, or one without its semicolon. */
const REFERENCE = /^&(?:#\d|#[xX][0-9a-fA-F]|[a-zA-Z])/;

/** Whether the text starts like a character reference; most ampersands are plain text. */
export function mayBeReference(text: string): boolean {
  return REFERENCE.test(text);
}

export function decodeText(text: string): string {
  return decodeHTML(text);
}

/** Decodes an attribute value. `&copy=1` stays as it is, because it is part of a URL there. */
export function decodeAttribute(text: string): string {
  return decodeHTMLAttribute(text);
}

/**
 * Decodes references in text that is not markup. Only those with a semicolon count, because `&copy` may be the name of
 * a URL parameter there.
 */
export function decodeWhole(text: string): string {
  return decodeHTMLStrict(text);
}
