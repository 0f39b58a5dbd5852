import { createHash } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  createFasttextLabeller,
  probabilityOf,
  scoreLine,
} from "../../../../src/label/papers/fasttext/fasttext-labeller.js";
import { loadFasttextModel } from "../../../../src/label/papers/fasttext/fasttext-model.js";
import { DEFAULT_FASTTEXT_MODEL } from "../../../../src/label/models/shipped-models.js";
import { UsageError } from "../../../../src/outcome.js";
import { textDocument } from "../../text/text-document.js";

const model = loadFasttextModel(DEFAULT_FASTTEXT_MODEL);
const STORY = "The ferry was late again, and the people on the pier sang to keep warm until it came at last.";

/** A small model with the numbers 0, 1, 2 … in its rows, changed. */
function makeFolder(change: (about: Record<string, unknown>) => void = () => undefined, bytes = 16): string {
  const folder = mkdtempSync(join(tmpdir(), "fasttext-"));
  const table = Buffer.from(Array.from({ length: bytes }, (_, at) => at));
  const sha256 = createHash("sha256").update(table).digest("hex");
  const about = {
    name: "small",
    kind: "fasttext",
    settings: { ngrams: 2 },
    table: { file: "table.bin", rows: 16, scale: 0.5, sha256 },
    calibration: { slope: 1, offset: 0 },
    thresholds: { precision: 0.8, balanced: 0.5, recall: 0.2 },
  };
  change(about);
  writeFileSync(join(folder, "table.bin"), table);
  writeFileSync(join(folder, "model.json"), JSON.stringify(about));
  return folder;
}

describe("scoreLine", () => {
  it("uses the words between fastText's spaces, and their order", () => {
    const score = scoreLine(STORY, model);
    expect(scoreLine(`  ${STORY.replaceAll(" ", " \t\v\f\r\n\0 ")} `, model)).toBe(score);
    expect(scoreLine(STORY.split(" ").reverse().join(" "), model)).not.toBe(score);
    // It treats a no-break space as a letter, as fastText does.
    expect(scoreLine(STORY.replaceAll(" ", "\u00a0"), model)).not.toBe(score);
  });

  it("is a mean over words, n-grams and the end of the line", () => {
    const small = loadFasttextModel(makeFolder());
    const one = scoreLine("word", small) * 3;
    const alone = scoreLine("", small);
    // "word", "</s>" and both together.
    expect(Number.isInteger(one / 0.5)).toBe(true);
    expect(one).toBeGreaterThanOrEqual(alone);
    expect(scoreLine("", { ...small, weights: new Int8Array(16).fill(2) })).toBe(1);
    expect(scoreLine(STORY, { ...small, weights: new Int8Array(16).fill(-3) })).toBe(-1.5);
  });

  it("accepts any text", () => {
    for (const text of [
      "",
      "\ud800",
      "\udc00\ud800 x",
      "\u0000",
      "a ".repeat(500_000),
      "a".repeat(1_000_000),
    ])
      expect(Number.isFinite(scoreLine(text, model)), text.slice(0, 5)).toBe(true);
  });
});

describe("the fasttext labeller", () => {
  it("scores each line by itself, and skips blank ones", async () => {
    const labeller = createFasttextLabeller({ focus: "balanced" });
    const [labelled] = await labeller.label([textDocument([STORY, "", "All rights reserved", STORY])]);
    const scores = labelled?.lines.map(({ score }) => score) ?? [];
    expect(scores[0]).toBeCloseTo(probabilityOf(STORY, model), 3);
    expect(scores[3]).toBe(scores[0]);
    expect(labelled?.lines.map(({ label, why }) => `${label} ${why ?? ""}`)).toEqual([
      "content ",
      "boilerplate blank-line",
      "boilerplate ",
      "content ",
    ]);
    expect((await labeller.label([textDocument([])]))[0]?.lines).toEqual([]);
    await labeller.close();
    expect(labeller.name).toBe(`fasttext-1@${model.digest}`);
  });

  it("labels content if the softmax does, as published", () => {
    const { slope, offset } = model.calibration;
    expect(slope).toBeGreaterThan(0);
    expect(model.cuts.balanced).toBeCloseTo(1 / (1 + Math.exp(-offset)), 3);
    expect(model.cuts.precision).toBeGreaterThan(model.cuts.balanced);
    expect(model.cuts.recall).toBeLessThan(model.cuts.balanced);
  });
});

describe("loadFasttextModel", () => {
  it.each<[string, (about: Record<string, unknown>) => void, RegExp]>([
    ["another kind", (about) => (about["kind"] = "text"), /its kind is "text"/],
    [
      "a number of rows that is not a power of two",
      (about) => Object.assign(about["table"] as object, { rows: 15 }),
      /not a power of two/,
    ],
    [
      "a table of another size",
      (about) => Object.assign(about["table"] as object, { rows: 32 }),
      /holds 16 values/,
    ],
    ["endless n-grams", (about) => (about["settings"] = { ngrams: 9 }), /9 words, more than 8/],
    ["no n-grams", (about) => delete about["settings"], /no number at "settings.ngrams"/],
    [
      "a cut of 1",
      (about) => (about["thresholds"] = { precision: 1, balanced: 0.5, recall: 0.2 }),
      /is 1, not between/,
    ],
    [
      "a changed table",
      (about) => Object.assign(about["table"] as object, { sha256: "0" }),
      /was changed or cut short/,
    ],
  ])("rejects %s", (_, change, message) => {
    const folder = makeFolder(change);
    expect(() => loadFasttextModel(folder)).toThrow(UsageError);
    expect(() => loadFasttextModel(folder)).toThrow(message);
  });

  it("accepts a small model", () => {
    expect(loadFasttextModel(makeFolder()).weights).toHaveLength(16);
  });
});
