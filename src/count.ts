/** Formats counts, also with a noun: "1 document", "2 documents". */

/** Groups the digits with commas, the same on every machine, whatever its locale. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `noun` is in the singular and must form its plural with "s". */
export function tellCount(count: number, noun: string): string {
  return `${count} ${inflect(noun, count)}`;
}

/** Like `tellCount`, with commas in a large number: "1,200 documents". */
export function tellMany(count: number, noun: string): string {
  return `${formatCount(count)} ${inflect(noun, count)}`;
}

function inflect(noun: string, count: number): string {
  return count === 1 ? noun : `${noun}s`;
}
