/** Computes the median of measured values. */

/** Returns the median; for an even number of values, the higher of the two middle ones. 0 if there are no values. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
