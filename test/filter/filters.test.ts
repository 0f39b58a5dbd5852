import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { viewKept } from "../../src/filter/kept-text.js";
import { POLICY_PHRASES } from "../../src/filter/prose.js";
import { FILTER_NAMES, measures, presets, type FilterName } from "../../src/filter/registry.js";
import { STOP_WORDS } from "../../src/filter/gopher.js";
import { scoreKept } from "../../src/filter/size.js";
import { toRecord } from "../../src/write/document-record.js";
import { judgeAll, makeDocument, makeWords, tell, type LineParts } from "./documents.js";

type Lines = readonly (string | LineParts)[];

interface Case {
  readonly what: string;
  readonly limit: number | true;
  readonly kept: Lines;
  readonly rejected: Lines;
  /** The figure in the message of the reject. */
  readonly figure?: string;
}

const words = (count: number, first = 0): string => makeWords(count, first).join(" ");
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
/** Makes lines of four words and an end mark, all different. */
const sentences = (count: number): string[] =>
  Array.from({ length: count }, (_, number) => `${words(4, number * 4)}.`);

const runs = (limit: number): Omit<Case, "what"> => ({
  limit: true,
  // This percentage of the words is repeated once in a single run; one word more is too many.
  kept: [`${words(100)} ${words(Math.floor((limit * 100) / (1 - limit)))}`],
  rejected: [`${words(100)} ${words(Math.ceil((limit * 100) / (1 - limit)) + 1)}`],
});

