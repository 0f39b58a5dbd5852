/** The inside of a tag into the attributes that some reader of the tree asks for. */
import { NO_ATTRIBUTES } from "./build.js";
import { addToHash, createNames } from "./names.js";
import { decodeAttribute } from "./references.js";

/** Attributes that the tree keeps: what `extract/` reads, and what decides how a page nests (`encoding`). */
export const KEPT_ATTRIBUTES: readonly string[] = [
  "class",
  "content",
  "datetime",
  "encoding",
  "hidden",
  "href",
  "http-equiv",
  "id",
  "itemprop",
  "itemscope",
  "itemtype",
  "lang",
  "name",
  "open",
  "property",
  "pubdate",
  "rel",
  "role",
  "style",
  "type",
  "xml:lang",
];

const NAMES = createNames(KEPT_ATTRIBUTES.map((name) => [name, name] as const));

const TAB = 0x09;
const SPACE = 0x20;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const GREATER = 0x3e;

/** Where the reading of a tag ends: after its `>`, or -1 if the page ends first. */
export interface TagEnd {
  at: number;
  isSelfClosed: boolean;
}

function isSpace(code: number): boolean {
  return code <= SPACE && (code === SPACE || (code >= TAB && code <= 0x0d && code !== 0x0b));
}

/** Reads a tag from the end of its name on. Every step goes forward, so a tag costs no more than its length. */
export function readAttributes(html: string, start: number, tagEnd: TagEnd): ReadonlyMap<string, string> {
  const { length } = html;
  let attributes: Map<string, string> | undefined;
  let at = start;
  tagEnd.isSelfClosed = false;
  tagEnd.at = -1;
  while (at < length) {
    const code = html.charCodeAt(at);
    if (code === GREATER) {
      tagEnd.isSelfClosed = at > start && html.charCodeAt(at - 1) === SLASH;
      tagEnd.at = at + 1;
      break;
    }
    if (code === SLASH || isSpace(code)) {
      at += 1;
      continue;
    }
    // A name goes to white space, `/`, `>` or `=`, but may start with `=`.
    const nameStart = at;
    let hash = addToHash(0, code);
    for (at += 1; at < length; at += 1) {
      const next = html.charCodeAt(at);
      if (next === EQUALS || next === GREATER || next === SLASH || isSpace(next)) break;
      hash = addToHash(hash, next);
    }
    const name = NAMES.find(html, nameStart, at, hash);
    while (at < length && isSpace(html.charCodeAt(at))) at += 1;
    let valueStart = at;
    let valueEnd = at;
    if (html.charCodeAt(at) === EQUALS) {
      at += 1;
      while (at < length && isSpace(html.charCodeAt(at))) at += 1;
      const first = html.charCodeAt(at);
      if (first === QUOTE || first === APOSTROPHE) {
        valueStart = at + 1;
        valueEnd = html.indexOf(first === QUOTE ? '"' : "'", valueStart);
        if (valueEnd < 0) break;
        at = valueEnd + 1;
      } else {
        valueStart = at;
        while (at < length && html.charCodeAt(at) !== GREATER && !isSpace(html.charCodeAt(at))) at += 1;
        valueEnd = at;
      }
    }
    if (name === undefined || attributes?.has(name) === true) continue;
    attributes ??= new Map();
    const value = html.slice(valueStart, valueEnd);
    attributes.set(name, value.includes("&") ? decodeAttribute(value) : value);
  }
  return attributes ?? NO_ATTRIBUTES;
}
