/** Checks the hooks of a crawl and the values that they return. */
import { inspect } from "node:util";
import { isObject, isStrings } from "../json.js";
import { checkValues, takeOptions, type Rule } from "../options/option-rules.js";
import { UsageError } from "../outcome.js";
import { MAX_DELAY_MS } from "./robots/politeness.js";
import type { CrawlHooks } from "./types.js";

const HOOK: Rule = { isRight: (value) => typeof value === "function", wanted: "a function" };
const RULES: Readonly<Record<keyof CrawlHooks, Rule>> = { mayFetch: HOOK, delayFor: HOOK, findLinks: HOOK };

/**
 * Returns the hooks, wrapped to check what they return. Throws UsageError for a wrong hook, and later for a wrong
 * value.
 */
export function takeHooks(given: CrawlHooks | undefined): CrawlHooks {
  if (given === undefined) return {};
  // An instance of a class has its methods on the prototype, and may have other fields.
  if (!isOfClass(given)) takeOptions("hooks", given, RULES);
  checkValues(given, RULES);
  const { mayFetch, delayFor, findLinks } = given;
  return {
    ...(mayFetch && { mayFetch: (url) => mayFetch.call(given, url) }),
    ...(delayFor && { delayFor: (host) => checkDelay(delayFor.call(given, host), host) }),
    ...(findLinks && { findLinks: async (page) => checkLinks(await findLinks.call(given, page), page.url) }),
  };
}

function isOfClass(given: unknown): boolean {
  if (!isObject(given)) return false;
  const made: unknown = Object.getPrototypeOf(given);
  return made !== null && made !== Object.prototype;
}

function checkDelay(delay: number | undefined, host: string): number | undefined {
  if (delay === undefined || (delay >= 0 && delay <= MAX_DELAY_MS && typeof delay === "number")) return delay;
  throw wrong("delayFor", delay, { of: host, wanted: `a number from 0 to ${MAX_DELAY_MS}` });
}

function checkLinks(links: readonly string[] | undefined, url: string): readonly string[] | undefined {
  if (links === undefined || isStrings(links)) return links;
  throw wrong("findLinks", links, { of: url, wanted: "an array of strings" });
}

function wrong(
  hook: keyof CrawlHooks,
  given: unknown,
  { of, wanted }: { readonly of: string; readonly wanted: string },
): UsageError {
  const shown =
    typeof given === "string" ? JSON.stringify(given) : inspect(given, { depth: 0, breakLength: Infinity });
  return new UsageError(`${hook} returned ${shown.slice(0, 80)} for ${of}; it must return ${wanted}`);
}
