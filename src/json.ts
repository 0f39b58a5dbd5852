/** Reads and writes JSON without changing a digit of its numbers, which JavaScript rounds to 53 bits. */
import { isSafeNumber, LosslessNumber, stringify } from "lossless-json";

/**
 * Parses JSON; a number that JavaScript would write with other digits (2^53 + 1, 1e400, 1.50) is a `LosslessNumber`.
 * Throws SyntaxError.
 */
export function parseJson(text: string): unknown {
  return parseWith(text, toNumber);
}

/** Makes a number of its digits, in the form that JSON has: one of JavaScript, where it would write the same. */
export function toNumber(digits: string): number | LosslessNumber {
  return isKept(digits) ? Number(digits) : new LosslessNumber(digits);
}

/** Writes a value of `parseJson`, and integers of any size, as JSON. */
export function formatJson(value: object): string {
  // Objects and arrays are never left out.
  return holds(value, isLong) ? (stringify(value) as string) : JSON.stringify(value);
}

/** The digits of a number, or undefined where the value is none. */
export function digitsOf(value: unknown): string | undefined {
  return isNumber(value) || isLong(value) ? String(value) : undefined;
}

/** Parses JSON into plain values: a number that JavaScript cannot hold is a string of its digits. */
export function parsePlainJson(text: string): unknown {
  return parseWith(text, (digits) => (isSafeNumber(digits) ? Number(digits) : digits));
}

/** As JSON.parse; undefined for a text that is no JSON. */
export function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** JSON.parse says what is wrong with a text; only where it would change a number is there more to do. */
function parseWith(text: string, parseNumber: (digits: string) => unknown): unknown {
  const value: unknown = JSON.parse(text);
  // Most records hold strings only, in which whole pages may look like numbers.
  const quoted = holds(value, isNumber) ? quoteNumbers(text) : undefined;
  return quoted === undefined ? value : takeDigits(value, JSON.parse(quoted), parseNumber);
}

/** Whether it is such a value, or one that holds one at any depth. */
function holds(value: unknown, isSuch: (one: unknown) => boolean): boolean {
  const open = [value];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (isSuch(one)) return true;
    if (typeof one !== "object" || one === null) continue;
    for (const inner of Object.values(one) as unknown[]) open.push(inner);
  }
  return false;
}

function isNumber(value: unknown): boolean {
  return typeof value === "number";
}

/** Whether JavaScript's own JSON cannot write it. */
function isLong(value: unknown): boolean {
  return typeof value === "bigint" || value instanceof LosslessNumber;
}

/** Puts what `parseNumber` makes of the digits where a number of `value` is a string in `quoted`, which is the same otherwise. */
function takeDigits(value: unknown, quoted: unknown, parseNumber: (digits: string) => unknown): unknown {
  const all = { value };
  const open: [Record<string, unknown>, Fields][] = [[all, { value: quoted }]];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const [fields, others] = one;
    for (const [name, inner] of Object.entries(fields)) {
      const other = others[name];
      if (typeof inner === "object" && inner !== null)
        open.push([inner as Record<string, unknown>, other as Fields]);
      else if (typeof inner === "number" && typeof other === "string")
        // A field may be called `__proto__`.
        Object.defineProperty(fields, name, { value: parseNumber(other) });
    }
  }
  return all.value;
}

/** The fields of an object, each of any kind. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether it is what JSON calls an object. */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Any object may be read by key; what is found has to be looked at. What is no object has no fields. */
export function toFields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

/** The fields of an object, or of the text of one, as tables have it; undefined where a text is no JSON. */
export function parseFields(value: unknown): Fields | undefined {
  if (typeof value !== "string") return toFields(value);
  try {
    return toFields(parseJson(value));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A text that is not empty; undefined where the value is none. */
export function toText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Whether it is an array of strings and of nothing else. */
export function isStrings(value: unknown): value is readonly string[] {
  // `every` passes over what an array leaves out.
  return Array.isArray(value) && value.findIndex((item) => typeof item !== "string") === -1;
}

/** What parts strings from numbers, in JSON that has been parsed. */
const QUOTE_OR_NUMBER = /"|-?\d[\d.eE+-]*/g;

/**
 * What a number has that JavaScript may write otherwise: many digits, an exponent, a last zero, a small fraction, a sign before
 * zero. Nearly every record has no such number, and one look at it takes a third of the time that a look at each number does.
 */
const STRANGE = /[[:,]\s*(?:-0|-?(?:[\d.]{16}|\d+(?:\.\d+)?[eE]|\d+\.\d*0\s*[\],}]|0\.000000))/;

/** Puts quotes around each number that JavaScript would write otherwise; undefined where there is none. What is in strings is none. */
function quoteNumbers(json: string): string | undefined {
  if (!STRANGE.test(json)) return undefined;
  const parts: string[] = [];
  let behind = 0;
  QUOTE_OR_NUMBER.lastIndex = 0;
  for (let found = QUOTE_OR_NUMBER.exec(json); found !== null; found = QUOTE_OR_NUMBER.exec(json)) {
    const [token] = found;
    if (token === '"') QUOTE_OR_NUMBER.lastIndex = findEnd(json, QUOTE_OR_NUMBER.lastIndex);
    else if (!isKept(token)) {
      parts.push(json.slice(behind, found.index), `"${token}"`);
      behind = found.index + token.length;
    }
  }
  return behind === 0 ? undefined : parts.join("") + json.slice(behind);
}

/** Finds where a string ends whose first character is at `from`: behind the quote that no odd number of backslashes is before. */
function findEnd(json: string, from: number): number {
  for (let end = json.indexOf('"', from); end !== -1; end = json.indexOf('"', end + 1)) {
    let first = end;
    while (first > from && json[first - 1] === "\\") first -= 1;
    if ((end - first) % 2 === 0) return end + 1;
  }
  return json.length;
}

function isKept(digits: string): boolean {
  return String(Number(digits)) === digits;
}
