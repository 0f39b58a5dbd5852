import { describe, expect, it } from "vitest";
import type { LabelledLine } from "../../../src/document.js";
import { keepHeads } from "../../../src/label/page/keep-heads.js";

const CUT = 0.5;
const line = (block: LabelledLine["block"], text: string, path: string, score: number): LabelledLine => ({
  ...{ block, text, path, linkChars: 0, breakBefore: "block", score, label: "boilerplate" },
});
const text = (words: string): LabelledLine => ({
  ...line("p", words, "body>main>div>p", 0.9),
  label: "content",
});
const heading = (words: string, score = 0.4): LabelledLine => line("h3", words, "body>main>div>h3", score);
const question = (words: string, score = 0.25): LabelledLine =>
  line("div", words, "body>main>div>button", score);
const kept = (lines: readonly LabelledLine[]): string[] =>
  keepHeads(lines, CUT)
    .filter(({ label }) => label === "content")
    .map(({ text: words }) => words);
const texts = (lines: readonly LabelledLine[]): string[] => lines.map(({ text: words }) => words);

const DOGS = text("Dogs travel free, but they must be on a lead.");
const FOOD = text("There is a small café on the upper deck.");

describe("keepHeads", () => {
  it("keeps headings with one path above kept sentences", () => {
    const page = [heading("Dogs"), DOGS, heading("Food"), FOOD];
    expect(kept(page)).toEqual(texts(page));
    expect(keepHeads(page, CUT)[0]).toMatchObject({
      ...{ label: "content", score: 0.5, ownScore: 0.4, why: "heading-of-text" },
    });
  });

  it.each([
    ["a short sentence in Japanese", "犬は無料で乗船できます。"],
    ["a sentence in quotes in Chinese", "他说：“狗可以免费乘船。”"],
    ["a sentence in Urdu", "کتے مفت سفر کر سکتے ہیں، پٹے کے ساتھ۔"],
    ["a sentence in Burmese", "ခွေးများသည် အခမဲ့ ခရီးသွားနိုင်သည်။"],
    ["a sentence in Armenian", "Շները ճանապարհորդում են անվճար։"],
  ])("keeps headings above %s", (_, words) => {
    const page = [heading("Dogs"), text(words), heading("Food"), text(words)];
    expect(kept(page)).toEqual(texts(page));
    const short = [heading("Dogs"), text("乗船料。"), heading("Food"), text("乗船料。")];
    expect(kept(short)).toEqual(["乗船料。", "乗船料。"]);
  });

  it("keeps bold lines with one path above kept sentences, but no buttons among them", () => {
    const bold = (words: string, path = "body>main>div>p>strong.a"): LabelledLine =>
      line("p", words, path, 0.4);
    const page = [bold("Dogs"), DOGS, bold("Food"), FOOD];
    expect(kept(page)).toEqual(texts(page));
    expect(keepHeads(page, CUT)[0]).toMatchObject({ why: "bold-head-of-text", ownScore: 0.4 });
    expect(kept([bold("Read more"), DOGS, bold("Read more"), FOOD])).toHaveLength(2);
    expect(
      kept([bold("Dogs", "body>main>p>span"), DOGS, bold("Food", "body>main>p>span"), FOOD]),
    ).toHaveLength(2);
  });

  it("keeps heads whose elements differ in their ids alone", () => {
    const at = (id: string, one: LabelledLine, place = "body>main>div"): LabelledLine => ({
      ...{ ...one, path: `${place}>h3#${id}.wp.title` },
    });
    const page = [at("dogs", heading("Dogs")), DOGS, at("food.1", heading("Food")), FOOD];
    expect(kept(page)).toEqual(texts(page));
    const [inDogs, inFood] = ["dogs", "food"].map((id) => `body>main>div#${id}>button.a`);
    const [dogs, food] = [at("a", heading("Dogs"), inDogs), at("b", heading("Food"), inFood)];
    expect(kept([dogs, DOGS, food, FOOD])).toHaveLength(4);
    const posts = ["p1", "p2"].map((id) => `body>main>div#${id}>div>div`);
    const titles = ["Re: Dogs", "Re: Food"].map((words, post) => at("t", heading(words), posts[post]));
    expect(kept([titles[0]!, DOGS, titles[1]!, FOOD])).toEqual(texts([DOGS, FOOD]));
  });

  it("keeps no heading far from the cut, or above a few words", () => {
    const [dogs, food] = [heading("Dogs", 0.29), heading("Food", 0.29)];
    expect(kept([dogs, DOGS, food, FOOD])).toEqual(texts([DOGS, FOOD]));
    const [short, other] = [text("Free of charge"), text("Upper deck")];
    expect(kept([heading("Dogs"), short, heading("Food"), other])).toEqual(texts([short, other]));
  });

  it("keeps no heading that is alone, that repeats another, or that is above dropped text", () => {
    expect(kept([heading("Dogs"), DOGS, FOOD])).toEqual(texts([DOGS, FOOD]));
    expect(kept([heading("Advertising"), DOGS, heading("Advertising"), FOOD])).toEqual(texts([DOGS, FOOD]));
    const left = { ...FOOD, label: "boilerplate" as const };
    expect(kept([heading("Dogs"), DOGS, heading("Food"), left])).toEqual(texts([DOGS]));
    const other = { ...heading("Food"), path: "body>aside>h3" };
    expect(kept([heading("Dogs"), DOGS, other, FOOD])).toEqual(texts([DOGS, FOOD]));
  });

  it("keeps a heading if the cut kept another with the same path", () => {
    const page = [{ ...heading("Dogs", 0.6), label: "content" as const }, DOGS, heading("Food"), FOOD];
    expect(kept(page)).toEqual(texts(page));
  });

  it("keeps questions with one path above their answers, even in buttons or with an answer of one word", () => {
    const page = [question("May I bring my dog?"), DOGS, question("Is there food?"), FOOD];
    expect(kept(page)).toEqual(texts(page));
    expect(keepHeads(page, CUT)[2]).toMatchObject({ score: 0.556, why: "question-of-answer" });
    const buttons = [question("More about dogs"), DOGS, question("More about food"), FOOD];
    expect(kept(buttons)).toEqual(texts([DOGS, FOOD]));
    const never = [question("May I bring my dog?"), text("Never."), question("Is there food?"), FOOD];
    expect(kept(never)).toEqual(texts(never));
    const far = page.map((one) => (one.label === "content" ? one : { ...one, score: 0.1 }));
    expect(kept(far)).toEqual(texts([DOGS, FOOD]));
  });

  it("keeps terms before their definitions, however short these are", () => {
    const term = (words: string): LabelledLine => line("dt", words, "body>main>dl>dt", 0.3);
    const meaning = (words: string): LabelledLine => ({
      ...line("dd", words, "body>main>dl>dd", 0.6),
      label: "content",
    });
    const list = [term("Bow"), meaning("The front"), term("Jib"), meaning("A sail"), meaning("Or a part")];
    expect(kept(list)).toEqual(texts(list));
    expect(keepHeads(list, CUT)[0]).toMatchObject({ score: 0.949, why: "term-of-definition" });
    const links = list.map((one) => (one.block === "dt" ? { ...one, linkChars: 3 } : one));
    expect(kept(links)).toEqual(texts(list));
    const same = [term("Signature:"), meaning("open(path)"), term("Signature:"), meaning("close()")];
    expect(kept(same)).toEqual(texts(same));
    expect(kept(same.slice(0, 2))).toEqual(["open(path)"]);
    const outside = [term("Bow"), DOGS, term("Jib"), FOOD];
    expect(kept(outside)).toEqual(texts([DOGS, FOOD]));
  });

  it("keeps no line of links, line of a comment or line that a rule dropped", () => {
    for (const more of [{ linkChars: 4 }, { kind: "comment" as const }, { why: "nothing-here" }]) {
      const [dogs, food] = [
        { ...heading("Dogs"), ...more },
        { ...heading("Food"), ...more },
      ];
      expect(kept([dogs, DOGS, food, FOOD])).toEqual(texts([DOGS, FOOD]));
    }
    const comments = [DOGS, FOOD].map((one) => ({ ...one, kind: "comment" as const }));
    expect(kept([heading("Dogs"), comments[0]!, heading("Food"), comments[1]!])).toEqual(texts(comments));
  });
});
