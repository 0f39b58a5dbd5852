/** Reads and writes JSON without changing a digit of its numbers, which JavaScript rounds to 53 bits. */
import { isSafeNumber, LosslessNumber, parse, stringify } from "lossless-json";

/**
 * Parses JSON; a number that JavaScript would write with other digits (2^53 + 1, 1e400, 1.50) is a `LosslessNumber`.
 * Throws SyntaxError, and RangeError where such a number stands among thousands of nested arrays.
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
  return stringify(value) as string;
}

/** The digits of a number, or undefined where the value is none. */
export function digitsOf(value: unknown): string | undefined {
  const isNumber = typeof value === "number" || typeof value === "bigint" || value instanceof LosslessNumber;
  return isNumber ? String(value) : undefined;
}

/** Parses JSON into plain values: a number that JavaScript cannot hold is a string of its digits. */
export function parsePlainJson(text: string): unknown {
  return parseWith(text, (digits) => (isSafeNumber(digits) ? Number(digits) : digits));
}

/** JSON.parse says what is wrong with a text; only where it would change a number is there more to do. */
function parseWith(text: string, parseNumber: (digits: string) => unknown): unknown {
  const value: unknown = JSON.parse(text);
  if (!mayChange(text)) return value;
  return parse(text, undefined, {
    parseNumber,
    onDuplicateKey: ({ newValue }) => newValue, // as JSON.parse
  });
}

/** The fields of an object, each of any kind. */
export type Fields = Readonly<Record<string, unknown>>;

/** Any object may be read by key; what is found has to be looked at. What is no object has no fields. */
export function toFields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

/** A number as JSON writes it, between what may come before and after one; strings hold some that are none. */
const NUMBER = /[[:,]\s*(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=\s*[\],}])/g;

/**
 * What a number has that JavaScript may write otherwise: many digits, an exponent, a last zero, a small fraction, a sign before
 * zero. Nearly every record has no such number, and one look at it takes a third of the time that a look at each number does.
 */
const STRANGE = /[[:,]\s*(?:-0|-?(?:[\d.]{16}|\d+(?:\.\d+)?[eE]|\d+\.\d*0\s*[\],}]|0\.000000))/;

function mayChange(json: string): boolean {
  if (!STRANGE.test(json)) return false;
  for (const [, digits = ""] of json.matchAll(NUMBER)) if (!isKept(digits)) return true;
  return false;
}

function isKept(digits: string): boolean {
  return String(Number(digits)) === digits;
}
