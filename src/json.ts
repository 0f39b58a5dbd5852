/** Parses and writes JSON without changing a digit of its numbers, which JavaScript rounds to 53 bits. */
import { isSafeNumber, LosslessNumber, stringify } from "lossless-json";

/**
 * Parses JSON. A number that JavaScript would write with other digits (2^53 + 1, 1e400, 1.50) becomes a
 * `LosslessNumber`. Throws SyntaxError.
 */
export function parseJson(text: string): unknown {
  return parseWith(text, toNumber);
}

/**
 * Converts the digits of a JSON number: to a JavaScript number if that writes the same digits, else to a
 * `LosslessNumber`.
 */
export function toNumber(digits: string): number | LosslessNumber {
  return isKept(digits) ? Number(digits) : new LosslessNumber(digits);
}

/** Writes a value of `parseJson` as JSON. Integers may be bigints of any size. */
export function formatJson(value: object): string {
  // `stringify` returns undefined for some values, but never for an object or an array.
  return holds(value, isLong) ? (stringify(value) as string) : JSON.stringify(value);
}

/** The digits of a number; undefined for any other value. */
export function digitsOf(value: unknown): string | undefined {
  return isNumber(value) || isLong(value) ? String(value) : undefined;
}

/** Parses JSON into plain values. A number that JavaScript cannot hold exactly becomes a string of its digits. */
export function parsePlainJson(text: string): unknown {
  return parseWith(text, (digits) => (isSafeNumber(digits) ? Number(digits) : digits));
}

/** Like JSON.parse, but returns undefined for text that is not JSON. */
export function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** JSON.parse reports the errors in a text; only numbers that it would change need more work. */
function parseWith(text: string, parseNumber: (digits: string) => unknown): unknown {
  const value: unknown = JSON.parse(text);
  // Most records hold only strings, in which whole pages may look like numbers, so numbers are looked for first.
  const quoted = holds(value, isNumber) ? quoteNumbers(text) : undefined;
  return quoted === undefined ? value : takeDigits(value, JSON.parse(quoted), parseNumber);
}

/** Whether the value, or a value inside it at any depth, matches `isSuch`. */
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

/** Whether JSON.stringify cannot write the value. */
function isLong(value: unknown): boolean {
  return typeof value === "bigint" || value instanceof LosslessNumber;
}

/**
 * Replaces each number of `value` that is a string in `quoted` by `parseNumber` of that string. Apart from these
 * numbers, `quoted` equals `value`.
 */
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
        // Assigning to a field named `__proto__` would change the prototype instead.
        Object.defineProperty(fields, name, { value: parseNumber(other) });
    }
  }
  return all.value;
}

/** The fields of an object, with values of any type. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether the value is a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Views any object as fields of unknown type. Returns no fields for a value that is not an object. */
export function toFields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

/**
 * The fields of an object, or of an object's JSON text, as table cells hold it; undefined for a text that is not JSON.
 */
export function parseFields(value: unknown): Fields | undefined {
  if (typeof value !== "string") return toFields(value);
  try {
    return toFields(parseJson(value));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Returns a string that is not empty; undefined for anything else. */
export function toText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Whether the value is an array that holds only strings. */
export function isStrings(value: unknown): value is readonly string[] {
  // `every` skips the holes of a sparse array.
  return Array.isArray(value) && value.findIndex((item) => typeof item !== "string") === -1;
}

/**
 * Replaces the matches of a pattern. Where it matches `"`, the string that begins there is skipped. (A pattern that
 * matches whole strings runs out of stack on a text with millions of escapes.)
 */
export function replaceTokens(json: string, pattern: RegExp, replace: (token: string) => string): string {
  const parts: string[] = [];
  let behind = 0;
  pattern.lastIndex = 0;
  for (let found = pattern.exec(json); found !== null; found = pattern.exec(json)) {
    const [token] = found;
    const replaced = token === '"' ? token : replace(token);
    if (token === '"') pattern.lastIndex = findEnd(json, pattern.lastIndex);
    if (replaced === token) continue;
    parts.push(json.slice(behind, found.index), replaced);
    behind = found.index + token.length;
  }
  return behind === 0 ? json : parts.join("") + json.slice(behind);
}

/** Matches a string's opening quote or a number, in JSON that JSON.parse has accepted. */
const QUOTE_OR_NUMBER = /"|-?\d[\d.eE+-]*/g;

/**
 * Matches what a number may contain that JavaScript writes differently: many digits, an exponent, a trailing zero, a
 * small fraction, a minus sign before zero. Nearly every record has no such number, and this one test takes a third of
 * the time of checking each number.
 */
const STRANGE = /[[:,]\s*(?:-0|-?(?:[\d.]{16}|\d+(?:\.\d+)?[eE]|\d+\.\d*0\s*[\],}]|0\.000000))/;

/**
 * Puts quotes around each number outside strings that JavaScript would write differently; undefined when there are no
 * such numbers.
 */
function quoteNumbers(json: string): string | undefined {
  if (!STRANGE.test(json)) return undefined;
  const quoted = replaceTokens(json, QUOTE_OR_NUMBER, (digits) => (isKept(digits) ? digits : `"${digits}"`));
  return quoted === json ? undefined : quoted;
}

/**
 * Returns the offset after the closing quote of the string whose content starts at `from`. A quote closes the string if
 * an even number of backslashes precedes it.
 */
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
