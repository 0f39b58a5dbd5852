import { describe, expect, it } from "vitest";
import { viewKept } from "../../src/filter/kept-text.js";
import { checkLanguages, openLanguageIdentifier, toKnownCode } from "../../src/filter/language.js";
import { STOP_WORDS } from "../../src/filter/gopher.js";
import { UsageError } from "../../src/outcome.js";
import { judgeAll, makeDocument, tell } from "./documents.js";

const { identify, languages } = await openLanguageIdentifier();

const TEXTS: Readonly<Record<string, string>> = {
  sv: "Vi plockade blåbär hela eftermiddagen och kokade sylt när vi kom hem till stugan vid sjön, medan barnen badade.",
  fi: "Keräsimme mustikoita koko iltapäivän ja keitimme hilloa, kun tulimme kotiin mökille järven rannalle lasten uidessa.",
  en: "We picked blueberries all afternoon and made jam when we came home to the cottage by the lake, while the children swam.",
  ru: "Мы весь день собирали чернику и варили варенье, когда вернулись домой на дачу у озера, а дети купались.",
  ar: "قطفنا التوت الأزرق طوال فترة ما بعد الظهر وصنعنا المربى عندما عدنا إلى البيت بجانب البحيرة بينما كان الأطفال يسبحون.",
  zh: "我们整个下午都在采蓝莓，回到湖边的小屋后就做了果酱，孩子们在湖里游泳。",
  ja: "私たちは午後ずっとブルーベリーを摘んで、湖のそばの小屋に帰ってからジャムを作りました。",
  th: "เราเก็บบลูเบอร์รีตลอดทั้งบ่ายและทำแยมเมื่อกลับถึงบ้านพักริมทะเลสาบขณะที่เด็กๆ ว่ายน้ำ",
  hi: "हमने पूरी दोपहर जामुन तोड़े और झील के किनारे वाले घर लौटकर मुरब्बा बनाया, जबकि बच्चे तैर रहे थे।",
};

describe("identify", () => {
  it.each(Object.entries(TEXTS))("recognises %s", (code, text) => {
    const kept = viewKept(makeDocument([text]), identify);
    expect(kept.language?.code).toBe(code);
  });

  it("considers all of a long text, and reports which share of it agrees", () => {
    const text = `${`${TEXTS["en"] ?? ""}\n`.repeat(4)}${`${TEXTS["ru"] ?? ""}\n`.repeat(12)}`;
    const language = viewKept(makeDocument(text.split("\n")), identify).language;
    expect(language?.code).toBe("ru");
    expect(language?.share).toBeLessThan(1);
    expect(language?.share).toBeGreaterThan(0.5);
  });

  it.each(["", "12345 6789 !!!", "Ok.", "\ud800\ud800", " \n "])("returns nothing for %j", (text) => {
    expect(viewKept(makeDocument([text]), identify).language).toBeUndefined();
  });

  it.each([
    "ဖြစ်ပါတယ်။ Weekly Eleven သတင်းစာတိုက်က တာဝန်ခံအယ်ဒီတာ ကိုနရီမင်း BBC က မေးမြန်းခဲ့ပါတယ်။",
    "ព្រះរាជាណាចក្រកម្ពុជា (Cambodia) ដែលមានរាជធានីភ្នំពេញ Google និង Facebook បានប្រកាស។",
    "ශ්‍රී ලංකාව (Sri Lanka) ඉන්දියන් සාගරයේ පිහිටි දූපත් රටකි. Google සමාගම ප්‍රකාශ කළේය.",
    "བོད་ནི་ཨེ་ཤ་ཡའི་དབུས་སུ་གནས་པའི་ས་ཁུལ་ཞིག་ཡིན། (Tibet) Google དང་ Facebook.",
    "ދިވެހިރާއްޖެއަކީ (Maldives) އިންޑިޔާ ކަނޑުގައި އޮންނަ ޖަޒީރާ ޤައުމެކެވެ. Google އާއި Facebook.",
    "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ ᎠᏂᏣᎳᎩ ᎤᏂᏬᏂᎯᏍᏗ ᎨᏒᎢ (Cherokee) Facebook",
  ])("returns nothing for a text mainly in an unsupported script: %j", (text) => {
    expect(viewKept(makeDocument([text]), identify).language).toBeUndefined();
  });

  it("supports every language that has stop words", () => {
    expect(Object.keys(STOP_WORDS).filter((code) => !languages.includes(code))).toEqual([]);
  });
});

