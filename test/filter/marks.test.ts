import { describe, expect, it } from "vitest";
import { BULLETS, CLOSERS, countSentences, END_MARKS, endsWithMark, QUOTES } from "../../src/filter/marks.js";
import { expectLinear } from "../growth.js";

describe("countSentences", () => {
  it.each([
    ["", 0],
    ["   ", 0],
    ["...", 0],
    ["One", 1],
    ["One.", 1],
    ["One. Two", 2],
    ["One.Two 3.5 e.g", 1],
    ["What?! No... Yes.", 3],
    ["„Ja.“ Sie ging. (Nein.)", 3],
    ["今天下雨。我们在家！他说：「好。」他也在", 4],
    ["किताब। घर॥", 2],
    ["متى؟ الآن.", 2],
    ["ولا۔ اور", 2],
    ["བོད་ཀྱི་ས་ཆ་ཡིན། ལྷ་ས་ནི་རྒྱལ་ས་ཡིན།", 2],
    ["Ծնվել է 283 թվականին: Ապրել է Երևանում:", 2],
    ["Note: nothing ends here", 1],
    ["ទឹកគឺជាធនធាន។ យើងត្រូវការពារវា៕", 2],
    ["ᠰᠠᠶᠢᠨ ᠃ ᠪᠠᠶᠢᠨ᠎ᠠ ᠤᠤ ᠃", 2],
    ["Τι είναι; Είναι νερό.", 2],
    ["One; two", 1],
    ["पानी है।यह साफ़ है।", 2],
    ["ရေရှိသည်။သောက်ပါ။", 2],
    ["\ud800. \udc00.", 2],
  ])("counts the sentences of %j as %i", (text, sentences) => {
    expect(countSentences(text)).toBe(sentences);
  });

  it("takes linear time on a line of end marks", async () => {
    expect(countSentences(`a${".".repeat(2_000_000)}`)).toBe(1);
    expect(countSentences("。a".repeat(500_000))).toBe(500_000);
    await expectLinear(2_000_000, (size) => `a${".".repeat(size)}`, countSentences);
    await expectLinear(500_000, (size) => "。a".repeat(size), countSentences);
  });
});

describe("endsWithMark", () => {
  it.each([
    "a.",
    "a!",
    "a?”",
    "a。",
    "a」",
    "a؟",
    "a।",
    "a።",
    "ཡིན།",
    "է:",
    "វា។",
    "វា៕",
    "ᠤᠤ ᠃",
    "είναι;",
    "a… ",
  ])("is true for %j", (line) => {
    expect(endsWithMark(line)).toBe(true);
  });
  it.each(["", " ", "a", "😀", "a,", "a:", "a)", "a;", "字"])("is false for %j", (line) => {
    expect(endsWithMark(line)).toBe(false);
  });
});

it.each([
  ["END_MARKS", END_MARKS],
  ["CLOSERS", CLOSERS],
  ["QUOTES", QUOTES],
  ["BULLETS", BULLETS],
])("%s holds each mark once, and no letter or space", (_, marks) => {
  const each = Array.from(marks);
  expect(new Set(each).size).toBe(each.length);
  expect(each.join("")).not.toMatch(/[\p{L}\p{N}\s]/u);
});
