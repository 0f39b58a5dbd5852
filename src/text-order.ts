/** Puts texts in an order that is the same on every system and in every locale: that of their code units. */

/** To sort by. */
export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The same record with its keys in order, however they were met. */
export function sortKeys<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => compareTexts(one, other)));
}
