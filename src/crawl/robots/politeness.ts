/** Computes when a host may be asked again: delays, pauses before retries, and what the server itself asks for. */
import type { PolitenessOptions } from "../types.js";

/** The defaults. */
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

/** The longest delay in milliseconds: a robots.txt must still be valid after the delay. */
export const MAX_DELAY_MS = 1_800_000;

/** Statuses after which the same request may succeed later. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Whether a failure with this status may be temporary. */
export function mayPass(status: number): boolean {
  return PASSING.has(status);
}

/**
 * Computes the pause after this number of tries, in milliseconds. It doubles with each try, and varies at random by a
 * half, so that hosts that failed together are not asked again together.
 */
export function pauseAfter(tries: number, retryMs: number, random: () => number): number {
  return Math.round(retryMs * 2 ** (tries - 1) * (0.5 + random()));
}

/** Parses a Retry-After header (seconds or an HTTP date) as milliseconds from now; undefined if it is neither. */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? "";
  // Nine digits are thirty years, and still an exact number.
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  if (!/^[A-Z][a-z]{2}[a-z]*,? /.test(text)) return undefined;
  // The oldest form of a date ends with the year, and means GMT as well (RFC 9110, 5.6.7).
  const date = Date.parse(/:\d\d \d{4}$/.test(text) ? `${text} GMT` : text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Chooses the delay between two requests to a host, in milliseconds. */
export function delayOf(
  robotsDelayMs: number | undefined,
  hookDelayMs: number | undefined,
  { delayMs }: PolitenessOptions,
): number {
  return Math.max(hookDelayMs ?? delayMs, robotsDelayMs ?? 0);
}
