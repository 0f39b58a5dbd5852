/** The start of an element whose content is text into where that content ends. */
import { isNameEnd } from "./codes.js";

/** Offset of the end tag `</name` that closes the content which starts at `from`; the end of the page if none does. */
export function findRawEnd(html: string, from: number, name: string): number {
  const end = findEndTag(html, from, name);
  // In a script, `<!-- <script` hides the next end tag (HTML standard 13.2.5.20 to 13.2.5.31).
  if (name !== "script" || !html.slice(from, end).includes("<!--")) return end;
  return findScriptEnd(html, from);
}

function findEndTag(html: string, from: number, name: string): number {
  for (let at = html.indexOf("</", from); at >= 0; at = html.indexOf("</", at + 2)) {
    if (isNameAt(html, at + 2, name) && isNameEnd(html.charCodeAt(at + 2 + name.length))) return at;
  }
  return html.length;
}

function isNameAt(html: string, at: number, name: string): boolean {
  for (let index = 0; index < name.length; index += 1)
    if ((html.charCodeAt(at + index) | 0x20) !== name.charCodeAt(index)) return false;
  return true;
}

function findScriptEnd(html: string, from: number): number {
  const marks = /<!--|-->|<\/?script(?=[\t\n\f\r />])/gi;
  marks.lastIndex = from;
  let isEscaped = false;
  let isHidden = false;
  for (let mark = marks.exec(html); mark !== null; mark = marks.exec(html)) {
    const [text] = mark;
    if (text === "<!--") {
      isEscaped = true;
      // `<!-->` is a whole comment.
      marks.lastIndex -= 2;
    } else if (text === "-->") {
      isEscaped = false;
      isHidden = false;
    } else if (text.startsWith("</")) {
      if (!isHidden) return mark.index;
      isHidden = false;
    } else if (isEscaped) isHidden = true;
  }
  return html.length;
}