describe("the option languages", () => {
  it("accepts codes in any form", () => {
    expect(["SV", "pt-BR", "zh_Hant", "nb", "id", "iw"].map(toKnownCode)).toEqual([
      "sv",
      "pt",
      "zh",
      "no",
      "ms",
      "he",
    ]);
    expect([...checkLanguages(["sv-FI", "fi"], languages)]).toEqual(["sv", "fi"]);
  });

  it("accepts codes of three letters, as in corpora", () => {
    expect([...checkLanguages(["fin", "swe_Latn"], languages)]).toEqual(["fi", "sv"]);
  });

  it("accepts languages that only a record or page can state", async () => {
    expect([...checkLanguages(["kk", "mya", "sme"], languages)]).toEqual(["kk", "my", "se"]);
    const burmese = "မြန်မာနိုင်ငံတွင် ယခုနှစ် မိုးရာသီ၌ မိုးရွာသွန်းမှု များပြားခဲ့သည်";
    const page = (text: string, lang: string): ReturnType<typeof makeDocument> => ({
      ...makeDocument([text], { lang }),
      source: "html",
    });
    const told = await judgeAll(
      [
        makeDocument([burmese], { lang: "my" }),
        makeDocument(["Қазақстанда биыл астық мол болды"], { lang: "kk" }),
        page(burmese, "my"),
        page(TEXTS["sv"] ?? "", "my"),
        makeDocument([burmese]),
      ],
      { languages: ["my", "kk"] },
    );
    expect(told.map(tell)).toEqual([
      ...["kept", "kept", "kept"],
      "wrong-language: language: sv, wanted my kk",
      "wrong-language: language: not detected, wanted my kk",
    ]);
  });

  it("refuses unknown languages and tags with a script", async () => {
    expect(() => checkLanguages(["tlh"], languages)).toThrow(UsageError);
    for (const tag of ["zh-Hant", "sr_Latn", "srp_Latn"])
      expect(() => checkLanguages([tag], languages)).toThrow(`"${tag}" names a script`);
    await expect(judgeAll([], { languages: ["xx"] })).rejects.toThrow('there is no language "xx"');
  });

  it("keeps documents in the wanted languages, and rejects all others", async () => {
    const documents = Object.values(TEXTS).map((text) => makeDocument([text]));
    const told = await judgeAll([...documents, makeDocument(["123"])], { languages: ["sv", "fi"] });
    expect(told.map(tell)).toEqual([
      "kept",
      "kept",
      ...["en", "ru", "ar", "zh", "ja", "th", "hi"].map(
        (code) => `wrong-language: language: ${code}, wanted sv fi`,
      ),
      "wrong-language: language: not detected, wanted sv fi",
    ]);
  });
});

describe("the language of the record", () => {
  const settle = async (text: string, lang?: string): Promise<string> => {
    const document = makeDocument([text], lang === undefined ? {} : { lang });
    const [outcome] = await judgeAll([document], { language: "identified" });
    if (outcome?.ok !== true) return tell(outcome);
    return [outcome.value.meta.lang ?? "", ...outcome.value.notes].join(" | ");
  };
  const long = (code: string): string => `${TEXTS[code] ?? ""} ${TEXTS[code] ?? ""}`;

  it("is identified if the page states none", async () => {
    expect(await settle(TEXTS["sv"] ?? "")).toBe("sv");
    expect(await settle("123")).toBe("");
  });

  it("stays as the page states it if the text agrees or is not reliable", async () => {
    expect(await settle(long("en"), "en-GB")).toBe("en-GB");
    expect(await settle("Hej på dig du gamla vän", "en")).toBe("en");
    expect(await settle("12345", "fi")).toBe("fi");
  });

  it("is corrected if the text is in another language, and a note keeps the stated one", async () => {
    expect(await settle(long("sv"), "en-US")).toBe("sv | lang-stated: en-US");
  });

  it.each([
    [
      "sw",
      "Serikali siku ya Jumatano ilitangaza mpango mpya wa usimamizi wa maji katika maeneo kame na kusema kuwa utaanza mwaka ujao.",
    ],
    [
      "kk",
      "Қазақстанда биыл астық мол болды, шаруалар жиналған өнімді қоймаларға тасып жатыр. Үкімет судың жаңа жоспарын ұсынды.",
    ],
    [
      "ga",
      "D’fhógair an rialtas Dé Céadaoin plean nua um bainistíocht uisce sna ceantair thirime agus dúirt siad go dtosódh sé.",
    ],
    [
      "sr-Latn-RS",
      "Vlada je u sredu predstavila novi plan upravljanja vodama u sušnim područjima i saopštila da će on početi sledeće godine.",
    ],
  ])("stays as stated if it is %s, which cannot be identified in that script", async (lang, text) => {
    expect(await settle(text, lang)).toBe(lang);
    expect(await judgeAll([makeDocument([text], { lang })], { filters: { "stop-words": 1 } })).toMatchObject([
      { ok: true },
    ]);
  });

  it("is corrected if it cannot be identified but the text is in English, another script, or the country's language", async () => {
    expect(await settle(long("en"), "sw")).toBe("en | lang-stated: sw");
    expect(await settle(long("ru"), "sw")).toBe("ru | lang-stated: sw");
    expect(await settle(long("sv"), "se")).toBe("sv | lang-stated: se");
  });

  it("is not corrected by default", async () => {
    const [outcome] = await judgeAll([makeDocument([long("sv")], { lang: "en" })], {
      filters: { "language-share": true },
    });
    expect(outcome?.ok === true && outcome.value.meta.lang).toBe("en");
  });
});
