import { describe, expect, it } from "vitest";
import {
  chooseLanguage,
  readWords,
  shareOf,
  STOP_LANGUAGES,
  stopShare,
} from "../../../../src/label/papers/justext/stop-lists.js";
import { STOP_WORDS } from "../../../../src/label/papers/justext/stop-words.js";

const SENTENCES = {
  en: "The ferry was late again, and the people on the pier sang to keep warm until it came at last.",
  sv: "Det var sent på hösten och de som bodde i byn hade inte sett en båt på flera veckor.",
  fr: "Le bateau est arrivé avec une heure de retard, mais les gens qui attendaient sur le quai ont chanté.",
  es: "El barco llegó con una hora de retraso, pero la gente que estaba en el puerto se puso a cantar.",
  de: "Das Schiff kam wieder zu spät, und die Leute auf dem Steg haben gesungen, bis es endlich da war.",
};

describe("the lists", () => {
  it.each(STOP_LANGUAGES)("of %s contain unique lower-case words", (language) => {
    const words = (STOP_WORDS[language] ?? "").split(" ");
    expect(words.length).toBeGreaterThan(100);
    expect(new Set(words).size).toBe(words.length);
    for (const word of words) {
      expect(word).toBe(word.toLowerCase());
      expect(word).toMatch(/^\p{L}[\p{L}\p{M}\u200c\u200d'’-]*$/u);
    }
  });

  it("are no more than there are bits for", () => {
    expect(STOP_LANGUAGES.length).toBeLessThanOrEqual(31);
  });
});

describe("stop words", () => {
  it("are counted between spaces, in any case", () => {
    expect(stopShare(readWords("The ferry WAS, late and"), "en")).toBeCloseTo(2 / 5);
    expect(stopShare(readWords("  the\u00a0\t of\nand "), "en")).toBe(1);
    expect(stopShare(readWords(" \t "), "en")).toBe(0);
  });

  it("can be replaced by the user's", () => {
    const list = new Map([["ferry", 1]]);
    expect(shareOf(readWords("The ferry was late", list), 1)).toBe(0.25);
  });
});

describe("chooseLanguage", () => {
  const read = (...texts: readonly string[]): Uint32Array[] => texts.map((text) => readWords(text));

  it.each(Object.entries(SENTENCES))("recognises %s by its words", (language, text) => {
    expect(chooseLanguage(read(text))).toBe(language);
  });

  it("follows the language that the page states, in any form of the tag", () => {
    expect(chooseLanguage(read("xyzzy plugh"), "sv")).toBe("sv");
    expect(chooseLanguage(read(SENTENCES.sv), "sv_SE")).toBe("sv");
    expect(chooseLanguage([], "EN-us")).toBe("en");
  });

  it("ignores a template that states English for a Swedish text", () => {
    expect(chooseLanguage(read(SENTENCES.sv), "en-US")).toBe("sv");
  });

  it("returns no list for an unknown language, stated or not", () => {
    expect(chooseLanguage(read("ตลาดเช้ากลับมาคึกคักอีกครั้ง"))).toBeUndefined();
    expect(chooseLanguage(read(SENTENCES.en), "da")).toBeUndefined();
    expect(chooseLanguage([])).toBeUndefined();
  });
});
