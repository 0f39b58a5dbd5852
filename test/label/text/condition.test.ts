import { describe, expect, it } from "vitest";
import { FUNCTION_WORDS, isFamiliar } from "../../../src/label/text/condition.js";

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
  it.each(Object.entries(SENTENCES))("knows %s by its function words", (_lang, text) => {
    expect(isFamiliar(["Menu", "1 2 3", text])).toBe(true);
  });

  it.each(Object.entries(STRANGE))("does not know %s", (_lang, text) => {
    expect(isFamiliar(["Menu", text])).toBe(false);
  });

  it("says no of what has no line of some words, however long a word is", () => {
    expect(isFamiliar([])).toBe(false);
    expect(isFamiliar(["the of and", "the", "12 13 14 15 16"])).toBe(false);
    expect(isFamiliar(["x".repeat(10_000_000), "\ud800\ud800 \ud800"])).toBe(false);
  });

  it("looks at the first words only", () => {
    const strange = Array.from({ length: 60 }, () => STRANGE.pl);
    expect(isFamiliar([...strange, ...Array.from({ length: 500 }, () => SENTENCES.en)])).toBe(false);
  });
});

describe("the function words", () => {
  it("are lower-case words, each once in its language", () => {
    for (const [lang, list] of Object.entries(FUNCTION_WORDS)) {
      const words = list.split(" ");
      expect(new Set(words).size, lang).toBe(words.length);
      expect(words.filter((word) => !/^\p{Ll}+$/u.test(word))).toEqual([]);
      expect(words.length).toBeGreaterThan(20);
    }
  });
});
