/** Tells how many there are of something: "1 document", "2 documents". */

/** `noun` is in the singular, and its plural ends with an s; `format` writes the number. */
export function tellCount(count: number, noun: string, format: (count: number) => string = String): string {
  return `${format(count)} ${noun}${count === 1 ? "" : "s"}`;
}
