import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countCharacters, countColumns } from "../../src/filter/scripts.js";
import { readTerms } from "../../src/filter/terms.js";
import { countWords } from "../../src/language/words.js";

describe("countCharacters", () => {
  it.each([
    ["abc", "Latin"],
    ["Привет, world", "Cyrillic"],
    ["漢字かな", "Han"],
    ["カタカナ語", "Katakana"],
    ["Chromeの新しい機能とアプリ", "Hiragana"],
    ["大韓의 Samsung 統計는 한국 것", "Hangul"],
    ["汉语 ab 한글 汉字文本", "Han"],
    ["한국어", "Hangul"],
    ["ไทย", "Thai"],
    ["नमस्ते", "Devanagari"],
    ["ⵣⵣ", "Other"],
    ["𝒜 12 !?", undefined],
    ["𠮷野", "Han"],
    ["", undefined],
  ])("finds the script of %j", (text, script) => {
    expect(countCharacters([text]).script).toBe(script);
  });

  it("counts letters, digits, columns and foreign letters over all lines", () => {
    expect(countCharacters(["a1 ж", "b٢"])).toEqual({
      letters: 3,
      digits: 2,
      columns: 6,
      script: "Latin",
      foreign: 1,
    });
  });

  it("never counts more characters than there are", () => {
    const text = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(fc.array(text), (lines) => {
        const { letters, digits, columns, foreign } = countCharacters(lines);
        const characters = lines.reduce((sum, line) => sum + Array.from(line).length, 0);
        expect(foreign).toBeLessThanOrEqual(letters);
        expect(letters + digits).toBeLessThanOrEqual(characters);
        expect(columns).toBeGreaterThanOrEqual(characters);
        expect(columns).toBeLessThanOrEqual(2 * characters);
        expect(columns).toBe(lines.reduce((sum, line) => sum + countColumns(line), 0));
      }),
    );
  });
});

describe("readTerms", () => {
  it("gives the same words in any case and Unicode form", () => {
    const one = readTerms(["Cafe\u0301 ÉTÉ, rock'n'roll 12"]);
    expect(one).toEqual(readTerms(["café", "été rock'n'roll 12"]));
    expect([one.count, one.lettered, one.totalColumns]).toEqual([4, 3, 20]);
    expect(new Set(one.hashes).size).toBe(4);
  });

  it("gives as many words as countWords", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" })), (lines) => {
        const texts = lines.map((line) => line.normalize("NFC").toLowerCase());
        const words = texts.reduce((sum, line) => sum + countWords(line), 0);
        expect(readTerms(lines).count).toBe(words);
      }),
    );
  });
});
