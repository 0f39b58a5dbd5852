import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Document, LabelledLine } from "../../../src/document.js";
import { createThresher } from "../../../src/index.js";
import { readScored } from "../../../src/acquire/records/scored-record.js";
import { BAGS } from "../../../src/label/features/bags.js";
import { COLUMNS } from "../../../src/label/features/columns.js";
import { PAGE_BAGS } from "../../../src/label/features/page/path-bags.js";
import { PAGE_COLUMNS } from "../../../src/label/features/page/place-columns.js";
import {
  openPageExplainer,
  openTextExplainer,
  type Explainer,
} from "../../../src/label/explain/explain-line.js";
import { PAGE_PARTS, TEXT_PARTS } from "../../../src/label/explain/feature-parts.js";

type Scored = Document<LabelledLine>;
let page: Explainer;
let text: Explainer;
beforeAll(async () => {
  [page, text] = [await openPageExplainer(), await openTextExplainer()];
});
afterAll(async () => {
  await page.close();
  await text.close();
});

/** Cleans a page, writes it as a record and reads it again, as the inspector does. */
async function clean(input: { readonly html: string } | { readonly text: string }): Promise<Scored> {
  const thresher = await createThresher({ keepBoilerplate: true, workers: 1 });
  const outcome = await thresher.clean({ ...input, id: "a" });
  await thresher.close();
  if (!outcome.ok) throw new Error(outcome.reason);
  const scored = readScored(JSON.parse(JSON.stringify(outcome.value)) as Record<string, unknown>);
  if (scored === undefined) throw new Error("it has no scored lines");
  return { id: "a", url: "", ...scored };
}

const fixture = (slug: string): string => readFileSync(`fixtures/pages/${slug}/source.html`, "utf8");

describe("the parts of features", () => {
  it.each([
    ["text", TEXT_PARTS, COLUMNS, BAGS],
    ["page", PAGE_PARTS, PAGE_COLUMNS, PAGE_BAGS],
  ] as const)("of a %s cover each column and each bag once", (_kind, parts, columns, bags) => {
    const places = (of: "columns" | "bags"): number[] =>
      parts.flatMap((part) => part[of]).sort((a, b) => a - b);
    expect(places("columns")).toEqual([...columns.keys()]);
    expect(places("bags")).toEqual([...bags.keys()]);
  });
});

describe("what counted for a line", () => {
  it("starts from the exact score of the line, on pages", async () => {
    const document = await clean({ html: fixture("qa-en") });
    let compared = 0;
    for (const [at, { score, why }] of document.lines.entries()) {
      if (at % 7 !== 0 || why !== undefined) continue;
      const found = await page.explain(document, at);
      expect(found?.score, String(at)).toBeCloseTo(score, 2.5);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(3);
  });

  it("starts from the exact score in plain text", async () => {
    const lines = [
      "Home",
      "About us",
      "The river rose by two metres in one night, and the bridge was closed until noon.",
      "Nobody was hurt, said the mayor, who had spent the night in the town hall.",
      "© 2026 The Courier",
    ];
    const document = await clean({ text: lines.join("\n") });
    const found = await Promise.all(lines.map((_, at) => text.explain(document, at)));
    for (const [at, { score }] of document.lines.entries())
      expect(found[at]?.score, String(at)).toBeCloseTo(score, 2.5);
    // The length and the words of a sentence speak for it; those of a menu do not.
    const wordsOf = (at: number): number =>
      found[at]?.effects.find(({ name }) => name === "its words")?.by ?? NaN;
    expect(wordsOf(2)).toBeGreaterThan(wordsOf(0));
  });

  it("is nothing of the line's own if all lines are the same", async () => {
    const document = await clean({
      text: Array.from({ length: 9 }, () => "The same line, again.").join("\n"),
    });
    const found = await text.explain(document, 4);
    for (const name of ["its length", "its words", "its kinds of characters", "how it begins and ends"])
      expect(found?.effects.find((effect) => effect.name === name)?.by, name).toBeCloseTo(0, 3);
    // Only its position differs.
    const place = found?.effects.find(({ name }) => name === "where in the document it is");
    expect(Math.abs(place?.by ?? 0)).toBeGreaterThan(0);
  });

  it("is not given for blank lines and missing lines", async () => {
    const document = await clean({ text: "One line of some words.\n\nAnother line." });
    const blank = document.lines.findIndex((line) => line.text.trim() === "");
    for (const at of [blank, -1, 99]) expect(await text.explain(document, at)).toBeUndefined();
  });
});