const CASES: Readonly<Record<FilterName, readonly Case[]>> = {
  "min-words": [
    { what: "Latin", limit: 75, kept: [words(75)], rejected: [words(74)], figure: "74" },
    { what: "over lines", limit: 4, kept: ["a b", "c d"], rejected: ["a b", "c"], figure: "3" },
    { what: "Han letters", limit: true, kept: ["字".repeat(75)], rejected: ["字".repeat(74)], figure: "74" },
    { what: "Thai letters", limit: 5, kept: ["กขคงจ"], rejected: ["กขคง"], figure: "4" },
    { what: "Devanagari", limit: 2, kept: ["नमस्ते दुनिया"], rejected: ["नमस्ते"], figure: "1" },
    {
      what: "content only",
      limit: 1,
      kept: ["a"],
      rejected: [{ text: "a", label: "boilerplate" }],
      figure: "0",
    },
  ],
  // test/filter/registers.test.ts tests this filter, because its documents need registers.
  "machine-text": [],
  // Its documents need metadata: see below.
  reservations: [],
  "max-words": [
    { what: "Latin", limit: 3, kept: ["a b c"], rejected: ["a b c d"], figure: "4" },
    { what: "Han", limit: 3, kept: ["三个字"], rejected: ["有四个字"], figure: "4" },
  ],
  digits: [
    {
      what: "Latin",
      limit: true,
      kept: [`${"a".repeat(185)}${"1".repeat(15)}`],
      rejected: [`${"a".repeat(184)}${"1".repeat(16)}`],
      figure: "0.08",
    },
    {
      what: "Han letters count twice",
      limit: 0.1,
      kept: [`${"字".repeat(9)}12`],
      rejected: [`${"字".repeat(8)}12`],
      figure: "0.111",
    },
    { what: "Arabic-Indic", limit: 0.1, kept: ["ابتثجحخدذ٥"], rejected: ["ابتثجحخد٥"], figure: "0.111" },
    { what: "Devanagari", limit: 0.1, kept: ["कखगघचछजझट५"], rejected: ["कखगघचछजझ५"], figure: "0.111" },
  ],
  foreign: [
    {
      what: "Cyrillic in Latin",
      limit: true,
      kept: [`${"a".repeat(98)}жя`],
      rejected: [`${"a".repeat(97)}жяю`],
      figure: "0.03",
    },
    {
      what: "Latin in Cyrillic is at home",
      limit: true,
      kept: [`${"я".repeat(60)}${"a".repeat(40)}`],
      rejected: [`${"я".repeat(40)}${"a".repeat(60)}`],
      figure: "0.4",
    },
    { what: "kana beside Han", limit: 0, kept: ["日本語のカナー々"], rejected: ["日本語のカナー々ж"] },
    {
      what: "Latin beside three scripts of Japanese",
      limit: 0,
      kept: ["Chromeの新しい機能アプリ"],
      rejected: ["Chromeの新しい機能アプリж"],
    },
    { what: "Han beside Hangul", limit: 0, kept: ["한국어漢字"], rejected: ["한국어ひ"] },
    {
      what: "Arabic in Hebrew",
      limit: 0.1,
      kept: [`${"א".repeat(9)}ب`],
      rejected: [`${"א".repeat(8)}ب`],
      figure: "0.111",
    },
    {
      what: "a script of no list",
      limit: 0.1,
      kept: [`${"a".repeat(9)}ⵣ`],
      rejected: [`${"a".repeat(8)}ⵣ`],
      figure: "0.111",
    },
  ],
  "mean-line": [
    {
      what: "Latin",
      limit: true,
      kept: ["a".repeat(20), "a".repeat(40)],
      rejected: ["a".repeat(20), "a".repeat(38)],
      figure: "29",
    },
    { what: "Han", limit: true, kept: ["字".repeat(15)], rejected: ["字".repeat(14)], figure: "28" },
    {
      what: "each line of a pre",
      limit: 10,
      kept: [{ text: "0123456789\n0123456789", block: "pre" }],
      rejected: [{ text: "01234\n5678", block: "pre" }],
      figure: "4.5",
    },
  ],
  score: [
    {
      what: "weighted by length",
      limit: true,
      kept: [
        { text: "abc", score: 0.6 },
        { text: "a", score: 0.2 },
      ],
      rejected: [
        { text: "abc", score: 0.4 },
        { text: "a", score: 0.75 },
      ],
      figure: "0.488",
    },
  ],
  "language-share": [
    {
      what: "one language, several",
      limit: true,
      kept: ["Der schnelle Fuchs springt über den faulen Hund und läuft dann in den dunklen Wald hinein."],
      rejected: ["12345 67890"],
      figure: "0",
    },
    {
      what: "a script of which no language can be identified",
      limit: true,
      kept: ["រដ្ឋាភិបាលបានប្រកាសផែនការគ្រប់គ្រងទឹកថ្មីសម្រាប់តំបន់ស្ងួត។"],
      rejected: ["12345 67890"],
      figure: "0",
    },
  ],
  "ended-sentences": [
    { what: "Latin", limit: true, kept: sentences(5), rejected: sentences(4), figure: "4" },
    { what: "without end marks", limit: 1, kept: ["a b c."], rejected: ["a b c"], figure: "0" },
    { what: "ellipses", limit: 1, kept: ["a b c?"], rejected: ["a b c..."], figure: "0" },
    { what: "two words", limit: 1, kept: ["a b c!"], rejected: ["a b!"], figure: "0" },
    {
      what: "policies",
      limit: 1,
      kept: ["We bake good bread."],
      rejected: ["We use cookies here."],
      figure: "0",
    },
    {
      what: "Han",
      limit: 3,
      kept: ["今天下雨。我们在家。他也在！"],
      rejected: ["今天下雨，我们在家。他也在。"],
      figure: "2",
    },
    { what: "Devanagari", limit: 2, kept: ["मैं घर जाता हूँ। वह भी।"], rejected: ["मैं घर जाता हूँ।"], figure: "1" },
    { what: "Arabic", limit: 2, kept: ["هل أنت هنا؟ نعم أنا."], rejected: ["هل أنت هنا نعم؟"], figure: "1" },
  ],
  sentences: [
    { what: "no end marks", limit: 2, kept: ["a b c", "d e f"], rejected: ["a b c", "d e"], figure: "1" },
    {
      what: "several a line",
      limit: 2,
      kept: ["Yes it is. It is so"],
      rejected: ["Yes it is.It is so"],
      figure: "1",
    },
  ],
  "lorem-ipsum": [
    {
      what: "in any case",
      limit: true,
      kept: ["lorem and ipsum"],
      rejected: ["Lorem Ipsum dolor"],
      figure: "1",
    },
  ],
  "curly-braces": [
    { what: "braces", limit: true, kept: ["[a] (b)"], rejected: ["if (a) { b }"], figure: "1" },
  ],
  "line-ends": [
    {
      what: "one of eight",
      limit: true,
      kept: [...times(7, "a b"), "c."],
      rejected: [...times(8, "a b"), "c."],
      figure: "0.111",
    },
    { what: "the limit itself", limit: 0.5, kept: ["a.", "b.", "c"], rejected: ["a.", "b"], figure: "0.5" },
    { what: "Han", limit: true, kept: ["他来了。"], rejected: ["他来了"], figure: "0" },
    {
      what: "a quotation",
      limit: true,
      kept: ["„Ja“, sagte sie. »Nein«"],
      rejected: ["Ja, sagte sie"],
      figure: "0",
    },
    { what: "Armenian", limit: true, kept: ["Բարեւ ձեզ։"], rejected: ["Բարեւ ձեզ"], figure: "0" },
  ],
  "short-lines": [
    {
      what: "30 columns",
      limit: true,
      kept: ["a".repeat(31), "b"],
      rejected: ["a".repeat(31), "b", "c", "d"],
      figure: "0.75",
    },
    {
      what: "the limit itself",
      limit: 1,
      kept: ["a".repeat(31), "a".repeat(30)],
      rejected: ["a".repeat(30)],
      figure: "1",
    },
    { what: "Han", limit: 1, kept: ["字".repeat(16)], rejected: ["字".repeat(15)], figure: "1" },
  ],
  "line-copies": [
    {
      what: "one in a hundred",
      limit: true,
      kept: ["a".repeat(99), "b", "b"],
      rejected: ["a".repeat(98), "b", "b"],
      figure: "0.01",
    },
  ],
  "line-breaks": [
    {
      what: "Latin",
      limit: true,
      kept: ["a b c d", "e", "f g h i", "j"],
      rejected: ["a b c", "d", "e f g", "h"],
      figure: "0.375",
    },
    { what: "Han", limit: true, kept: ["一二三", "四五"], rejected: ["一二", "三"], figure: "0.333" },
  ],
  "min-word-length": [
    { what: "Latin", limit: true, kept: ["abc de fghi"], rejected: ["abc de fgh"], figure: "2.667" },
    { what: "Hangul counts twice", limit: true, kept: ["서울 부산"], rejected: ["나 너"], figure: "2" },
    { what: "not asked of Han", limit: true, kept: ["一二三四"], rejected: ["ab ab"], figure: "2" },
    { what: "not asked of Thai", limit: true, kept: ["ภาษาไทย"], rejected: ["я я"], figure: "1" },
  ],
  "max-word-length": [
    { what: "Latin", limit: true, kept: ["abcdefghij"], rejected: ["abcdefghijk"], figure: "11" },
    { what: "Cyrillic", limit: true, kept: ["абвгдежзик"], rejected: ["абвгдежзикл"], figure: "11" },
  ],
  symbols: [
    {
      what: "hash signs",
      limit: true,
      kept: [`${words(10)} #`],
      rejected: [`${words(10)} # #`],
      figure: "0.2",
    },
    {
      what: "ellipses of both kinds",
      limit: true,
      kept: [`${words(10)}…`],
      rejected: [`${words(10)}… a...`],
      figure: "0.182",
    },
  ],
  bullets: [
    {
      what: "marks",
      limit: true,
      kept: [...times(9, "• a"), "b"],
      rejected: [...times(10, "• a"), "b"],
      figure: "0.909",
    },
    { what: "Japanese marks", limit: 0.5, kept: ["・甲", "乙"], rejected: ["・甲", "･乙"], figure: "1" },
    {
      what: "list items",
      limit: 0.5,
      kept: ["a", { text: "b", block: "li" }],
      rejected: [{ text: "b", block: "li" }],
      figure: "1",
    },
  ],
  ellipses: [
    {
      what: "of both kinds",
      limit: true,
      kept: [...times(7, "a"), ...times(3, "b…")],
      rejected: [...times(6, "a"), ...times(2, "b…"), ...times(2, "c...")],
      figure: "0.4",
    },
    { what: "Chinese", limit: 0.5, kept: ["他说", "等等……"], rejected: ["等等……"], figure: "1" },
  ],
  lettered: [
    { what: "Latin", limit: true, kept: ["a b c d 1"], rejected: ["a b c 1 2"], figure: "0.6" },
    { what: "Han", limit: true, kept: ["一二三四 1"], rejected: ["一二三 1"], figure: "0.75" },
  ],
  "stop-words": [
    {
      what: "English",
      limit: true,
      kept: ["The quick brown fox jumps over that lazy dog near our river bank every single morning"],
      rejected: ["Quick brown foxes jumping over lazy dogs near our river bank every single morning"],
      figure: "0",
    },
    {
      what: "Swedish",
      limit: true,
      kept: ["Den snabba räven hoppar över den lata hunden och springer sedan hem till sin skog på kvällen"],
      rejected: [
        "Snabba rävar hoppar över lata hundar, springer sedan hem genom skogen varje kväll utan vila",
      ],
      figure: "0",
    },
    {
      what: "Greek with all its accents",
      limit: true,
      kept: ["Τὸ παιδὶ καὶ ὁ πατέρας του πῆγαν στὴ θάλασσα γιὰ νὰ κολυμπήσουν μὲ τοὺς φίλους τῆς γειτονιᾶς"],
      rejected: [
        "Παιδιὰ κολυμποῦν σήμερα χαρούμενα στὴ μεγάλη θάλασσα μαζὶ μὲ φίλους ἀπὸ ἄλλες μακρινὲς χῶρες",
      ],
      figure: "1",
    },
    {
      what: "a language without a list",
      limit: true,
      kept: ["今天天气很好，我们去公园散步，看到很多花。"],
      rejected: [
        "Schnelle braune Füchse springen über faule Hunde, laufen danach zurück durch dunkle Wälder",
      ],
      figure: "0",
    },
  ],
  "repeated-lines": [
    {
      what: "lines",
      limit: true,
      kept: ["a", "b", "c", "d", "e", "f", "g", "a", "b", "c"],
      rejected: ["a", "b", "c", "a", "b"],
      figure: "0.4",
    },
  ],
  "repeated-paragraphs": [
    {
      what: "paragraphs",
      limit: 0.4,
      kept: ["a", { text: "b", breakBefore: "line" }, "a", { text: "c", breakBefore: "line" }],
      rejected: ["a", { text: "b", breakBefore: "line" }, "a", { text: "b", breakBefore: "line" }],
      figure: "0.5",
    },
    {
      what: "a border that boilerplate had",
      limit: 0.4,
      kept: ["a", { text: "a", breakBefore: "line" }],
      rejected: ["a", { text: "x", label: "boilerplate" }, { text: "a", breakBefore: "line" }],
      figure: "0.5",
    },
  ],
  "repeated-line-characters": [
    {
      what: "characters",
      limit: true,
      kept: ["abcdefgh", "x", "x"],
      rejected: ["abcd", "xy", "xy"],
      figure: "0.25",
    },
  ],
  "repeated-paragraph-characters": [
    {
      what: "characters",
      limit: true,
      kept: ["abcdefgh", "x", "x"],
      rejected: ["abcd", "xy", "xy"],
      figure: "0.25",
    },
  ],
  "top-2-words": [
    {
      what: "Latin",
      limit: true,
      kept: [`aaaa bbbb ${words(17)} aaaa bbbb`],
      rejected: [`aaaa bbbb ${words(8)} aaaa bbbb`],
      figure: "0.333",
    },
    { what: "once is none", limit: 0, kept: ["one two"], rejected: ["one two one two"], figure: "1" },
    { what: "what overlaps is one", limit: 0.6, kept: ["a a a b"], rejected: ["a a a a b"], figure: "0.8" },
    {
      what: "four letters of Han",
      limit: 0.5,
      kept: ["中国一中国二"],
      rejected: ["中国人民中国人民"],
      figure: "1",
    },
  ],
  "top-3-words": [
    {
      what: "Latin",
      limit: true,
      kept: [`aaaa bbbb cccc ${words(30)} aaaa bbbb cccc`],
      rejected: [`aaaa bbbb cccc ${words(10)} aaaa bbbb cccc`],
      figure: "0.375",
    },
  ],
  "top-4-words": [
    {
      what: "Latin",
      limit: true,
      kept: [`aaaa bbbb cccc dddd ${words(50)} aaaa bbbb cccc dddd`],
      rejected: [`aaaa bbbb cccc dddd ${words(10)} aaaa bbbb cccc dddd`],
      figure: "0.444",
    },
  ],
  "repeated-5-words": [
    { what: "Latin", ...runs(0.15) },
    {
      what: "in any case and over lines",
      limit: true,
      kept: ["one two three four five", "six"],
      rejected: ["One two three", "four five ONE", "two three four five"],
      figure: "0.5",
    },
    {
      what: "ten letters of Han",
      limit: 0.1,
      kept: ["一二三四五六七八九甲一二三四五六七八九"],
      rejected: ["一二三四五六七八九十一二三四五六七八九十"],
      figure: "0.5",
    },
  ],
  "repeated-6-words": [{ what: "Latin", ...runs(0.14) }],
  "repeated-7-words": [{ what: "Latin", ...runs(0.13) }],
  "repeated-8-words": [{ what: "Latin", ...runs(0.12) }],
  "repeated-9-words": [{ what: "Latin", ...runs(0.11) }],
  "repeated-10-words": [{ what: "Latin", ...runs(0.1) }],
};

