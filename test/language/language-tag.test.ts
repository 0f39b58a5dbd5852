/** Checks that names of languages come out as BCP 47 writes them. */
import { describe, expect, it } from "vitest";
import { normaliseLang } from "../../src/language/language-tag.js";

describe("normaliseLang", () => {
  it.each([
    ["en", "en"],
    ["EN_us", "en-US"],
    ["zh-hant-tw", "zh-Hant-TW"],
    ["sr-latn", "sr-Latn"],
    ["es-419", "es-419"],
    ["de-CH-1996", "de-CH-1996"],
    ["pt_BR.UTF-8", "pt-BR"],
    ["fi, sv", "fi"],
    ["swe,eng", "sv"],
    ["cmn", "zh"],
    ["zho_Hant", "zh-Hant"],
    ["__label__eng_Latn", "en"],
    ["smn", "smn"],
    ["jp", "ja"],
    ["cn", "zh"],
    ["GR", "el"],
    ["ua", "uk"],
    ["cz-CZ", "cs-CZ"],
    ["dk", "da"],
    ["kr", "ko"],
    ["iw", "he"],
    ["in-ID", "id-ID"],
    ["ji", "yi"],
    ["jw", "jv"],
    ["mo", "ro"],
    ["zh-cmn-Hans", "zh-Hans"],
    ["zh-yue-HK", "zh-yue-HK"],
    ["se", "se"],
    ["en-Latn", "en-Latn"],
    ["english", undefined],
    ["x-default", undefined],
    ["und", undefined],
    ["utf-8", undefined],
    ["mul,eng", undefined],
    ["", undefined],
    ["<%= lang %>", undefined],
  ])("%s", (value, expected) => {
    expect(normaliseLang(value)).toBe(expected);
  });
});
