import { afterAll, describe, expect, it } from "vitest";
import type { Labeller } from "../../../src/label/labeller.js";
import { createTextLabeller } from "../../../src/label/text/text-folder.js";
import { textDocument } from "./text-document.js";

const opened: Labeller[] = [];
afterAll(async () => {
  for (const labeller of opened) await labeller.close();
});

const GIVEN = ["Anna", "Bror", "Carl", "Disa", "Erik", "Fredrika", "Gustav", "Hedvig"];
const PLACES = ["Vreta", "Skänninge", "Hov", "Rök", "Svanshals", "Kumla"];

/** Makes rows of a parish register, which all have one shape, as in a list that is all content. */
function births(count: number): string[] {
  const pick = (words: readonly string[], at: number): string => words[at % words.length] ?? "";
  return Array.from({ length: count }, (_, at) => {
    const [given, father] = [pick(GIVEN, at * 5), pick(GIVEN, Math.floor(at / 3))];
    const born = 1700 + ((at * 37) % 101);
    return `${given} ${father}sdotter, born ${born} in ${pick(PLACES, at * 7)}, died ${born + 20 + (at % 61)}, had ${1 + (at % 7)} children and a small farm.`;
  });
}

async function shareOfContent(lines: readonly string[], condition: "auto" | "crawl"): Promise<number> {
  const labeller = await createTextLabeller({ focus: "balanced", condition });
  opened.push(labeller);
  const [document] = await labeller.label([textDocument(lines)]);
  return (document?.lines ?? []).filter(({ label }) => label === "content").length / lines.length;
}

describe("a list that is all content", () => {
  it.each(["auto", "crawl"] as const)("is kept at 40 lines and at 6,000: %s", async (condition) => {
    expect(await shareOfContent(births(40), condition)).toBeGreaterThan(0.9);
    expect(await shareOfContent(births(6000), condition)).toBeGreaterThan(0.9);
  });
});
