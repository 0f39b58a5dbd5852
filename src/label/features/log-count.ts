/** Counts into their logarithms; those of small counts are looked up, to the same last digit. */

const logs = Float64Array.from({ length: 256 }, (_, count) => Math.log1p(count));

/** log(1 + count) of a whole number from 0 on. */
export function logCount(count: number): number {
  return logs[count] ?? Math.log1p(count);
}
