/** Formats a count with its noun: "1 document", "2 documents". */

/** `noun` is in the singular and must form its plural with "s"; `format` writes the number. */
export function tellCount(count: number, noun: string, format: (count: number) => string = String): string {
  return `${format(count)} ${noun}${count === 1 ? "" : "s"}`;
}
