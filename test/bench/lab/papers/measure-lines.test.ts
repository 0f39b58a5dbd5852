/** Tests the measurement of a labeller on labelled lines, with one whose answers are known. */
import { describe, expect, it } from "vitest";
import { measureLines, type Labeller } from "../../../../bench/lab/papers/measure-lines.js";

/** Labels lines of ten characters or more as content, with a high score from twenty. */
const byLength: Labeller = {
  name: "by length",
  label: (batch) =>
    Promise.resolve(
      batch.map(({ lines }) => ({
        lines: lines.map(({ text }) => ({
          score: text.length >= 20 ? 0.9 : 0.2,
          label: text.length >= 10 ? ("content" as const) : ("boilerplate" as const),
        })),
      })),
    ),
  close: () => Promise.resolve(),
};

async function* documents() {
  const line = (text: string, label: 0 | 1) => ({ text, label });
  const lines = [
    line("Menu", 0),
    line("A bell rang.", 1),
    line("  ", 0),
    line("The crane was closed all day.", 1),
  ];
  yield await Promise.resolve({ id: "a", lang: "en", lines });
  yield { id: "b", lang: "fi", lines: [line("Hae sivustolta sanoja", 0), line("Sataa.", 1)] };
  yield { id: "empty", lang: "fi", lines: [line(" ", 1)] };
  yield { id: "c", lang: "fi", lines: [line("Haku", 0)] };
}

describe("labellers on labelled lines", () => {
  it("are scored at their own cut and at one half, over all lines and by language, without blank lines", async () => {
    const { pooled, languages, ...all } = await measureLines(documents(), byLength);
    expect([all.documents, all.lines]).toEqual([3, 6]);
    expect(all.linesACpuSecond).toBeGreaterThan(0);
    // At its own cut, the two Finnish lines of the second document are wrong, of six lines.
    expect(pooled.accuracy.value).toBeCloseTo(4 / 6);
    expect(pooled.f1.value).toBeCloseTo(4 / 6);
    expect(pooled["accuracy at .5"].value).toBeCloseTo(3 / 6);
    expect(pooled["f1 at .5"].value).toBeCloseTo(2 / 5);
    expect(languages["en"]?.accuracy.value).toBe(1);
    expect(languages["fi"]?.accuracy.value).toBeCloseTo(1 / 3);
    expect(pooled.accuracy.low).toBeLessThan(pooled.accuracy.high ?? 0);
  });

  it("are not scored on lines whose label is not known", async () => {
    async function* half() {
      const lines = [
        { text: "A bell rang.", label: 1 as const },
        { text: "It may be either.", label: null },
        { text: "Menu", label: null },
      ];
      yield await Promise.resolve({ id: "a", lang: "en", lines });
    }
    const { pooled, lines } = await measureLines(half(), byLength);
    expect(lines).toBe(3);
    expect([pooled.accuracy.value, pooled.f1.value]).toEqual([1, 1]);
  });

  it("can be measured on a subset of the documents", async () => {
    const { documents: count, lines } = await measureLines(documents(), byLength, 2);
    expect([count, lines]).toEqual([2, 4]);
  });
});
