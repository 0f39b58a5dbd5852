import fc from "fast-check";
import { expect, test } from "vitest";
import { countWords, forEachWord, splitWords } from "../../src/language/words.js";

function visited(text: string): string[] {
  const words: string[] = [];
  forEachWord(text, (start, end) => words.push(text.slice(start, end)));
  return words;
}

const SAMPLES = [
  "",
  "rock'n'roll, don’t -- stop- -now it’s",
  "a-b-c- d--e ''f'' g'’h -i i-",
  "می‌خواهم क्‍ष",
  "東京とソウル서울 2020年 葛\u{e0100}飾",
  "ภาษาไทย ກຳ မြန်မာ ខ្មែរ a\u0e31\u0301b",
  "e\u0301te\u0301 \u0301 漢\u0301\u0301x漢-漢",
  "𠮷野家 \u{1f600}\u{1f3fd} 𝒜𝒷 \ud800 \udc00x\ud800",
];

test.each(SAMPLES)("counts the words that splitWords finds in %j", (text) => {
  expect(countWords(text)).toBe(splitWords(text).length);
  expect(visited(text)).toEqual(splitWords(text));
});

test("counts each character of Unicode as the expression does, alone and beside letters", () => {
  const wrong: string[] = [];
  for (let first = 0; first < 0x110000; first += 0x10) {
    let text = "";
    for (let code = first; code < first + 0x10; code += 1) {
      const character = String.fromCodePoint(code);
      text += `${character} a${character}b 漢${character}x`;
    }
    if (countWords(text) !== splitWords(text).length) wrong.push(first.toString(16));
  }
  expect(wrong).toEqual([]);
});

test("counts any text as the expression does", () => {
  const odd = fc.constantFrom(
    "a",
    "Z",
    "é",
    "'",
    "’",
    "-",
    "\u200c",
    "\u200d",
    " ",
    "漢",
    "ก",
    "\u0e31",
    "\u0301",
    "𠮷",
    "\ud83d",
  );
  const texts = fc.oneof(
    fc.string({ unit: odd, maxLength: 40 }),
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.string({ unit: "grapheme", maxLength: 40 }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect(countWords(text)).toBe(splitWords(text).length);
      expect(visited(text)).toEqual(splitWords(text));
    }),
    { numRuns: 2000 },
  );
});
