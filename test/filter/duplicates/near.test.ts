import { describe, expect, it } from "vitest";
import { compareBits, signTerms } from "../../../src/filter/duplicates/min-hash.js";
import { readTerms } from "../../../src/filter/terms.js";
import type { Outcome } from "../../../src/outcome.js";
import { createRandom } from "../../../src/random.js";
import { judgeAll, makeDocument, tell } from "../documents.js";

const RUN_WORDS = 5;

function runsOf(words: readonly string[]): Set<string> {
  return new Set(words.slice(0, 1 - RUN_WORDS).map((_, at) => words.slice(at, at + RUN_WORDS).join(" ")));
}

function jaccard(one: readonly string[], other: readonly string[]): number {
  const [a, b] = [runsOf(one), runsOf(other)];
  const both = [...a].filter((run) => b.has(run)).length;
  return both / (a.size + b.size - both);
}

interface Planted {
  readonly original: readonly string[];
  readonly copy: readonly string[];
  readonly similarity: number;
}

/** Makes originals of 150 to 600 frequent and rare words, and copies in which some words are replaced. */
function plant(count: number, random: () => number): Planted[] {
  const vocabulary = 3000;
  // Some words are more frequent than others, as in any language.
  const word = (): string => `v${Math.floor(vocabulary ** random())}`;
  return Array.from({ length: count }, (_, number) => {
    const original = Array.from({ length: 150 + Math.floor(random() * 450) }, word);
    const changes = Math.floor((original.length * (number % 20)) / 200);
    const copy = [...original];
    for (let change = 0; change < changes; change += 1) copy[Math.floor(random() * copy.length)] = word();
    return { original, copy, similarity: jaccard(original, copy) };
  });
}

const toDocument = (id: string, words: readonly string[]): ReturnType<typeof makeDocument> =>
  makeDocument([words.slice(0, 100).join(" "), words.slice(100).join(" ")], { id });

describe("near-duplicates", () => {
  it("are found among planted copies, without false alarms", async () => {
    const planted = plant(400, createRandom(7));
    const documents = [
      ...planted.map(({ original }, number) => toDocument(`original-${number}`, original)),
      ...planted.map(({ copy }, number) => toDocument(`copy-${number}`, copy)),
    ];
    const outcomes = await judgeAll(documents, { dedup: "near" });
    const falseAlarms = outcomes.slice(0, planted.length).filter(({ ok }) => !ok);
    expect(falseAlarms).toEqual([]);
    const bands = new Map<string, { all: number; found: number }>();
    for (const [number, { similarity }] of planted.entries()) {
      const outcome = outcomes[planted.length + number];
      const band = similarity >= 0.85 ? "alike" : similarity >= 0.6 ? "between" : "different";
      const tally = bands.get(band) ?? { all: 0, found: 0 };
      bands.set(band, tally);
      tally.all += 1;
      if (outcome?.ok !== false) continue;
      tally.found += 1;
      expect(tell(outcome)).toMatch(
        new RegExp(
          `^(near-duplicate: of original-${number}, similarity about |duplicate: of original-${number}$)`,
        ),
      );
    }
    const rate = (band: string): number => (bands.get(band)?.found ?? 0) / (bands.get(band)?.all ?? 1);
    expect(bands.get("alike")?.all).toBeGreaterThan(50);
    expect(bands.get("different")?.all).toBeGreaterThan(50);
    expect(rate("alike")).toBeGreaterThan(0.97);
    expect(rate("different")).toBeLessThan(0.02);
  });

  it("are reported with a similarity that is close to the true one", () => {
    for (const { original, copy, similarity } of plant(60, createRandom(11))) {
      const [one, other] = [
        signTerms(readTerms([original.join(" ")])),
        signTerms(readTerms([copy.join(" ")])),
      ];
      if (one === undefined || other === undefined) throw new Error("both have words");
      expect(Math.abs(compareBits(one.bits, other.bits) - similarity)).toBeLessThan(0.17);
    }
  });

  it.each([
    [
      "Chinese",
      "我们整个下午都在采蓝莓，回到湖边的小屋后就做了果酱，孩子们在湖里游泳，晚上大家一起吃饭聊天看星星，第二天早上又下起了小雨，只好留在屋里读书下棋，等太阳出来再去划船。",
      "果酱",
      "果汁",
    ],
    ["Thai", "เราเก็บบลูเบอร์รีตลอดทั้งบ่ายและทำแยมเมื่อกลับถึงบ้านพักริมทะเลสาบขณะที่เด็กๆ ว่ายน้ำและเล่นกันจนค่ำ", "ค่ำ", "เย็น"],
    [
      "Arabic",
      `${"قطفنا التوت الأزرق طوال فترة ما بعد الظهر وصنعنا المربى عندما عدنا إلى البيت بجانب البحيرة ".repeat(2)} مساء`,
      "مساء",
      "ليلا",
    ],
  ])("are found in %s", async (_, text, from, to) => {
    const told = await judgeAll(
      [makeDocument([text], { id: "a" }), makeDocument([text.replace(from, to)], { id: "b" })],
      { dedup: "near" },
    );
    expect(told.map(tell)[1]).toMatch(/^near-duplicate: of a, similarity about 0\.[789]/);
  });

  it("are the same with any amount of memory", async () => {
    const planted = plant(150, createRandom(3));
    const documents = planted.flatMap(({ original, copy }, number) => [
      toDocument(`o${number}`, original),
      toDocument(`c${number}`, copy),
    ]);
    const all: Outcome<unknown>[][] = [];
    for (const dedupMemoryBytes of [0, 150_000, 1e9])
      all.push(await judgeAll(documents, { dedup: "near", dedupMemoryBytes }));
    expect(all[1]).toEqual(all[0]);
    expect(all[2]).toEqual(all[0]);
  });

  it("may have fewer than five words", async () => {
    const told = await judgeAll(
      ["one two", "One, two!", "two one", "", "!!", "!!", "!?"].map((text, at) =>
        makeDocument([text], { id: String(at) }),
      ),
      { dedup: "near" },
    );
    expect(told.map(tell)).toEqual([
      "kept",
      "near-duplicate: of 0, similarity about 1.00",
      "kept",
      "kept",
      "kept",
      "duplicate: of 4",
      "kept",
    ]);
  });
});
