/** Parses and checks the values of options; errors say what would be right. */
import { InvalidArgumentError } from "commander";
import {
  ADDRESS,
  COUNT,
  HEADER,
  PROBABILITY,
  TIMEOUT,
  WORKERS,
  type Rule,
} from "../../options/option-rules.js";

const BYTE_UNITS: Readonly<Record<string, number>> = { "": 1, k: 1e3, m: 1e6, g: 1e9 };
const TIME_UNITS: Readonly<Record<string, number>> = { ms: 1, "": 1000, s: 1000, m: 60_000 };

/** "10000000", "10M", "10 MB" → bytes. */
export function parseBytes(value: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([kmg]?)b?$/i.exec(value.trim());
  const bytes = Math.round(Number(match?.[1]) * (BYTE_UNITS[match?.[2]?.toLowerCase() ?? ""] ?? Number.NaN));
  if (!(bytes >= 1 && Number.isSafeInteger(bytes)))
    throw new InvalidArgumentError("It must be a size such as 500k, 10M or 1G.");
  return bytes;
}

/** "10", "10s", "500ms", "2m" → milliseconds. */
export function parseDuration(value: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m)?$/i.exec(value.trim());
  const ms = Math.round(Number(match?.[1]) * (TIME_UNITS[match?.[2]?.toLowerCase() ?? ""] ?? Number.NaN));
  if (!TIMEOUT.isRight(ms)) throw new InvalidArgumentError("It must be a time such as 10s, 500ms or 2m.");
  return ms;
}

/** Like `parseDuration`, but 0 is allowed. */
export function parsePause(value: string): number {
  return /^\s*0+(?:\.0+)?\s*(?:ms|s|m)?\s*$/i.test(value) ? 0 : parseDuration(value);
}

/** Checks that the value is the URL of a page. */
export function parseAddress(value: string): string {
  return parseByRule(value, ADDRESS);
}

/** Checks that the value can be sent in an HTTP header. */
export function parseHeader(value: string): string {
  return parseByRule(value, HEADER);
}

/** Refuses an empty name, path or address, as an unset shell variable gives: as a host, it would mean every address. */
export function parseWord(value: string): string {
  if (value.trim() === "") throw new InvalidArgumentError("It must not be empty.");
  return value;
}

/** Throws InvalidArgumentError for a wrong value, like all parsers of this file except `parseDecimal`. */
export function parseByRule<T>(value: T, { isRight, wanted }: Rule): T {
  if (!isRight(value)) throw new InvalidArgumentError(`It must be ${wanted}.`);
  return value;
}

/** Parses "0", "12". */
export function parseNumber(value: string): number {
  if (!/^\d{1,12}$/.test(value)) throw new InvalidArgumentError("It must be a whole number of at least 0.");
  return Number(value);
}

export function parseCount(value: string): number {
  return parseByRule(/^\d{1,12}$/.test(value) ? Number(value) : 0, COUNT);
}

export function parseSeed(value: string): number {
  const seed = /^\d{1,9}$/.test(value) ? Number(value) : -1;
  if (seed < 0) throw new InvalidArgumentError("It must be a whole number from 0 to 999999999.");
  return seed;
}

/** Parses a port; 0 is any free port. */
export function parsePort(value: string): number {
  const port = parseNumber(value);
  if (port > 65_535) throw new InvalidArgumentError("It must be a whole number from 0 to 65535.");
  return port;
}

export function parseWorkers(value: string): number {
  return parseByRule(/^\d+$/.test(value) ? Number(value) : 0, WORKERS);
}

export function parseProbability(value: string): number {
  return parseByRule(parseDecimal(value) ?? Number.NaN, PROBABILITY);
}

/** Parses "12", "0.5", ".5": digits and a point; undefined for any other notation. */
export function parseDecimal(value: string): number | undefined {
  const number = /^(?:\d+(?:\.\d*)?|\.\d+)$/.test(value) ? Number(value) : Infinity;
  return number === Infinity ? undefined : number;
}
