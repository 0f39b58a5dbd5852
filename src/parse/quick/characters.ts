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
  return code <= CODES.greater && (code === CODES.greater || code === CODES.slash || isSpace(code));
}

export function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/* Lookup of names, in any case, in a fixed table, in one pass over their characters and without making strings of them. */

interface Names<T> {
  /** The state after a character, by the state before it (times 128) and the character. */
  readonly states: Uint16Array;
  /** The entry of the name that ends in a state. */
  readonly entries: readonly (T | undefined)[];
}

/** The state before the first character of a name, and the one of names that begin like no name of the table. */
export const FIRST_STATE = 1;
const NO_STATE = 0;
/** The number of ASCII characters; names have no others. */
const CHARACTERS = 128;
const LOWER_TO_UPPER = 0x20;

/** Returns the state after one more character of a name. */
export function nextState(states: Uint16Array, state: number, code: number): number {
  return code < CHARACTERS ? (states[state * CHARACTERS + code] ?? NO_STATE) : NO_STATE;
}

/** Makes a table from names in lower case, each with its entry. */
export function createNames<T>(named: readonly (readonly [string, T])[]): Names<T> {
  const most = named.reduce((sum, [name]) => sum + name.length, FIRST_STATE + 1);
  const states = new Uint16Array(most * CHARACTERS);
  const entries = new Array<T | undefined>(most).fill(undefined);
  let last = FIRST_STATE;
  for (const [name, entry] of named) {
    let state = FIRST_STATE;
    for (let at = 0; at < name.length; at += 1) {
      const code = name.charCodeAt(at);
      const place = state * CHARACTERS + code;
      state = states[place] || (last += 1);
      states[place] = state;
      if (isLetter(code)) states[place - LOWER_TO_UPPER] = state;
    }
    entries[state] = entry;
  }
  return { states, entries };
}

/** Checks whether a name, given in lower case, is at an offset of the source, in any case. */
export function isNameAt(html: string, at: number, name: string): boolean {
  for (let index = 0; index < name.length; index += 1)
    if ((html.charCodeAt(at + index) | 0x20) !== name.charCodeAt(index)) return false;
  return true;
}
