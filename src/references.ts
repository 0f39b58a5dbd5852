/** Decodes the character references of HTML: `&#8217;`, `&rsquo;`. The one door of entities. */
import { decodeHTML, decodeHTMLAttribute, decodeHTMLStrict } from "entities";

/** A character reference at the start of a text: `&#8217;`, `&#x2019`, `&rsquo;`, or one without its semicolon. */
const REFERENCE = /^&(?:#\d|#[xX][0-9a-fA-F]|[a-zA-Z])/;

/** Whether a reference may start with these characters; most other ampersands are just that. */
export function mayBeReference(text: string): boolean {
  return REFERENCE.test(text);
}

export function decodeText(text: string): string {
  return decodeHTML(text);
}

/** In an attribute `&copy=1` stays as it is: it is part of an address. */
export function decodeAttribute(text: string): string {
  return decodeHTMLAttribute(text);
}

/** Of what is no markup, and has references all the same: only whole ones, since there `&copy` may be the name of a parameter. */
export function decodeWhole(text: string): string {
  return decodeHTMLStrict(text);
}
