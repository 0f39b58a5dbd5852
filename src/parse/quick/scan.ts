/** Cuts the source of a page into its tags and the text between them: HTML standard 13.2.5, Tokenization. */
import type { ElementNode } from "../../document/tree.js";
import { readAttributes } from "./attributes.js";
import { CODES, isLetter, isNameAt, isNameEnd, createNames, FIRST_STATE, nextState } from "./characters.js";
import { TAGS, type Tag } from "./tags.js";
import {
  addPieces,
  addText,
  createText,
  currentNode,
  endTag,
  isForeign,
  isQuirky,
  ownTag,
  startTag,
  type Build,
} from "./tree-construction.js";

const NAMES = createNames(TAGS.filter((tag) => tag.id > 0).map((tag) => [tag.name, tag] as const));

/** Builds the page. Each character is looked at a bounded number of times. */
export function scan(build: Build): void {
  const { html } = build;
  let textStart = 0;
  let lookFrom = 0;
  for (let at = html.indexOf("<"); at >= 0; at = html.indexOf("<", lookFrom)) {
    lookFrom = at + 1;
    const code = html.charCodeAt(lookFrom);
    const isMarkup =
      isLetter(code) ||
      code === CODES.bang ||
      code === CODES.question ||
      (code === CODES.slash && lookFrom + 1 < html.length);
    // Any other `<` is text.
    if (!isMarkup) continue;
    if (textStart < at) addText(build, textStart, at);
    textStart = scanMarkup(build, at, code);
    lookFrom = textStart;
  }
  if (textStart < html.length) addText(build, textStart, html.length);
}

/** Reads the markup that starts with the `<` at `at`, and returns the offset of the text after it. */
function scanMarkup(build: Build, at: number, code: number): number {
  if (isLetter(code)) return scanStartTag(build, at);
  const { html } = build;
  if (code === CODES.slash) {
    const next = html.charCodeAt(at + 2);
    if (isLetter(next)) return scanEndTag(build, at);
    return next === CODES.greater ? at + 3 : afterGreater(html, at + 2);
  }
  if (code === CODES.question) return afterGreater(html, at + 1);
  if (html.startsWith("--", at + 2)) return findCommentEnd(html, at + 4);
  if (html.startsWith("[CDATA[", at + 2) && isForeign(build)) return scanCharacterData(build, at + 9);
  const end = afterGreater(html, at + 2);
  const word = html.slice(at + 2, at + 9);
  if (build.nodes.length === 0 && word.toLowerCase() === "doctype")
    build.isQuirks = isQuirky(html.slice(at + 9, end - 1));
  return end;
}

/** Returns the offset after the next `>`, or the end of the page. */
function afterGreater(html: string, from: number): number {
  const at = html.indexOf(">", from);
  return at < 0 ? html.length : at + 1;
}

/** A comment ends with `-->` or `--!>`; `<!-->` and `<!--->` are whole comments. */
function findCommentEnd(html: string, from: number): number {
  if (html.charCodeAt(from) === CODES.greater) return from + 1;
  if (html.startsWith("->", from)) return from + 2;
  for (let at = html.indexOf("--", from); at >= 0; at = html.indexOf("--", at + 1)) {
    const code = html.charCodeAt(at + 2);
    if (code === CODES.greater) return at + 3;
    if (code === CODES.bang && html.charCodeAt(at + 3) === CODES.greater) return at + 4;
  }
  return html.length;
}

function scanCharacterData(build: Build, start: number): number {
  const { html } = build;
  const found = html.indexOf("]]>", start);
  const end = found < 0 ? html.length : found;
  const parent = currentNode(build);
  if (start < end) parent.children.push(createText({ value: html.slice(start, end), parent, start, end }));
  return Math.min(html.length, end + 3);
}

function findTag(build: Build, start: number): { readonly tag: Tag; readonly end: number } {
  const { html } = build;
  let end = start;
  let state = FIRST_STATE;
  for (; end < html.length; end += 1) {
    const code = html.charCodeAt(end);
    if (isNameEnd(code)) break;
    state = nextState(NAMES.states, state, code);
  }
  const tag = NAMES.entries[state] ?? ownTag(build, html.slice(start, end).toLowerCase());
  return { tag, end };
}

function scanStartTag(build: Build, at: number): number {
  const { html } = build;
  const { tag, end } = findTag(build, at + 1);
  const attributes = readAttributes(html, end, build.tagScan);
  const next = build.tagScan.at;
  // The page ends inside of the tag.
  if (next < 0) return html.length;
  const element = startTag(build, tag, attributes);
  return element === undefined ? next : scanRaw(build, tag, { element, from: next });
}

function scanRaw(
  build: Build,
  tag: Tag,
  { element, from }: { readonly element: ElementNode; readonly from: number },
): number {
  const { html } = build;
  const end = tag.start === "plaintext" ? html.length : findRawEnd(html, from, tag.name);
  if (from < end) {
    if (tag.content === "references") addPieces(build, element, from, end);
    else
      element.children.push(createText({ value: html.slice(from, end), parent: element, start: from, end }));
  }
  if (end === html.length) return end;
  readAttributes(html, end + 2 + tag.name.length, build.tagScan);
  return build.tagScan.at < 0 ? html.length : build.tagScan.at;
}

function scanEndTag(build: Build, at: number): number {
  const { tag, end } = findTag(build, at + 2);
  readAttributes(build.html, end, build.tagScan);
  if (build.tagScan.at < 0) return build.html.length;
  endTag(build, tag);
  return build.tagScan.at;
}

/* 13.2.5.2 to 13.2.5.31: finds the end of an element whose content is text. */

/**
 * Returns the offset of the end tag `</name` that closes the content from `from` on, or the end of the page if it has
 * no end tag.
 */
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
