/** When a host may be asked again: delays, pauses before further tries, and what a server itself says of it. */
import type { PolitenessOptions } from "../types.js";

export const POLITENESS: PolitenessOptions = Object.freeze({
  delayMs: 1000,
  maxDelayMs: 60_000,
  hosts: 64,
  retries: 2,
  retryMs: 5000,
  maxRetryAfterMs: 600_000,
  failures: 10,
  robotsMs: 24 * 3_600_000,
  randomSeed: 0,
});

/** Statuses of servers that may answer otherwise later. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

export function mayPass(status: number): boolean {
  return PASSING.has(status);
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The pause after the given number of tries: it doubles, give or take a half, so that hosts that fell together do not rise together. */
export function pauseAfter(tries: number, retryMs: number, random: () => number): number {
  return Math.round(retryMs * 2 ** (tries - 1) * (0.5 + random()));
}

/** What Retry-After asks for, in milliseconds from now: seconds, or an HTTP date; undefined where it says neither. */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? "";
  // Nine digits are thirty years, and still count exactly.
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  if (!/^[A-Z][a-z]{2}[a-z]*,? /.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Between two requests to a host. */
export function delayOf(
  robotsDelayMs: number | undefined,
  hookDelayMs: number | undefined,
  { delayMs }: PolitenessOptions,
): number {
  return Math.max(hookDelayMs ?? delayMs, robotsDelayMs ?? 0);
}
