/** Replaces the tables of a page between two marks. */

/**
 * Returns the page with this text between its two marks. Throws a RangeError unless the page has both marks, each once
 * and in order.
 */
export function replaceBetween(page: string, [start, end]: readonly [string, string], text: string): string {
  const [before, rest, ...more] = page.split(start);
  const ends = rest?.split(end);
  if (before === undefined || ends?.length !== 2 || more.length > 0)
    throw new RangeError(`the file must hold ${start} and, after it, ${end}, each once`);
  return `${before}${start}\n\n${text}\n\n${end}${ends[1] ?? ""}`;
}
