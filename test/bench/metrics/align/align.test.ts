import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { alignText } from "../../../../bench/metrics/align/align.js";
import { expectLinear } from "../../../growth.js";

/** Returns the labels as a string: 1 for returned, 0 for not returned, - for impossible to place. */
function predict(lines: readonly string[], output: string): string {
  return alignText(lines, output)
    .predicted.map((label) => label ?? "-")
    .join("");
}

const NAV = ["Home", "News", "About us", "Contact"];
const BODY = [
  "The council voted on Monday to close the old bridge",
  "Repairs will take at least two years, the mayor said",
  "Residents of the north bank are angry about the detour",
];
const FOOT = ["Share", "Read more", "© 2024 The Daily Example"];
const PAGE = [...NAV, ...BODY, ...FOOT];

describe("layout", () => {
  it("places unchanged lines", () => {
    expect(predict(PAGE, BODY.join("\n"))).toBe("0000" + "111" + "000");
    expect(alignText(PAGE, BODY.join("\n")).unplacedShare).toBe(0);
  });

  it.each([
    ["joined lines", BODY.join(" ")],
    ["lines split at every third word", BODY.join("\n").replace(/((?:\S+ ){3})/g, "$1\n")],
    ["list markers", BODY.map((line) => `  - ${line}`).join("\n")],
    ["numbers before lines", BODY.map((line, index) => `${index + 1}. ${line}`).join("\n\n")],
    [
      "Markdown",
      `# ${BODY[0]}\n\n> ${BODY[1]?.replace("mayor", "[**mayor**](https://x.test/mayor)")}\n\n![alt](/a.png)*${BODY[2]}*`,
    ],
    ["a table", BODY.map((line) => `| ${line} | \n|---|`).join("\n")],
    ["other white space", BODY.join("\r\n").replaceAll(" ", "\u00a0\t")],
    ["decomposed letters and other quotes", BODY.join("\n").normalize("NFD").replaceAll(",", "，")],
    ["upper case", BODY.join("\n").toUpperCase()],
  ])("ignores %s", (_, output) => {
    const alignment = alignText(PAGE, output);
    expect(alignment.predicted.join("")).toBe("0000" + "111" + "000");
    expect(alignment.shares.slice(4, 7)).toEqual([1, 1, 1]);
    expect(alignment.unplacedShare).toBe(0);
  });

  it("places all lines of the raw page, and none in an empty output", () => {
    expect(predict(PAGE, PAGE.join(" "))).toBe("1111111111");
    expect(predict(PAGE, "")).toBe("0000000000");
    expect(predict([], "text without a page")).toBe("");
    expect(alignText([], "text without a page").unplacedShare).toBe(1);
  });

  it("reports lines without letters as impossible to place", () => {
    expect(predict(["|", "a line of text", "***"], "| a line of text ***")).toBe("-1-");
  });

  it("works in scripts without spaces", () => {
    const page = ["首页", "新闻", "市议会星期一决定关闭旧桥", "市长说维修至少需要两年", "分享", "版权所有"];
    expect(predict(page, "市议会星期一决定关闭旧桥市长说维修至少需要两年")).toBe("001100");
    const thai = ["หน้าแรก", "ตลาดน้ำยังไม่ตาย", "ชาวบ้านกลับมาขายของ", "ติดต่อเรา"];
    expect(predict(thai, "ตลาดน้ำยัง\nไม่ตายชาวบ้านกลับมาขายของ")).toBe("0110");
  });
});

describe("shares", () => {
  it("is the share of the line's words, and one half suffices", () => {
    const alignment = alignText(["one two three four five six", "tail of the page here"], "one two three");
    expect(alignment.shares).toEqual([0.5, 0]);
    expect(alignment.predicted).toEqual([1, 0]);
    expect(alignText(["one two three four five six seven"], "one two three").predicted).toEqual([0]);
    expect(alignment.words).toEqual([6, 5]);
    expect(alignment.placedWords).toEqual([3, 0]);
  });

  it("tolerates words that differ", () => {
    const alignment = alignText(
      [...NAV, "He paid 20 euros for two tickets on Monday"],
      "He paid 25 euros for 2 tickets on Monday",
    );
    expect(alignment.shares.at(-1)).toBeCloseTo(7 / 9);
    expect(alignment.unplacedShare).toBeCloseTo(2 / 9);
  });

  it("counts the characters of words", () => {
    const { characters } = alignText(["abc de", "fghi"], "abc de xyz");
    expect(characters).toEqual({ placed: 5, gold: 9, output: 8 });
  });
});

