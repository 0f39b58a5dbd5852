import { describe, expect, it } from "vitest";
import { toRecord } from "../../src/write/document-record.js";
import { document, line, NEWS } from "./documents.js";

const doc = document(
  [
    line("Hem", { label: "boilerplate", score: 0.02, block: "li", path: "body>nav>ul>li", linkChars: 3 }),
    line("Tre ord här", { score: 0.8, span: [10, 21] }),
    line("ett", { score: 0.5, why: "some-rule", kind: "comment", breakBefore: "line" }),
  ],
  {
    id: "a",
    url: "https://example.org/",
    meta: { title: "T", lang: "sv", author: "A", date: "2024-05-02", site: "S" },
    notes: ["depth-capped"],
  },
);

describe("toRecord", () => {
  it("contains the fields of the interface", () => {
    expect(toRecord(doc, { lines: "none", fingerprint: "f" })).toEqual({
      id: "a",
      url: "https://example.org/",
      title: "T",
      lang: "sv",
      meta: { author: "A", date: "2024-05-02", site: "S" },
      text: "Tre ord här\nett",
      words: 4,
      // (0.8 · 11 + 0.5 · 3) / 14
      score: 0.736,
      source: "html",
      notes: ["depth-capped"],
      fingerprint: "f",
    });
  });

  it("contains the page verdict if the labeller gives one", () => {
    const verdict = { type: "forum", typeScore: 0.93, score: 0.998, hasContent: true, cut: 0.41 } as const;
    expect(toRecord(document([], { verdict }), { lines: "none", fingerprint: "" }).page).toEqual({
      type: "forum",
      probability: 0.93,
      contentProbability: 0.998,
      cut: 0.41,
    });
    expect(toRecord(doc, { lines: "none", fingerprint: "" })).not.toHaveProperty("page");
  });

  it("contains the registers if they were requested", () => {
    const options = { lines: "none", fingerprint: "f" } as const;
    expect(toRecord({ ...doc, registers: NEWS }, options)).toEqual({
      ...toRecord(doc, options),
      registers: NEWS,
    });
    expect("registers" in toRecord(doc, options)).toBe(false);
  });

  it("contains what the labeller reads besides the lines, if all lines are included", () => {
    const said = { statedTitle: "T | S", clues: ["og:article"] };
    const page = { ...doc, ...said };
    expect(toRecord(page, { lines: "all", fingerprint: "" })).toMatchObject(said);
    for (const lines of ["none", "content"] as const)
      expect(toRecord(page, { lines, fingerprint: "" })).toEqual(toRecord(doc, { lines, fingerprint: "" }));
  });

  it("lists content lines, or all lines in source order", () => {
    expect(toRecord(doc, { lines: "content", fingerprint: "" }).lines?.map(({ text }) => text)).toEqual([
      "Tre ord här",
      "ett",
    ]);
    expect(toRecord(doc, { lines: "all", fingerprint: "" }).lines).toEqual([
      {
        text: "Hem",
        label: "boilerplate",
        score: 0.02,
        grade: "j",
        block: "li",
        path: "body>nav>ul>li",
        linkChars: 3,
        breakBefore: "block",
      },
      {
        text: "Tre ord här",
        label: "content",
        score: 0.8,
        grade: "c",
        block: "p",
        path: "body>p",
        linkChars: 0,
        breakBefore: "block",
        span: [10, 21],
      },
      {
        text: "ett",
        label: "content",
        score: 0.5,
        grade: "f",
        block: "p",
        path: "body>p",
        linkChars: 0,
        breakBefore: "line",
        kind: "comment",
        why: "some-rule",
      },
    ]);
  });

  it("gives a document without content the score 0", () => {
    expect(toRecord(document([]), { lines: "none", fingerprint: "" })).toMatchObject({
      text: "",
      words: 0,
      score: 0,
    });
  });
});
