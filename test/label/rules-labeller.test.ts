import { describe, expect, it } from "vitest";
import { createNoneLabeller } from "../../src/label/none-labeller.js";
import { createRulesLabeller, LINE_RULES } from "../../src/label/rules-labeller.js";
import { textDocument } from "./text/text-document.js";

const PARAGRAPH =
  "The ferry was late again, and the people on the pier sang to keep warm until it came at last; nobody complained, because the captain brought soup.";

async function rules(
  lines: readonly string[],
  linkChars = 0,
): Promise<(readonly [string, string | undefined])[]> {
  const plain = textDocument(lines);
  const document = { ...plain, lines: plain.lines.map((line) => ({ ...line, linkChars })) };
  const [labelled] = await createRulesLabeller({ focus: "balanced" }).label([document]);
  return labelled?.lines.map((line) => [line.label, line.why] as const) ?? [];
}

describe("rules", () => {
  it("keeps paragraphs and what is between them, and drops what is far from them", async () => {
    const menu = ["Home", "News", "Sport", "About", "Contact", "Login", "Help"];
    const found = await rules([...menu, PARAGRAPH, "A heading", PARAGRAPH, "© 2021 The Pier"]);
    expect(found[0]).toEqual(["boilerplate", "far-from-content"]);
    expect(found.slice(7)).toEqual([
      ["content", "long-with-sentences"],
      ["content", "between-content"],
      ["content", "long-with-sentences"],
      ["boilerplate", "copyright"],
    ]);
  });

  it("drops lines that are mostly links", async () => {
    expect(await rules([PARAGRAPH], PARAGRAPH.length)).toEqual([["boilerplate", "mostly-links"]]);
  });

  it("works in scripts without spaces and without capitals", async () => {
    const lines = [
      "渡轮又晚点了，码头上的人们唱着歌取暖，直到它终于来了；没有人抱怨，因为船长带来了热汤，还讲了一个很长的故事。",
    ];
    expect(await rules(lines)).toEqual([["content", "long-with-sentences"]]);
  });

  it("gives every rule a unique name", () => {
    const names = LINE_RULES.map((rule) => rule.why);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });

  it("labels blank lines and empty documents", async () => {
    expect(await rules(["", "\u200b"])).toEqual([
      ["boilerplate", "blank-line"],
      ["boilerplate", "blank-line"],
    ]);
    expect(await rules([])).toEqual([]);
  });
});

describe("none", () => {
  it("keeps every line except blank ones", async () => {
    const [labelled] = await createNoneLabeller().label([textDocument(["Home", ""])]);
    expect(labelled?.lines.map(({ label, score, why }) => ({ label, score, why }))).toEqual([
      { label: "content", score: 1, why: undefined },
      { label: "boilerplate", score: 0, why: "blank-line" },
    ]);
  });
});
