/**
 * Lists the data that a page holds for its scripts, without running code: JSON in script elements, assignments and
 * attributes.
 */
import { toFields, tryJson } from "../../json.js";
import type { ElementNode } from "../../document/tree.js";
import { findElement } from "../elements.js";
import { parseLoosely } from "../metadata/json-ld.js";
import { isDevalue, readDevalue } from "./devalue.js";

interface PageData {
  /** What the page says in JSON-LD. */
  readonly linked: readonly unknown[];
  /** What its scripts start from; each value has a form of its own. */
  readonly states: readonly unknown[];
}

/** Characters of all blocks together; the largest states of real pages have about five million. */
const MAX_CHARACTERS = 20_000_000;
/** Shorter blocks hold settings, not text. */
const MIN_CHARACTERS = 200;

const LINKED = /^\s*application\/ld\+json/i;
const JSON_TYPE = /^\s*(?:application|text)\/(?:[\w.-]+\+)?json/i;

/** Lists each block once, in page order; skips blocks that are not JSON. */
export function listData(root: ElementNode): PageData {
  const linked: unknown[] = [];
  const states: unknown[] = [];
  let left = MAX_CHARACTERS;
  const isTaken = ({ length }: string): boolean => {
    if (length < MIN_CHARACTERS || length > left) return false;
    left -= length;
    return true;
  };
  const addState = (json: string): void => {
    const value = isTaken(json) ? parseQuietly(json) : undefined;
    if (value !== undefined) states.push(isDevalue(value) ? readDevalue(value) : value);
  };
  findElement(root, (element) => {
    if (element.namespace !== "html") return false;
    if (element.tag === "script") readScript(element);
    else for (const [, value] of element.attributes) if (/^\s*[[{]/.test(value)) addState(value);
    return false;
  });
  return { linked, states };

  function readScript(script: ElementNode): void {
    const type = script.attributes.get("type") ?? "";
    const code = script.children.map((child) => (child.kind === "text" ? child.value : "")).join("");
    if (LINKED.test(type)) {
      const value = isTaken(code) ? parseLoosely(code) : undefined;
      if (value !== undefined) linked.push(value);
    } else if (JSON_TYPE.test(type)) addState(code);
    else for (const json of listAssigned(code)) addState(json);
  }
}

/** Returns the value of a string that is JSON itself, as some servers nest it; undefined if it is not JSON. */
export function parseNested(text: string): unknown {
  return mayBeNested(text) ? parseQuietly(text) : undefined;
}

/** Checks quickly whether a string may be JSON with text in it. */
export function mayBeNested(text: string): boolean {
  return text.length >= MIN_CHARACTERS && /^\s*[[{]/.test(text);
}

/** Parses an object or an array; undefined for anything else, and for invalid JSON. */
function parseQuietly(json: string): unknown {
  const value = tryJson(json);
  return typeof value === "object" && value !== null ? value : undefined;
}

/** `window.__STATE__ = {…}`, `var data = [{…}]`, `self["x"] = JSON.parse("…")`: up to where the value begins. */
const ASSIGNMENT =
  /(?:\b(?:window|self|globalThis)\s*(?:\.\s*[\w$]+|\[\s*["'][\w$.-]+["']\s*\])|\b(?:var|let|const)\s+[\w$]+)\s*=\s*(?:JSON\.parse\(\s*(?=")|(?=[[{]))/g;

/** The most values of one script that do not end, as in code with quotes of its own. */
const MAX_ENDLESS = 20;

/** Yields the JSON that a script assigns. A value that is code, not JSON, is found when it is parsed. */
function* listAssigned(code: string): Generator<string> {
  let endless = 0;
  const assignment = new RegExp(ASSIGNMENT);
  while (assignment.exec(code) !== null) {
    const start = assignment.lastIndex;
    const end = code.charAt(start) === '"' ? endOfString(code, start) : endOfValue(code, start);
    if (end === undefined) {
      endless += 1;
      if (endless > MAX_ENDLESS) return;
      continue;
    }
    const value = code.slice(start, end);
    yield value.startsWith('"') ? unquote(value) : value;
    assignment.lastIndex = end;
  }
}

/** Returns the offset after the bracket that closes the one at `start`; undefined if no bracket does. */
function endOfValue(code: string, start: number): number | undefined {
  const mark = /["[\]{}]/g;
  mark.lastIndex = start;
  let depth = 0;
  for (let found = mark.exec(code); found !== null; found = mark.exec(code)) {
    const [character] = found;
    if (character === '"') {
      const end = endOfString(code, found.index);
      if (end === undefined) return undefined;
      mark.lastIndex = end;
    } else {
      depth += character === "{" || character === "[" ? 1 : -1;
      if (depth === 0) return mark.lastIndex;
    }
  }
  return undefined;
}

/** Returns the offset after the quote that closes the one at `start`; undefined if no quote does. */
function endOfString(code: string, start: number): number | undefined {
  const mark = /["\\]/g;
  mark.lastIndex = start + 1;
  for (let found = mark.exec(code); found !== null; found = mark.exec(code)) {
    if (found[0] === '"') return mark.lastIndex;
    mark.lastIndex += 1;
  }
  return undefined;
}

/** Decodes a string of JSON; returns "" for one that only JavaScript can read. */
function unquote(quoted: string): string {
  const { text } = toFields(parseQuietly(`{"text":${quoted}}`));
  return typeof text === "string" ? text : "";
}
