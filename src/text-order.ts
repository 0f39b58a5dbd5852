/** Sorts strings by their UTF-16 code units, so that the order is the same on every system and in every locale. */

/** Compare function for `sort`. */
export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Returns a copy of the record with its keys sorted. */
export function sortKeys<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => compareTexts(one, other)));
}
