import { describe, expect, it } from "vitest";
import { goldText, groupDocuments, groupOf } from "../../../bench/metrics/groups.js";
import type { GoldDocument } from "../../../bench/corpora/gold.js";

function gold(fields: Partial<GoldDocument>): GoldDocument {
  return { id: "x", corpus: "c", lang: "en", split: "all", url: "", ...fields };
}

describe("groupOf", () => {
  it("uses the group that the corpus states", () => {
    expect(groupOf(gold({ pageType: "forum" }), "pageType")).toBe("forum");
    expect(groupOf(gold({}), "pageType")).toBeUndefined();
    expect(groupOf(gold({ register: "LY" }), "register")).toBe("LY");
  });

  it("sorts texts by the words of their main content", () => {
    expect(groupOf(gold({ text: "" }), "length")).toBe("no text");
    expect(groupOf(gold({ text: "w ".repeat(99) }), "length")).toBe("1–99 words");
    expect(groupOf(gold({ text: "w ".repeat(100) }), "length")).toBe("100–299 words");
    expect(groupOf(gold({ text: "字".repeat(5000) }), "length")).toBe("3,000 words and more");
    expect(groupOf(gold({}), "length")).toBeUndefined();
  });
});

describe("goldText", () => {
  it("is the text, or the content lines", () => {
    const lines = [
      { text: "Menu", label: 0 as const },
      { text: "one", label: 1 as const },
      { text: "two", label: 1 as const },
    ];
    expect(goldText(gold({ lines }))).toBe("one\ntwo");
    expect(goldText(gold({ lines, text: "" }))).toBe("");
  });
});

describe("groupDocuments", () => {
  it("keeps groups in order and skips documents without one", () => {
    const documents = [gold({ lang: "sv" }), gold({ lang: "fi" }), gold({ lang: "sv" })];
    const groups = groupDocuments(documents, (document) => document, "lang");
    expect([...groups].map(([name, { length }]) => [name, length])).toEqual([
      ["fi", 1],
      ["sv", 2],
    ]);
    const texts = [gold({ text: "w ".repeat(4000) }), gold({ text: "w" }), gold({})];
    expect([...groupDocuments(texts, (document) => document, "length").keys()]).toEqual([
      "1–99 words",
      "3,000 words and more",
    ]);
  });
});
