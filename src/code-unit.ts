/** Reads the UTF-16 code unit at a place of a text. */

/**
 * `text.charCodeAt(at)`, for loops over the text. Strings are of a dozen kinds to the engine (flat or joined, of one byte
 * or two, parts of others), and where it has met more than four it looks the method up again for every character: half
 * of what reading a line costs.
 */
export const codeUnit: (text: string, at: number) => number = Function.prototype.call.bind(
  // oxlint-disable-next-line typescript/unbound-method -- `call` gives it the text that it is a method of
  String.prototype.charCodeAt,
);
