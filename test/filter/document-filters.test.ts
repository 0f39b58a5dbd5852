import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FilterOptions } from "../../src/filter/options.js";
import { DEFAULTS } from "../../src/options/options.js";
import { PRESET_NAMES } from "../../src/filter/registry.js";
import { openFilters } from "../../src/filter/document-filters.js";
import { judgeAll, makeDocument, makeWords, tell } from "./documents.js";
import { expectLinear } from "../growth.js";

const POISON: Readonly<Record<string, string>> = {
  nothing: "",
  digits: "0123456789 ".repeat(2000),
  surrogates: "\ud800a\udc00 \udfff\ud83d ".repeat(500),
  "one long word": "a".repeat(1_000_000),
  "one word again and again": "spam ".repeat(200_000),
  "one 10 MB line": `${makeWords(15_000).join(" ")} `.repeat(133),
  marks: `${"\u0301".repeat(10_000)} ${".".repeat(100_000)}`,
  braces: "{".repeat(100_000),
  nulls: "\u0000".repeat(10_000),
};

const EVERYTHING: Partial<FilterOptions> = {
  preset: "fineweb",
  language: "identified",
  dedup: "near",
  dedupLines: 2,
};

describe("hostile documents", () => {
  it.each(Object.entries(POISON))(
    "get a verdict from every filter in linear time: %s",
    async (_, text) => {
      const documents = [makeDocument([text], { id: "a" }), makeDocument([text], { id: "b" })];
      for (const preset of PRESET_NAMES) {
        const outcomes = await judgeAll(documents, { ...EVERYTHING, preset });
        expect(outcomes).toHaveLength(2);
        for (const outcome of outcomes) expect(tell(outcome)).toMatch(/^(kept$|[a-z-]+: .)/);
      }
      await expectLinear(
        text.length,
        (size) => [makeDocument([text.slice(0, size)], { id: "a" })],
        (part) => judgeAll(part, EVERYTHING),
      );
    },
    240_000,
  );

  it("never make a filter throw, and each reject names the filter and its figure", async () => {
    const run = (await openFilters({ ...DEFAULTS, ...EVERYTHING })).start();
    const line = fc.record({
      text: fc.string({ unit: "binary" }),
      label: fc.constantFrom("content" as const, "boilerplate" as const),
      block: fc.constantFrom("p" as const, "li" as const, "pre" as const),
    });
    let number = 0;
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        number += 1;
        const { outcome } = run.judge(makeDocument(lines, { id: String(number) }));
        if (outcome.ok) return;
        expect(outcome).toMatchObject({ stage: "filter", id: String(number), url: "" });
        expect(outcome.detail).toMatch(/^([a-z0-9-]+: .+, wanted .+|of \d+|every line)/);
      }),
      { numRuns: 500 },
    );
    run.close();
  });
});

describe("the options of filters", () => {
  it("do nothing by default, and leave the fingerprint unchanged", async () => {
    const filters = await openFilters(DEFAULTS);
    expect(filters.settings).toBeUndefined();
    const document = makeDocument([]);
    const { outcome } = filters.start().judge(document);
    expect(outcome.ok && outcome.value).toBe(document);
  });

  it("appear in the settings with their resolved values", async () => {
    const settings = async (options: Partial<FilterOptions>): Promise<unknown> =>
      (await openFilters({ ...DEFAULTS, ...options })).settings;
    const oscar = await settings({ preset: "register-oscar" });
    expect(oscar).toEqual(
      await settings({
        filters: {
          foreign: 0.02,
          digits: true,
          "min-words": 75,
          "language-share": 0.5,
          "machine-text": true,
        },
      }),
    );
    expect(oscar).not.toEqual(await settings({ preset: "register-oscar", filters: { digits: 0.1 } }));
    expect(await settings({ dedup: "exact" })).not.toEqual(await settings({ dedup: "near" }));
    // The amount of memory does not change the text.
    expect(await settings({ dedup: "exact", dedupMemoryBytes: 1 })).toEqual(
      await settings({ dedup: "exact" }),
    );
  });

  it("start each stream with an empty memory", async () => {
    const filters = await openFilters({ ...DEFAULTS, dedup: "exact" });
    const document = makeDocument(["text"]);
    for (let stream = 0; stream < 2; stream += 1) {
      const run = filters.start();
      expect([run.judge(document), run.judge(document)].map(({ outcome }) => tell(outcome))).toEqual([
        "kept",
        "duplicate: of doc",
      ]);
      run.close();
    }
  });

  it("override those of a preset", async () => {
    const document = makeDocument([makeWords(60).join(" ")]);
    const [strict] = await judgeAll([document], { preset: "register-oscar" });
    const [lax] = await judgeAll([document], {
      preset: "register-oscar",
      filters: { "min-words": 60, "language-share": 0 },
    });
    expect(tell(strict)).toBe("filtered: min-words: 60, wanted at least 75");
    expect(tell(lax)).toBe("kept");
  });
});
