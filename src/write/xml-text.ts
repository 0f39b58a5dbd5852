/** Escapes any text as XML 1.0 can hold it. */

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  // A bare one would be read as a line feed.
  "\r": "&#13;",
};

/** Characters that XML forbids even as references (XML 1.0, 2.2): most controls, lone surrogates, two noncharacters. */
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\p{Cs}\ufffe\uffff]/gu;

/** Any text as XML 1.0 can hold it, for content; U+FFFD replaces what XML forbids. */
export function escapeXml(text: string): string {
  return text
    .replace(/[&<>"\r]/g, (character) => ESCAPES[character] ?? character)
    .replace(FORBIDDEN, "\ufffd");
}

/** For attribute values, whose tabs and line breaks a parser would turn into spaces. */
export function escapeAttribute(text: string): string {
  return escapeXml(text).replaceAll("\t", "&#9;").replaceAll("\n", "&#10;");
}
