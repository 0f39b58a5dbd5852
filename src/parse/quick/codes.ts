/** Character codes of the source into what they mean in markup. */

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

/** White space as HTML has it: tab, line feed, form feed, carriage return, space. */
export function isSpace(code: number): boolean {
  return code <= 0x20 && (code === 0x20 || (code >= 0x09 && code <= 0x0d && code !== 0x0b));
}

/** What ends the name of a tag. */
export function isNameEnd(code: number): boolean {
  return code === CODES.greater || code === CODES.slash || isSpace(code);
}

export function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
