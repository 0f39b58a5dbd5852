/** Reads the UTF-16 code unit at an index of a string, fast. */

/**
 * `text.charCodeAt(at)`, for loops over text. The engine has a dozen kinds of strings (flat or concatenated, one-byte
 * or two-byte, slices). Once a call site has seen more than four, it looks the method up again for every character,
 * which is half the cost of reading a line.
 */
export const codeUnit: (text: string, at: number) => number = Function.prototype.call.bind(
  // oxlint-disable-next-line typescript/unbound-method -- `call` passes the text as `this`
  String.prototype.charCodeAt,
);
