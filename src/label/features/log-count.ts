/** Counts into their logarithms; those of small counts are looked up, to the same last digit. */

const SMALL = 512;
const logs = Float64Array.from({ length: SMALL }, (_, count) => Math.log1p(count));

/** log(1 + count), which is looked up for whole numbers from 0 on. */
export function logCount(count: number): number {
  // To look up what is no place in the table would have the engine compile its callers again and again.
  const place = count | 0;
  return place === count && place >= 0 && place < SMALL ? (logs[place] ?? 0) : Math.log1p(count);
}
