import { expect, it } from "vitest";
import { toBase32 } from "../../src/bytes/base32.js";

// RFC 4648, section 10, without the padding.
it.each([
  ["", ""],
  ["f", "MY"],
  ["fo", "MZXQ"],
  ["foo", "MZXW6"],
  ["foob", "MZXW6YQ"],
  ["fooba", "MZXW6YTB"],
  ["foobar", "MZXW6YTBOI"],
])("writes %j in base 32", (text, expected) => {
  expect(toBase32(Buffer.from(text))).toBe(expected);
});
