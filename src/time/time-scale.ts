/**
 * Counts durations in a histogram with exponential steps, so that a few numbers give the percentiles of any number of
 * pages.
 */

/** The number of durations in each step of the scale, as a plain object that JSON can hold. */
export type Times = Record<number, number>;

/** Each step is 5 % longer than the one before. */
const STEP = 1.05;

/** Counts one duration, in milliseconds; it must be more than 0. */
export function countTime(times: Times, ms: number): void {
  const step = Math.round(Math.log(ms) / Math.log(STEP));
  times[step] = (times[step] ?? 0) + 1;
}

/** The duration in milliseconds that the given share of the durations stayed below, within 3 %; 0 without durations. */
export function findTime(times: Readonly<Times>, share: number): number {
  const steps = Object.entries(times)
    .map(([step, count]) => [Number(step), count] as const)
    .sort(([a], [b]) => a - b);
  let left = steps.reduce((sum, [, count]) => sum + count, 0) * share;
  for (const [step, count] of steps) {
    left -= count;
    if (left <= 0) return Number((STEP ** step).toPrecision(3));
  }
  return 0;
}
