import { describe, expect, it } from "vitest";
import type { LabelledLine } from "../../../src/document.js";
import { leaveAds } from "../../../src/label/page/leave-ads.js";

const line = (text: string, block: LabelledLine["block"] = "div", score = 0.8): LabelledLine => ({
  ...{ block, text, path: `body>main>${block}`, linkChars: 0, breakBefore: "block", score },
  label: score < 0.5 ? "boilerplate" : "content",
});
const TEXT = line("The wardens count them.", "p");
const isDropped = (one: LabelledLine): boolean =>
  leaveAds([TEXT, one, TEXT], 0.5)[1]?.label === "boilerplate";

describe("leaveAds", () => {
  it("drops the word above an advertisement, with the score and the reason of the rule", () => {
    const lines = leaveAds([TEXT, line("Advertisement"), TEXT], 0.5);
    expect(lines.map(({ label }) => label)).toEqual(["content", "boilerplate", "content"]);
    expect(lines[1]).toMatchObject({ score: 0.043, ownScore: 0.8, why: "label-of-ad" });
  });

  it.each([
    ...[
      "ADVERTISEMENT",
      "- Advertisement -",
      "Ad",
      "Anzeige:",
      "Publicité",
      "PUBLICIDAD",
      "Реклама",
      "広告",
      "إعلان",
    ],
    ...["Advertisement. Scroll to continue reading.", "Advertisement - story continues below"],
    ...["Story continues below advertisement", "Article continues after this ad"],
  ])("drops “%s”, in a paragraph, too", (text) => {
    expect(isDropped(line(text))).toBe(true);
    expect(isDropped(line(text, "p"))).toBe(true);
  });

  it("keeps sentences on advertisements, and the word as an item, a heading or a cell", () => {
    for (const text of [
      "Advertising pays for it.",
      "Ad astra",
      "Advertisement for a house",
      "Adverts, 1920 to 1930",
    ])
      expect(isDropped(line(text))).toBe(false);
    for (const block of ["li", "h2", "td", "tr", "dt"] as const)
      expect(isDropped(line("Advertising", block))).toBe(false);
  });

  it("returns the same lines if there is nothing to drop, or the cut is lower than the score of the rule", () => {
    const rest = [
      { ...line("Advertisement"), kind: "comment" as const },
      { ...line("Advertisement"), why: "not-comment" },
      line("Advertisement", "p", 0.3),
    ];
    const lines = [TEXT, ...rest];
    expect(leaveAds(lines, 0.5)).toBe(lines);
    const kept = [line("Advertisement")];
    expect(leaveAds(kept, 0.043)).toBe(kept);
  });
});
