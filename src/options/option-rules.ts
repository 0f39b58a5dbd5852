/** Defines rules for the values of options, and checks the options that programs pass. */
import { UsageError } from "../outcome.js";
import { ownValue } from "../own-value.js";
import { parseWebUrl } from "../parse-url.js";
import { isObject } from "../json.js";
import { MAX_TIMER_MS } from "../time/max-timer.js";

/** What the value of an option must be. `wanted` ends the sentence "NAME must be …". */
export interface Rule {
  readonly isRight: (value: unknown) => boolean;
  readonly wanted: string;
  /** How the value of the flag is parsed; if absent, the text is the value. */
  readonly reads?:
    | "switch"
    | "probability"
    | "workers"
    | "duration"
    | "bytes"
    | "count"
    | "codes"
    | "limits"
    | "selectors";
  /** All possible values, if they can be listed. */
  readonly choices?: readonly string[];
}

/** How the command line offers an option. */
export interface Flag {
  /** The section of `--help` that lists it. */
  readonly group: "text" | "filter" | "run";
  /** "-j, --jobs <n>" */
  readonly name: string;
  readonly says: string;
  /** How the help shows the default, if the value itself is hard to read. */
  readonly shown?: string;
  /** The value that the flag sets, if that is not `true`. */
  readonly means?: string;
  /** The value that the flag sets with `--no-` before its name, if that form exists. */
  readonly negated?: string;
}

/** One row of the table of options. */
export interface Row<Value> {
  readonly rule: Rule;
  /** Absent if leaving out the option has a meaning of its own. */
  readonly default?: Value;
  /**
   * Whether the option can change the text of a document, and so is part of the fingerprint: as it is ("page"), or by
   * the settings of the filters ("filters").
   */
  readonly shapes: "page" | "filters" | "nothing";
  /** Absent if no flag sets this option alone. */
  readonly flag?: Flag;
}

const MAX_WORKERS = 1024;

export function oneOf(choices: readonly string[]): Rule {
  return {
    choices,
    isRight: (value) => typeof value === "string" && choices.includes(value),
    wanted: `one of ${choices.join(", ")}`,
  };
}

export const SWITCH: Rule = {
  reads: "switch",
  isRight: (value) => typeof value === "boolean",
  wanted: "true or false",
};

export const FOLDER: Rule = {
  isRight: (value) => typeof value === "string" && value !== "",
  wanted: "the path of a folder",
};

export const ADDRESS: Rule = {
  isRight: (value) => typeof value === "string" && parseWebUrl(value) !== undefined,
  wanted: "an address that begins with https:// or http://",
};

/** The value of an HTTP header (RFC 9110, 5.5), as Node.js sends it. */
export const HEADER: Rule = {
  isRight: (value) =>
    typeof value === "string" && value.trim() !== "" && /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
  wanted: "text without line breaks and other control characters, in Latin-1",
};

export const PROBABILITY: Rule = {
  reads: "probability",
  isRight: (value) => isBetween(value, 0, 1),
  wanted: "a number from 0 to 1",
};

/** A time limit in milliseconds, at most what a timer can wait. */
export const TIMEOUT: Rule = {
  reads: "duration",
  isRight: (value) => isBetween(value, 1, MAX_TIMER_MS),
  wanted: `a number from 1 to ${MAX_TIMER_MS}`,
};

export const BYTES: Rule = {
  reads: "bytes",
  isRight: (value) => Number.isInteger(value) && isBetween(value, 1, Infinity),
  wanted: "a whole number of at least 1",
};

/** Bytes of memory; 0 is allowed. */
export const MEMORY: Rule = {
  reads: "bytes",
  isRight: (value) => Number.isFinite(value) && isBetween(value, 0, Infinity),
  wanted: "a number of at least 0",
};

export const COUNT: Rule = {
  reads: "count",
  isRight: (value) => Number.isInteger(value) && isBetween(value, 1, Infinity),
  wanted: "a whole number of at least 1",
};

