import { describe, expect, it } from "vitest";
import type { FilterOptions } from "../../src/filter/options.js";
import { DEFAULTS } from "../../src/options/options.js";
import { openFilters } from "../../src/filter/document-filters.js";
import { makeDocument, makeWords, tell } from "./documents.js";

const shared = "A line that many documents share.";
const long = makeWords(200);
/** Copies, near copies, shared lines, documents without any word, and unique documents. */
const DOCUMENTS = [
  [long.join(" ")],
  [shared, "one"],
  [...makeWords(80, 300).map((word) => `${word} ${word}.`)],
  [shared, "two"],
  ["—"],
  [long.join(" ")],
  [[...long.slice(0, 195), "some", "other", "words"].join(" ")],
  [shared, "three"],
  [shared],
  ["—"],
  [shared, "one"],
].map((lines, number) => makeDocument(lines, { id: `doc ${number}` }));

describe("a run that continues after another run", () => {
  it.each<Partial<FilterOptions>>([
    { dedup: "exact" },
    { dedup: "near" },
    { dedup: "near", dedupLines: 2 },
    { dedupLines: 2 },
    { dedup: "near", dedupLines: 1, dedupMemoryBytes: 0 },
    {},
  ])("judges like the uninterrupted run: %j", async (options) => {
    const filters = await openFilters({ ...DEFAULTS, ...options });
    const whole = filters.start();
    const judged = DOCUMENTS.map((document) => whole.judge(document));
    whole.close();
    if (options.dedup === "near")
      expect(
        judged.map(({ outcome }) => tell(outcome)).filter((told) => told !== "kept").length,
      ).toBeGreaterThan(2);
    for (let at = 0; at <= DOCUMENTS.length; at += 1) {
      const run = filters.start();
      for (const { entry } of judged.slice(0, at)) if (entry !== undefined) run.recall(entry);
      expect(DOCUMENTS.slice(at).map((document) => run.judge(document))).toEqual(judged.slice(at));
      run.close();
    }
    const asks = Object.keys(options).length > 0;
    for (const { outcome, entry } of judged) {
      expect(entry !== undefined).toBe(asks && outcome.ok);
      expect(entry ?? "").not.toContain("\n");
    }
  });

  it("identifies the language of kept and rejected documents", async () => {
    const finnish = [
      "Tämä on suomenkielinen teksti, jossa on tarpeeksi sanoja kielen tunnistamiseen varmasti.",
    ];
    const documents = [
      makeDocument(finnish),
      makeDocument(finnish),
      makeDocument(finnish, { lang: "fi-FI" }),
    ];
    const judge = async (options: Partial<FilterOptions>): Promise<unknown[]> => {
      const run = (await openFilters({ ...DEFAULTS, ...options })).start();
      const told = documents
        .map((document) => run.judge(document))
        .map(({ outcome, lang }) => [outcome.ok, lang]);
      run.close();
      return told;
    };
    expect(await judge({})).toEqual([
      [true, undefined],
      [true, undefined],
      [true, "fi-FI"],
    ]);
    expect(await judge({ language: "identified", dedup: "exact" })).toEqual([
      [true, "fi"],
      [false, "fi"],
      [false, "fi-FI"],
    ]);
    expect(await judge({ languages: ["sv"] })).toEqual([
      [false, "fi"],
      [false, "fi"],
      [false, "fi-FI"],
    ]);
  });
});
