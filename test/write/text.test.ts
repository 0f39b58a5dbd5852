import { describe, expect, it } from "vitest";
import { formatLineTable, formatText } from "../../src/write/text.js";
import { document, line } from "./documents.js";

describe("formatText", () => {
  it("puts a blank line between blocks and none inside them", () => {
    const doc = document([
      line("Title", { block: "h1" }),
      line("First"),
      line("second", { breakBefore: "line" }),
      line("Third"),
    ]);
    expect(formatText(doc)).toBe("Title\n\nFirst\nsecond\n\nThird\n");
  });

  it("leaves boilerplate out and keeps the boundaries between blocks", () => {
    const doc = document([
      line("One"),
      line("Share", { label: "boilerplate" }),
      line("two", { breakBefore: "line" }),
    ]);
    expect(formatText(doc)).toBe("One\n\ntwo\n");
    const tight = document([
      line("One"),
      line("ad", { label: "boilerplate", breakBefore: "line" }),
      line("two", { breakBefore: "line" }),
    ]);
    expect(formatText(tight)).toBe("One\ntwo\n");
  });

  it("marks list items and keeps the tabs of table rows", () => {
    const doc = document([
      line("milk", { block: "li" }),
      line("flour", { block: "li", breakBefore: "line" }),
      line("a\t\tc", { block: "tr" }),
      line("d\te\tf", { block: "tr", breakBefore: "line" }),
    ]);
    expect(formatText(doc)).toBe("- milk\n- flour\n\na\t\tc\nd\te\tf\n");
  });

  it("marks an item once, however many lines it has", () => {
    const doc = document([
      line("milk", { block: "li" }),
      line("of a goat", { block: "li", breakBefore: "line", continuesItem: true }),
      line("flour", { block: "li", breakBefore: "line" }),
    ]);
    expect(formatText(doc)).toBe("- milk\nof a goat\n- flour\n");
  });

  it("joins the chunks of a pre verbatim", () => {
    const pre = { block: "pre" as const, path: "body>pre" };
    const doc = document([
      line("  a = 1\n\n\n", pre),
      line("def f():\n    pass\n\n", { ...pre, breakBefore: "line" }),
      line("f()", { ...pre, breakBefore: "line" }),
      line("after"),
    ]);
    expect(formatText(doc)).toBe("  a = 1\n\n\ndef f():\n    pass\n\nf()\n\nafter\n");
  });

  it("does not join the parts of a pre across a part that was dropped", () => {
    const pre = { block: "pre" as const, path: "body>pre", breakBefore: "line" as const };
    const doc = document([
      line("a\n\n", pre),
      line("b\n\n", { ...pre, label: "boilerplate" }),
      line("c", pre),
    ]);
    expect(formatText(doc)).toBe("a\nc\n");
  });

  it("returns an empty text for a document without content", () => {
    expect(formatText(document([line("x", { label: "boilerplate" })]))).toBe("");
    expect(formatText(document([]))).toBe("");
  });
});

describe("formatLineTable", () => {
  it("lists every line with score, grade, label and rule, and the text last", () => {
    const doc = document([
      line("Home", { label: "boilerplate", score: 0.034, why: "duplicate-line" }),
      line("a\tb", { score: 1 }),
      line("x\ny \\n", { block: "pre", score: 0.5 }),
    ]);
    expect(formatLineTable(doc)).toBe(
      "0.034\tj\tboilerplate\tduplicate-line\tHome\n1.000\ta\tcontent\t\ta\tb\n0.500\tf\tcontent\t\tx\\ny \\\\n\n",
    );
  });
});