export const WORKERS: Rule = {
  reads: "workers",
  isRight: (value) => Number.isInteger(value) && isBetween(value, 1, MAX_WORKERS),
  wanted: `a whole number from 1 to ${MAX_WORKERS}`,
};

export const LANGUAGE_CODES: Rule = {
  reads: "codes",
  isRight: (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
  wanted: "an array of language codes",
};

/** CSS selectors; their syntax is checked when they are first used. */
export const SELECTORS: Rule = {
  reads: "selectors",
  isRight: (value) =>
    Array.isArray(value) && value.every((item) => typeof item === "string" && item.trim() !== ""),
  wanted: "an array of CSS selectors",
};

/**
 * The rule for an object of limits by filter name: a number from 0 on, or true for the default limit of the filter. The
 * names in `lists` take an array of some of their words instead.
 */
export function limitsFor(
  names: readonly string[],
  lists: Readonly<Record<string, readonly string[]>>,
): Rule {
  const isLimit = (value: unknown): boolean => value === true || isBetween(value, 0, Infinity);
  const isRight = (name: string, value: unknown): boolean => {
    const words = ownValue(lists, name);
    if (words === undefined) return names.includes(name) && isLimit(value);
    // `includes` accepts any value.
    return Array.isArray(value) && value.length > 0 && value.every((word) => words.includes(word as string));
  };
  return {
    reads: "limits",
    isRight: (value) =>
      isObject(value) && Object.entries(value).every(([name, limit]) => isRight(name, limit)),
    wanted:
      `an object with a number of at least 0, or true, for any of ${names.join(", ")}` +
      Object.entries(lists)
        .map(([name, words]) => `; for ${name}, an array of some of ${words.join(", ")}`)
        .join(""),
  };
}

function isBetween(value: unknown, least: number, most: number): boolean {
  return typeof value === "number" && value >= least && value <= most;
}

/** Throws UsageError for the first value that breaks its rule. Values that are undefined or have no rule pass. */
export function checkValues(options: object, rules: Readonly<Record<string, Rule | undefined>>): void {
  // Programs written in JavaScript may pass any value.
  const values = options as Readonly<Record<string, unknown>>;
  for (const [name, rule] of Object.entries(rules)) {
    const value = values[name];
    if (value === undefined || rule === undefined || rule.isRight(value)) continue;
    throw new UsageError(`${name} must be ${rule.wanted}`);
  }
}

/**
 * Returns the given options without those that are undefined. Throws UsageError for an option that is not in `known`,
 * since programs written in JavaScript have no compiler to check them.
 */
export function takeOptions<T extends object>(
  whose: string,
  given: T | undefined,
  known: Readonly<Record<keyof T, unknown>>,
): Partial<T> {
  if (given === undefined) return {};
  // Programs without a type checker may pass something else.
  if (typeof given !== "object" || (given as unknown) === null || Array.isArray(given))
    throw new UsageError(`the options of ${whose} must be an object`);
  const taken = Object.entries<unknown>(given as Readonly<Record<string, unknown>>).filter(
    ([, value]) => value !== undefined,
  );
  for (const [name] of taken) {
    if (Object.hasOwn(known, name)) continue;
    const meant = Object.entries<unknown>(known).find(([, row]) => isFlagOf(name, row))?.[0];
    const others = `there are ${Object.keys(known).sort().join(", ")}`;
    throw new UsageError(
      `there is no option "${name}" of ${whose}; ${meant === undefined ? others : `it is called "${meant}" here`}`,
    );
  }
  return Object.fromEntries(taken) as Partial<T>; // the same fields, or fewer
}

/** Whether the flag of a row has this name: "dedupMemory" is "--dedup-memory". */
function isFlagOf(name: string, row: unknown): boolean {
  const { flag } = (row ?? {}) as Partial<Row<unknown>>; // a known option may have less than a full row
  const word = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return flag?.name.split(/[ ,]+/).includes(word) ?? false;
}
