/** Counts times on a scale of powers, so that a few numbers tell how long any number of pages took. */

/** How many times fell into each step of the scale: plain values, which a file can hold. */
export type Times = Record<number, number>;

/** Each step is five per cent above the one before. */
const STEP = 1.05;

/** Counts one time, in milliseconds, of more than 0. */
export function countTime(times: Times, ms: number): void {
  const step = Math.round(Math.log(ms) / Math.log(STEP));
  times[step] = (times[step] ?? 0) + 1;
}

/** The time in milliseconds below which this share of them stayed, within three per cent; 0 where there was none. */
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
