import { describe, expect, it } from "vitest";
import { countTags, fillTags } from "../../../../src/label/papers/boilernet/path-tags.js";

const at = (path: string, text = "Ten letters", linkChars = 0): Map<string, number> =>
  countTags({ path, text, linkChars });

describe("the tags of a line", () => {
  it("are counted by name, whatever follows the name", () => {
    expect(at("body>div#a.b>div[role=main]>p.x.y>custom-tag")).toEqual(
      new Map([
        ["body", 1],
        ["div", 2],
        ["p", 1],
        ["custom-tag", 1],
      ]),
    );
  });

  it("are empty for plain text, and ignore the steps that a path omits", () => {
    expect(at("")).toEqual(new Map());
    expect(at("body>…>p")).toEqual(
      new Map([
        ["body", 1],
        ["p", 1],
      ]),
    );
  });

  it("count links by their share of the text, unless the whole line is in one", () => {
    expect(at("body>p", "four and four", 13).get("a")).toBe(1);
    expect(at("body>p", "1234567890", 4).get("a")).toBe(0.4);
    expect(at("body>p", "12", 40).get("a")).toBe(1);
    expect(at("body>a>div", "1234567890", 10).get("a")).toBe(1);
    expect(at("body>p").has("a")).toBe(false);
  });
});

describe("the row of a line", () => {
  it("has the known tags in their places, and all others in the last place", () => {
    const values = new Float32Array(9);
    const tags = new Map([
      ["p", 0],
      ["div", 1],
    ]);
    fillTags({ path: "body>div>div>section>p", text: "x", linkChars: 0 }, tags, { values, base: 3 });
    expect([...values]).toEqual([0, 0, 0, 1, 2, 2, 0, 0, 0]);
  });
});