describe("repeated text", () => {
  it("places one output line once, next to its neighbours", () => {
    const title = "Old bridge to close";
    const page = [...NAV, title, "Weather", title, ...BODY, "Related", title];
    expect(predict(page, [title, ...BODY].join("\n"))).toBe("0000" + "00" + "1" + "111" + "00");
  });

  it("keeps the order of copies in page and output", () => {
    const page = ["Reply", "first post of the thread", "Reply", "second post of the thread", "Reply"];
    expect(predict(page, "first post of the thread\nReply\nsecond post of the thread")).toBe("01110");
  });

  it("places k copies in the output on k copies in the page", () => {
    const page = Array.from({ length: 50 }, () => "the same line again");
    const alignment = alignText(page, Array.from({ length: 20 }, () => "the same line again").join("\n"));
    expect(alignment.predicted.filter((label) => label === 1)).toHaveLength(20);
    expect(alignment.unplacedShare).toBe(0);
  });

  it("leaves half of a page unplaced if it is returned twice", () => {
    const text = BODY.join("\n");
    const alignment = alignText(PAGE, `${text}\n${text}`);
    expect(alignment.predicted.join("")).toBe("0000111000");
    expect(alignment.unplacedShare).toBe(0.5);
  });
});

describe("text of other pages", () => {
  it("is not placed because of words that all texts share", () => {
    const other =
      "A recipe for the soup of my mother: take two onions and the rest of the bread, and read the news about it.";
    const alignment = alignText(PAGE, other);
    expect(alignment.predicted.join("")).toBe("0000000000");
    expect(alignment.unplacedShare).toBeGreaterThan(0.8);
  });

  it("does not place single words in the gaps of an article", () => {
    const output = [
      BODY[0],
      "An addition with news and a contact, about us, and home",
      BODY[1],
      BODY[2],
    ].join("\n");
    expect(predict(PAGE, output)).toBe("0000111000");
    expect(alignText(PAGE, output).unplacedShare).toBeCloseTo(11 / 41);
  });
});

describe("order", () => {
  it("places moved text too, and reports how much moved", () => {
    const alignment = alignText(PAGE, [BODY[2], BODY[0], BODY[1]].join("\n"));
    expect(alignment.predicted.join("")).toBe("0000111000");
    expect(alignment.movedShare).toBeCloseTo(10 / 30);
    expect(alignText(PAGE, BODY.join("\n")).movedShare).toBe(0);
  });

  it("uses each word of either side at most once", () => {
    const line = fc
      .array(fc.constantFrom("a", "b", "c", "the", "end", "字"), { maxLength: 6 })
      .map((words) => words.join(" "));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.array(line, { maxLength: 12 }), (page, output) => {
        const alignment = alignText(page, output.join("\n"));
        const placed = alignment.placedWords.reduce((sum, count) => sum + count, 0);
        expect(placed).toBeLessThanOrEqual(alignment.outputWords);
        alignment.words.forEach((words, index) => {
          expect(alignment.placedWords[index]).toBeLessThanOrEqual(words);
        });
        expect(alignText(page, page.join("\n")).unplacedShare).toBe(0);
      }),
    );
  });
});

describe("cost", () => {
  const common = ["of", "the", "and", "in", "a", "to", "read"];
  const varied = (lines: number): string[] =>
    Array.from({ length: lines }, (_, line) =>
      Array.from({ length: 10 }, (_, at) =>
        at % 3 === 0 ? `w${line * 31 + at}` : common[(line + at * 3) % 7],
      ).join(" "),
    );

  it.each([
    ["10,000 different lines", varied(10_000), varied(10_000).slice(2000, 8000).join(" ")],
    [
      "one line 10,000 times",
      Array<string>(10_000).fill("read more about this"),
      "read more about this ".repeat(5_000),
    ],
    ["one word 100,000 times", ["spam ".repeat(100_000)], "spam ".repeat(100_000)],
    ["nothing in common", varied(10_000), "other text ".repeat(50_000)],
    ["two words in disorder", ["a b a a b ".repeat(20_000)], "b a b b a ".repeat(20_000)],
  ])("is bounded for %s", async (_, page, output) => {
    expect(alignText(page, output).shares).toHaveLength(page.length);
    const part = (text: string, share: number): string => text.slice(0, Math.ceil(text.length * share));
    await expectLinear(
      output.length,
      (size) => {
        const share = size / output.length;
        const lines =
          page.length > 1 ? page.slice(0, Math.ceil(page.length * share)) : [part(page[0]!, share)];
        return { lines, text: part(output, share) };
      },
      ({ lines, text }) => alignText(lines, text),
    );
  });

  it("places a large page correctly", () => {
    const page = varied(10_000);
    const alignment = alignText(page, page.slice(2000, 8000).join(" "));
    expect(alignment.bounded).toBe(false);
    expect(alignment.unplacedShare).toBe(0);
    expect(alignment.predicted.slice(2000, 8000).every((label) => label === 1)).toBe(true);
  });
});
