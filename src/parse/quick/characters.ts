/** Classifies characters of markup (whitespace, letters, ends of names), and looks names up in tables. */

export const CODES = {
  space: 0x20,
  bang: 0x21,
  quote: 0x22,
  apostrophe: 0x27,
  slash: 0x2f,
  equals: 0x3d,
  greater: 0x3e,
  question: 0x3f,
} as const;

/** Checks for whitespace as HTML defines it: tab, line feed, form feed, carriage return, space. */
export function isSpace(code: number): boolean {
  return code <= 0x20 && (code === 0x20 || (code >= 0x09 && code <= 0x0d && code !== 0x0b));
}

/** Checks whether a character ends the name of a tag. */
export function isNameEnd(code: number): boolean {
  return code === CODES.greater || code === CODES.slash || isSpace(code);
}

export function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/* Lookup of names, in any case, in a fixed table, without making strings of them. */

interface Names<T> {
  /** Returns the entry of the name at [start, end), whose hash is `hash`; undefined if the table does not have it. */
  find(html: string, start: number, end: number, hash: number): T | undefined;
}

/** Places of a table: a power of two, several times the number of entries, so that most places hold at most one. */
const PLACES = 1024;

/** Adds one character to the hash of a name; upper and lower case of a letter are the same. */
export function addToHash(hash: number, code: number): number {
  return (Math.imul(hash, 31) + (code | 0x20)) | 0;
}

export function createNames<T>(entries: readonly (readonly [string, T])[]): Names<T> {
  const places: { readonly name: string; readonly entry: T }[][] = Array.from({ length: PLACES }, () => []);
  for (const [name, entry] of entries) {
    let hash = 0;
    for (let index = 0; index < name.length; index += 1) hash = addToHash(hash, name.charCodeAt(index));
    places[hash & (PLACES - 1)]?.push({ name, entry });
  }
  return {
    find(html, start, end, hash) {
      const place = places[hash & (PLACES - 1)];
      if (place === undefined) return undefined;
      for (const { name, entry } of place) if (isSame(html, start, end, name)) return entry;
      return undefined;
    },
  };
}

function isSame(html: string, start: number, end: number, name: string): boolean {
  return end - start === name.length && isNameAt(html, start, name);
}

/** Checks whether a name, given in lower case, is at an offset of the source, in any case. */
export function isNameAt(html: string, at: number, name: string): boolean {
  for (let index = 0; index < name.length; index += 1)
    if ((html.charCodeAt(at + index) | 0x20) !== name.charCodeAt(index)) return false;
  return true;
}
