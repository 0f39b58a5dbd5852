/**
 * Reads a `/.well-known/tdmrep.json`: which pages of a site are reserved for text and data mining (TDM Reservation
 * Protocol, final report of the W3C community group, 2024).
 */
import { toFields, tryJson } from "../../json.js";
import { byLongest, compilePattern, normalisePath, pathOf, type PathPattern } from "./robots.js";

const TDMREP_PATH = "/.well-known/tdmrep.json";

/** Returns the URL of the tdmrep.json that applies to a URL. */
export function tdmrepUrlOf(url: string): string {
  return new URL(TDMREP_PATH, url).href;
}

/** Returns the uses of a page that are reserved; its URL must be absolute, its host is ignored. */
export type Reserved = (url: string) => readonly string[];

/**
 * Parses a tdmrep.json: a list of rules, each with a path pattern as in robots.txt and 0 or 1. The longest matching
 * pattern decides, and of two equally long ones the one that reserves. Never fails: rules without meaning are skipped.
 */
export function parseTdmrep(text: string): Reserved {
  const read = tryJson(text);
  const rules = (Array.isArray(read) ? read : [read]).flatMap(readRule);
  const ruleFor = byLongest(rules, ({ isReserved }) => Number(isReserved));
  return (url) => (ruleFor(normalisePath(pathOf(url)))?.isReserved === true ? ["tdm"] : []);
}

interface Rule {
  readonly pattern: PathPattern;
  readonly isReserved: boolean;
}

function readRule(value: unknown): Rule[] {
  const { location, "tdm-reservation": reservation } = toFields(value);
  if (typeof location !== "string" || location === "") return [];
  return [{ pattern: compilePattern(location), isReserved: String(reservation) === "1" }];
}
