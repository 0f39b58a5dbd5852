/** Escapes any text for XML 1.0, and wraps markup in elements. */

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  // A parser would read a bare CR as a line feed.
  "\r": "&#13;",
};

/** Characters that XML forbids even as references (XML 1.0, 2.2): most controls, lone surrogates, two noncharacters. */
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\p{Cs}\ufffe\uffff]/gu;

/** Escapes text for element content; U+FFFD replaces characters that XML forbids. */
export function escapeXml(text: string): string {
  return text
    .replace(/[&<>"\r]/g, (character) => ESCAPES[character] ?? character)
    .replace(FORBIDDEN, "\ufffd");
}

/** Escapes text for attribute values, where a parser would turn tabs and line breaks into spaces. */
export function escapeAttribute(text: string): string {
  return escapeXml(text).replaceAll("\t", "&#9;").replaceAll("\n", "&#10;");
}

/** Wraps markup in an element; empty markup gives no element. */
export function wrapMarkup(tag: string, inner: string, attributes = ""): string {
  return inner === "" ? "" : `<${tag}${attributes}>${inner}</${tag}>`;
}
