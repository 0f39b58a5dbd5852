import { describe, expect, it } from "vitest";
import { extractLines } from "../../src/extract/text.js";
import { cutLongLines } from "../../src/label/long-lines.js";
import { labelDocument } from "../../src/label/label-document.js";
import { openChoice } from "../../src/label/folder-choice.js";
import { unwrap } from "../extract/pages.js";

const tell = (count: number): string =>
  Array.from(
    { length: count },
    (_, day) =>
      `On day ${day} the river rose by ${(day * 7) % 31} cm, and the bridge was closed to traffic. `,
  ).join("");
const MENU = "Home About Contact Login Register. ";

describe("lines that contain whole texts", () => {
  it.each(["text", "rules"] as const)(
    "are labelled by their sentences, and remain one line each: %s",
    async (labeller) => {
      const given = ["Home", tell(200), "", MENU.repeat(400), tell(1)];
      const document = unwrap(extractLines({ id: "t", url: "", lines: given }));
      const choice = await openChoice({ focus: "balanced", labeller, mayAskText: false });
      const labelled = await labelDocument(document, { choice, comments: "auto" });
      expect(labelled.notes).toContain("long-lines-cut");
      expect(labelled.lines.map(({ text }) => text)).toEqual(given.map((text) => text.trim()));
      expect(labelled.lines.map(({ why }) => why === "by-sentences")).toEqual([
        false,
        true,
        false,
        true,
        false,
      ]);
      expect(labelled.lines[1]?.label).toBe("content");
      const [, story, , menu] = labelled.lines;
      expect(menu?.score).toBeLessThan(story?.score ?? 0);
      await choice.close();
    },
  );

  it("are cut only in texts, and only from a certain length", () => {
    const short = unwrap(extractLines({ id: "t", url: "", lines: ["a", "b ".repeat(5000)] }));
    expect(cutLongLines(short)).toBeUndefined();
    const long = unwrap(extractLines({ id: "t", url: "", lines: ["a", "b ".repeat(5001)] }));
    expect(cutLongLines(long)?.document.lines.length).toBeGreaterThan(10);
    expect(cutLongLines({ ...long, source: "html" })).toBeUndefined();
  });
});
