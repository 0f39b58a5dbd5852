/** Says what is known of an option, and checks the values of options, which programs without a compiler may get wrong in any way. */
import { UsageError } from "../outcome.js";
import { ownValue } from "../own-value.js";
import { parseWebUrl } from "../parse-url.js";
import { isObject } from "../json.js";
import { MAX_TIMER_MS } from "../time/max-timer.js";

/** What an option's value must be. `wanted` ends the sentence "NAME must be …". */
export interface Rule {
  readonly isRight: (value: unknown) => boolean;
  readonly wanted: string;
  /** How a flag's value is read; absent where a word is taken as it is. */
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
  /** All values that there are, where they can be listed. */
  readonly choices?: readonly string[];
}

/** How the command line offers an option. */
export interface Flag {
  /** The part of `--help` in which it is listed. */
  readonly group: "text" | "filter" | "run";
  /** "-j, --jobs <n>" */
  readonly name: string;
  readonly says: string;
  /** The default as a person reads it, where the value itself is no help. */
  readonly shown?: string;
  /** What a switch means, where that is not `true`. */
  readonly means?: string;
  /** What the flag means with `--no-` before its name, where there is such a one. */
  readonly negated?: string;
}

/** All that is known of an option. */
export interface Row<Value> {
  readonly rule: Rule;
  /** Absent where an option that is left out has a meaning of its own. */
  readonly default?: Value;
  /**
   * Whether it can change the text of a document, and so is a part of the fingerprint: as it is ("page"), or by what the
   * filters make of it ("filters").
   */
  readonly shapes: "page" | "filters" | "nothing";
  /** Whether processes that clean pages are told it. */
  readonly travels: boolean;
  /** Absent where no flag says it by itself. */
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

/** What a header of HTTP can carry (RFC 9110, 5.5), as Node.js sends it. */
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

export const TIMEOUT: Rule = {
  reads: "duration",
  isRight: (value) => isBetween(value, 1, MAX_TIMER_MS),
  wanted: `a number from 1 to ${MAX_TIMER_MS}`,
};

export const BYTES: Rule = {
  reads: "bytes",
  isRight: (value) => Number.isInteger(value) && isBetween(value, 1, Infinity),
  wanted: "a whole number from 1 on",
};

/** Bytes of memory, of which there may be none. */
export const MEMORY: Rule = {
  reads: "bytes",
  isRight: (value) => Number.isFinite(value) && isBetween(value, 0, Infinity),
  wanted: "a number from 0 on",
};

export const COUNT: Rule = {
  reads: "count",
  isRight: (value) => Number.isInteger(value) && isBetween(value, 1, Infinity),
  wanted: "a whole number from 1 on",
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

/** CSS selectors; what is none is told where they are first used. */
export const SELECTORS: Rule = {
  reads: "selectors",
  isRight: (value) =>
    Array.isArray(value) && value.every((item) => typeof item === "string" && item.trim() !== ""),
  wanted: "an array of CSS selectors",
};

/**
 * An object of numbers by name, each from 0 on, or true for the limit that the filter has by itself; `lists` have some of
 * their words instead.
 */
export function limitsFor(
  names: readonly string[],
  lists: Readonly<Record<string, readonly string[]>>,
): Rule {
  const isLimit = (value: unknown): boolean => value === true || isBetween(value, 0, Infinity);
  const isRight = (name: string, value: unknown): boolean => {
    const words = ownValue(lists, name);
    if (words === undefined) return names.includes(name) && isLimit(value);
    return Array.isArray(value) && value.length > 0 && value.every((word) => words.includes(word as string)); // any value is looked for
  };
  return {
    reads: "limits",
    isRight: (value) =>
      isObject(value) && Object.entries(value).every(([name, limit]) => isRight(name, limit)),
    wanted:
      `an object with a number from 0 on, or true, for any of ${names.join(", ")}` +
      Object.entries(lists)
        .map(([name, words]) => `; for ${name}, an array of some of ${words.join(", ")}`)
        .join(""),
  };
}

function isBetween(value: unknown, least: number, most: number): boolean {
  return typeof value === "number" && value >= least && value <= most;
}

/** Throws UsageError for the first value that breaks its rule; what is absent, or has no rule, breaks none. */
export function checkValues(options: object, rules: Readonly<Record<string, Rule | undefined>>): void {
  // Values of JavaScript may be anything.
  const values = options as Readonly<Record<string, unknown>>;
  for (const [name, rule] of Object.entries(rules)) {
    const value = values[name];
    if (value === undefined || rule === undefined || rule.isRight(value)) continue;
    throw new UsageError(`${name} must be ${rule.wanted}`);
  }
}

/**
 * Takes the options that are given out of those that are known: programs written in JavaScript have no compiler to tell
 * them. One that is undefined counts as left out. Throws UsageError for any other one.
 */
export function takeOptions<T extends object>(
  whose: string,
  given: T | undefined,
  known: Readonly<Record<keyof T, unknown>>,
): Partial<T> {
  if (given === undefined) return {};
  // What the type says, a program may not have been told.
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
  const { flag } = (row ?? {}) as Partial<Row<unknown>>; // what is known of an option may be less than a row
  const word = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return flag?.name.split(/[ ,]+/).includes(word) ?? false;
}
