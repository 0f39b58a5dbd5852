import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CONDITION_SIGNS, measureSigns } from "../../../src/label/text/condition-signs.js";
import { FUNCTION_WORDS, guessShares, isFamiliar } from "../../../src/label/text/condition.js";
import { createTextLabeller, loadTextModel } from "../../../src/label/text/text-folder.js";
import { textDocument } from "./text-document.js";

const SENTENCES = {
  en: "The kettle had been singing for an hour before anyone in the house noticed it.",
  sv: "Det var en gång en gammal kvarn som stod på en kulle och inte hade någon mjölnare.",
  fi: "Vanha mylly oli kukkulalla, ja se ei ollut enää kenenkään, mutta sen siivet olivat ehjät.",
  es: "El molino viejo estaba en lo alto de la colina y no tenía molinero desde hacía años.",
};
const STRANGE = {
  pl: "Stary młyn stał nad rzeką od stu lat, lecz nikt już nie pamiętał ostatniego młynarza.",
  ru: "Старая мельница стояла на холме сто лет, и никто уже не помнил последнего мельника.",
  zh: "小镇的老桥终于修好了。老人们说，他们等这一天等了很久。",
  ar: "عاد القطار إلى القرية بعد عشر سنوات، فخرج الناس جميعا لاستقباله عند المحطة.",
};

describe("isFamiliar", () => {
  it.each(Object.entries(SENTENCES))("recognises %s by its function words", (_lang, text) => {
    expect(isFamiliar(["Menu", "1 2 3", text])).toBe(true);
  });

  it.each(Object.entries(STRANGE))("does not recognise %s", (_lang, text) => {
    expect(isFamiliar(["Menu", text])).toBe(false);
  });

  it("is false for a text without a line of several words, however long a word is", () => {
    expect(isFamiliar([])).toBe(false);
    expect(isFamiliar(["the of and", "the", "12 13 14 15 16"])).toBe(false);
    expect(isFamiliar(["x".repeat(10_000_000), "\ud800\ud800 \ud800"])).toBe(false);
  });

  it("reads only the first words", () => {
    const strange = Array.from({ length: 60 }, () => STRANGE.pl);
    expect(isFamiliar([...strange, ...Array.from({ length: 500 }, () => SENTENCES.en)])).toBe(false);
  });
});

describe("the function words", () => {
  it("are lower-case words that are unique in their language", () => {
    for (const [lang, list] of Object.entries(FUNCTION_WORDS)) {
      const words = list.split(" ");
      expect(new Set(words).size, lang).toBe(words.length);
      expect(words.filter((word) => !/^\p{Ll}+$/u.test(word))).toEqual([]);
      expect(words.length).toBeGreaterThan(20);
    }
  });
});

describe("the signs of a text", () => {
  it("are finite numbers for any text", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, unit: "binary" }), { minLength: 1, maxLength: 40 }),
        (texts) => {
          const signs = measureSigns(texts);
          expect(signs).toHaveLength(CONDITION_SIGNS.length);
          expect(signs.every(Number.isFinite)).toBe(true);
        },
      ),
    );
  });

  it("depend only on the first 500 lines", () => {
    const lines = Array.from({ length: 3000 }, (_, at) => `Line ${at}`);
    expect(measureSigns(lines)).toEqual(measureSigns(lines.slice(0, 500)));
  });
});

describe("the condition of a text", () => {
  const menu = ["A", "Bb", "Ccc dd", "Eee", "Ff"].flatMap((word) => [
    word,
    `${word} ${word}`,
    `${word} – 12`,
  ]);
  const tell = (sentence: string, lines: number): string[] =>
    Array.from({ length: lines }, (_, at) => `${sentence} ${at} ${sentence}`);
  const page = (sentence: string): string[] => [
    ...menu,
    ...tell(sentence, 4),
    ...menu.map((line) => `${line} >`),
  ];

  it("is recognised without its words: the same page and the same prose in each language", () => {
    const { guess } = loadTextModel();
    if (guess === undefined) throw new Error("the shipped model cannot tell");
    for (const sentence of Object.values({ ...SENTENCES, ...STRANGE })) {
      expect(guessShares(page(sentence), guess)[0]).toBeGreaterThan(0.8);
      expect(guessShares(tell(sentence, 6), guess)[0]).toBeLessThan(0.1);
    }
  });

  it("is in the verdict, and is doubtful if conditions are similar, but never if it is stated", async () => {
    const alike = [...menu.slice(0, 10), ...tell(SENTENCES.en, 6), ...menu.slice(0, 5)];
    for (const condition of ["auto", "crawl"] as const) {
      const labeller = await createTextLabeller({ focus: "balanced", condition });
      const [told, doubtful, none] = await labeller.label(
        [page(SENTENCES.sv), alike, []].map((texts) => textDocument(texts)),
      );
      expect(told?.condition?.name).toBe(condition === "auto" ? "raw" : "crawl");
      expect(told?.condition?.isDoubtful).toBe(false);
      expect(doubtful?.condition?.isDoubtful).toBe(condition === "auto");
      expect(none?.lines).toEqual([]);
      await labeller.close();
    }
  });
});
