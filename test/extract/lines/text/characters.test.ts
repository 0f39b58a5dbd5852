import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  collapseSpace,
  createInk,
  findInk,
  isBlank,
  readInk,
  type Ink,
} from "../../../../src/extract/lines/text/characters.js";

/** Every kind of character with special treatment, and some plain ones. */
const ODD = [
  ...Array.from("aé漢ш—’ \n\t\f\v\r"),
  ...Array.from("\u0000\u0008\u000e\u001b\u001c\u001f\u007f\u0080\u0081\u0092\u009f\u00a0\u00ad\u034f\u061c"),
  ...Array.from("\u115f\u1160\u1680\u180e\u2000\u200a\u200b\u200c\u200d\u200e\u2028\u2029\u202a\u202f\u205f"),
  ...Array.from("\u2060\u2064\u2065\u2066\u3000\u3164\ufe0f\ufeff\uffa0"),
  "\ud83d\ude00",
  "\ud83d",
  "\ude00",
  // Line breaks between such characters rarely occur by chance.
  "漢\n",
  " \n漢",
];

/** U+0080 to U+009F in the encoding standard; a space stands for an unassigned one. */
const WINDOWS_1252 = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

/** Does the same with the regular expressions that define the text of a line. */
function readBySteps(source: string): Ink {
  const collapsed = source
    .replace(
      /[\u0000-\u0008\u000e-\u001b\u007f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]+/g,
      "",
    )
    .replace(/[\u0080-\u009f]/g, (control) => WINDOWS_1252.charAt(control.charCodeAt(0) - 0x80))
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .replace(/(?<=\p{Script=Han})[\t-\r ]*\n[\t-\r ]*(?=\p{Script=Han})/gu, "")
    .replace(/[\s\u001c-\u001f]+/g, " ");
  const ink = /[^\s\u034f\u115f\u1160\u200c\u200d\u3164\ufe00-\ufe0f\uffa0]/;
  const [start, end] = findInk(source);
  return {
    text: collapsed.trim(),
    hasSpaceBefore: collapsed.startsWith(" "),
    hasSpaceAfter: collapsed.endsWith(" "),
    isSourceBlank: !ink.test(source),
    isBlank: !ink.test(collapsed),
    hasJoiner: /[\u034f\u115f\u1160\u200c\u200d\u3164\ufe00-\ufe0f\uffa0]/.test(collapsed),
    start,
    end,
  };
}

function expectSame(source: string): void {
  const ink = createInk();
  // Values that an earlier node left behind.
  Object.assign(ink, {
    text: "before",
    hasSpaceBefore: true,
    hasSpaceAfter: true,
    isBlank: false,
    start: 9,
    end: 9,
  });
  readInk(source, ink);
  const expected = readBySteps(source);
  // Text of white space alone has no meaningful edges.
  if (expected.text === "")
    expect({ ...ink, hasSpaceAfter: false, start: 0, end: 0 }).toEqual({
      ...expected,
      hasSpaceAfter: false,
      start: 0,
      end: 0,
    });
  else expect(ink).toEqual(expected);
  expect(collapseSpace(source).trim()).toBe(expected.text);
  expect(isBlank(source)).toBe(expected.isSourceBlank);
}

describe("readInk", () => {
  it("reads every UTF-16 code unit correctly, alone and between others", () => {
    const ink = createInk();
    const wrong: number[] = [];
    for (let code = 0; code <= 0xffff; code += 1) {
      const character = String.fromCharCode(code);
      for (const source of [character, `a${character}b`, ` ${character}x`]) {
        readInk(source, ink);
        const { text, isBlank, isSourceBlank } = readBySteps(source);
        if (ink.text !== text || ink.isBlank !== isBlank || ink.isSourceBlank !== isSourceBlank)
          wrong.push(code);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("reads any text like the steps that define it", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...ODD), { maxLength: 12 }), (parts) => {
        expectSame(parts.join(""));
      }),
      { numRuns: 5_000 },
    );
  });
});