describe.each(FILTER_NAMES)("filter %s", (name) => {
  it.each(CASES[name])("keeps and rejects: $what", async ({ limit, kept, rejected, figure }) => {
    const [right, wrong] = await judgeAll([makeDocument(kept), makeDocument(rejected)], {
      filters: { [name]: limit },
    });
    expect(tell(right)).toBe("kept");
    const { side, limit: own } = measures[name];
    const wanted = `, wanted ${side} ${limit === true ? own : limit}`;
    expect(tell(wrong)).toContain(`filtered: ${name}: ${figure ?? ""}`);
    expect(tell(wrong).endsWith(wanted)).toBe(true);
  });

  it("keeps an empty document, unless the filter requires some text", async () => {
    const [empty] = await judgeAll([makeDocument([])], { filters: { [name]: true } });
    const needsText = ["min-words", "ended-sentences", "sentences", "language-share"].includes(name);
    // A text without letters has no script, so the filter does not ask for end marks.
    const isRejected = needsText && !name.includes("sentences");
    expect(tell(empty) === "kept").toBe(!isRejected);
  });

  it("measures a valid number or nothing for any text", () => {
    const odd = fc.constantFrom(
      "\ud800",
      "\udc00",
      "\u0000",
      "{",
      "…",
      "。",
      "字",
      "ก",
      "\u0301",
      " ",
      "\n",
      "1",
      "a.",
      "#",
    );
    const lines = fc.array(fc.oneof(fc.string({ unit: odd }), fc.string({ unit: "binary" })), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(lines, (texts) => {
        const figure = measures[name].measure(viewKept(makeDocument(texts), () => undefined));
        const most = measures[name].says.startsWith("share") ? 1 : Infinity;
        expect(figure === undefined || (Number.isFinite(figure) && figure >= 0 && figure <= most)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});

describe("the tables of filters", () => {
  it("have a sentence and a limit for each filter", () => {
    for (const name of FILTER_NAMES) {
      expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(measures[name].says.length).toBeGreaterThan(4);
      expect(measures[name].limit).toBeGreaterThanOrEqual(0);
    }
  });

  it("contain the published values of the presets", () => {
    expect(presets["register-oscar"]).toMatchObject({ "min-words": 75, digits: true, foreign: true });
    expect([measures.digits.limit, measures.foreign.limit]).toEqual([0.075, 0.02]);
    expect(presets.gopher["min-words"]).toBe(50);
    expect([5, 6, 7, 8, 9, 10].map((n) => measures[`repeated-${n as 5}-words`].limit)).toEqual([
      0.15, 0.14, 0.13, 0.12, 0.11, 0.1,
    ]);
  });

  it("contain only stop words and phrases that are lower-case, unique and well-formed", () => {
    for (const [language, list] of Object.entries(STOP_WORDS)) {
      const each = list.split(" ");
      expect(language).toMatch(/^[a-z]{2}$/);
      expect(new Set(each).size, language).toBe(each.length);
      for (const word of each) expect(word, language).toMatch(/^[\p{Ll}\p{Lo}\p{M}]+$/u);
    }
    expect(new Set(POLICY_PHRASES).size).toBe(POLICY_PHRASES.length);
    for (const phrase of POLICY_PHRASES) expect(phrase).toBe(phrase.trim().toLowerCase());
  });

  it("use the same score as the record", () => {
    const line = fc.record({
      text: fc.string({ minLength: 1 }),
      score: fc.integer({ min: 0, max: 1000 }).map((score) => score / 1000),
      label: fc.constantFrom("content" as const, "boilerplate" as const),
    });
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const document = makeDocument(lines);
        const { score } = toRecord(document, { lines: "none", fingerprint: "" });
        expect(scoreKept(viewKept(document, () => undefined)) ?? 0).toBe(score);
      }),
    );
  });
});
