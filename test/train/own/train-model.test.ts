import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { GoldRecord } from "../../../src/acquire/records/gold.js";
import { createThresher, type DocumentRecord } from "../../../src/index.js";
import { readModelCard } from "../../../src/label/models/model-card.js";
import { readManifest } from "../../../src/label/models/model-folder.js";
import { loadPageModel } from "../../../src/label/page/page-folder.js";
import { UsageError } from "../../../src/outcome.js";
import { createRandom } from "../../../src/random.js";
import { writeModel } from "../../../src/train/model-files.js";

import { trainModel, type Trained } from "../../../src/train/train-model.js";
import { isHeading, makeNotion, place, shuffleLabels, withoutPlaces } from "./notion.js";

vi.setConfig({ testTimeout: 120_000 });

let gold: readonly GoldRecord[];
let learnt: Trained;
const seen = (records: readonly GoldRecord[]): readonly GoldRecord[] =>
  records.filter((_, at) => at % 4 !== 0);
const unseen = (records: readonly GoldRecord[]): readonly GoldRecord[] =>
  records.filter((_, at) => at % 4 === 0);

beforeAll(async () => {
  gold = await makeNotion();
  learnt = await trainModel(seen(gold), { kind: "page", seed: 1, step: "correction" });
}, 240_000);

const about = (name: string) => ({
  ...{ path: place(name), name, date: "2026-01-01", version: "1", options: ["--seed 1"] },
  files: [{ file: "gold.jsonl", sha256: "0".repeat(64) }],
});

const cardOf = (name: string) => readModelCard(readManifest(place(name)));

async function cleanAll(modelDir?: string): Promise<DocumentRecord[]> {
  const thresher = await createThresher({
    keepBoilerplate: true,
    workers: 1,
    ...(modelDir !== undefined && { modelDir }),
  });
  const records: DocumentRecord[] = [];
  for (const { id } of unseen(gold)) {
    const bytes = readFileSync(join("fixtures/pages", id, "source.html"));
    const outcome = await thresher.clean({ bytes, id });
    if (outcome.ok) records.push(outcome.value);
  }
  await thresher.close();
  return records;
}

const shareOfHeadings = (records: readonly DocumentRecord[]): number => {
  const headings = records.flatMap(({ lines = [] }) => lines.filter(isHeading));
  expect(headings.length).toBeGreaterThan(10);
  return headings.filter(({ label }) => label === "content").length / headings.length;
};

describe("a user's notion of content", () => {
  it("is learnt: the gain on held-out documents is significant", () => {
    const { lineF1, macroF1 } = learnt.comparison.difference;
    expect(learnt.worse).toBeUndefined();
    expect(lineF1.low).toBeGreaterThan(0);
    expect(macroF1.value).toBeGreaterThan(0.02);
  });

  it("gives a folder that labels unseen pages by it, with its own fingerprint", async () => {
    await writeModel(learnt, seen(gold), about("notion"));
    const [before, after] = [await cleanAll(), await cleanAll(place("notion"))];
    expect(shareOfHeadings(before)).toBeGreaterThan(0.4);
    expect(shareOfHeadings(after)).toBeLessThan(shareOfHeadings(before) / 2);
    expect(after[0]?.fingerprint).not.toBe(before[0]?.fingerprint);
    expect(cardOf("notion")).toMatchObject({ name: "notion", kind: "page" });
    const readme = readFileSync(join(place("notion"), "README.md"), "utf8");
    expect(readme).toContain(`${seen(gold).length} documents of ${seen(gold).length} hosts`);
  });

  it("is the same, byte by byte, with the same seed", async () => {
    const again = await trainModel(seen(gold), { kind: "page", seed: 1, step: "correction" });
    await writeModel(again, seen(gold), { ...about("notion"), path: place("again") });
    const names = readdirSync(place("notion")).sort();
    expect(names).toContain("training.json");
    expect(readdirSync(place("again")).sort()).toEqual(names);
    for (const name of names)
      expect(
        readFileSync(join(place("again"), name)).equals(readFileSync(join(place("notion"), name))),
        name,
      ).toBe(true);
    const bySeed = [1, 2].map((seed) => trainModel(seen(gold), { kind: "page", seed, step: "calibration" }));
    const [one, other] = await Promise.all(bySeed);
    expect(other?.comparison).not.toEqual(one?.comparison);
  });

  it("changes the digest with each of its weights", async () => {
    const { change } = learnt;
    const weights = Array.from(change.correction?.weights ?? []);
    weights[0] = (weights[0] ?? 0) + 0.5;
    const correction = change.correction && { ...change.correction, weights };
    const other = { ...learnt, change: { ...change, ...(correction && { correction }) } };
    await writeModel(other, gold, { ...about("notion"), path: place("other-weight") });
    expect(cardOf("other-weight").digest).not.toBe(cardOf("notion").digest);
  });

  it("cannot be trained on top of itself", async () => {
    const twice = trainModel(gold, { kind: "page", seed: 1, modelDir: place("notion") });
    await expect(twice).rejects.toThrow(/was trained on top of another one/);
  });
});

describe("plain text", () => {
  it("gets its own cuts, in order, and a model that loads", async () => {
    const trained = await trainModel(withoutPlaces(gold), { kind: "text", seed: 1, step: "calibration" });
    const { precision = 0, balanced = 0, recall = 0 } = trained.change.cuts ?? {};
    expect(precision).toBeGreaterThanOrEqual(balanced);
    expect(balanced).toBeGreaterThanOrEqual(recall);
    expect(recall).toBeGreaterThan(0);
    await writeModel(trained, gold, about("plain"));
    const thresher = await createThresher({ modelDir: place("plain"), workers: 1 });
    const outcome = await thresher.clean({
      text: "Home\nA sentence that says something about the weather of today.\n",
    });
    await thresher.close();
    expect(outcome.ok).toBe(true);
  });
});

describe("uninformative gold", () => {
  it.each(["calibration", "correction"] as const)(
    "is not shipped as a %s when its labels are shuffled",
    async (step) => {
      for (const seed of step === "calibration" ? [1, 2] : [4]) {
        const shuffled = shuffleLabels(gold, createRandom(seed));
        const { worse } = await trainModel(shuffled, { kind: "page", seed, step });
        expect(worse, `seed ${seed}`).toMatch(/no better|chance/);
      }
    },
  );

  it.each<readonly [string, (records: readonly GoldRecord[]) => GoldRecord[], RegExp]>([
    ["too few documents", (records) => records.slice(0, 9), /9 documents have labelled lines.*at least 10/],
    ["one label only", (records) => relabel(records, () => 1), /no line is labelled boilerplate/],
    ["no label at all", (records) => relabel(records, () => null), /0 documents have labelled lines/],
    [
      "one host only",
      (records) => records.map((one) => ({ ...one, url: "https://one.example/" })),
      /come from one host/,
    ],
    [
      "copies of one document",
      ([first]) => Array.from({ length: 20 }, () => ({ ...first, url: "" }) as GoldRecord),
      /near copies of each other|both content and boilerplate lines/,
    ],
  ])("is rejected: %s", async (_what, change, message) => {
    await expect(trainModel(change(gold), { kind: "page", seed: 1 })).rejects.toThrow(message);
  });

  const relabel = (records: readonly GoldRecord[], label: () => 0 | 1 | null): GoldRecord[] =>
    records.map((one) => ({ ...one, lines: one.lines.map((line) => ({ ...line, label: label() })) }));
});

describe("a model folder", () => {
  it("is rejected if it is damaged", async () => {
    cpSync("models/page-6", place("damaged"), { recursive: true });
    truncateSync(join(place("damaged"), "table.bin"), 1000);
    const trained = trainModel(gold, { kind: "page", seed: 1, modelDir: place("damaged") });
    await expect(trained).rejects.toThrow(/changed or cut short/);
  });

  it("is rejected if its correction does not fit", async () => {
    cpSync(place("notion"), place("short"), { recursive: true });
    const { writeFileSync } = await import("node:fs");
    const json = JSON.parse(readFileSync(join(place("short"), "model.json"), "utf8")) as {
      correction: { weights: number[]; deviations: number[] };
    };
    json.correction.weights.pop();
    writeFileSync(join(place("short"), "model.json"), JSON.stringify(json));
    expect(() => loadPageModel(place("short"))).toThrow(
      /"correction.weights" in model.json is not a list of \d+ numbers/,
    );
    json.correction.weights.push(0);
    json.correction.deviations[0] = 0;
    writeFileSync(join(place("short"), "model.json"), JSON.stringify(json));
    expect(() => loadPageModel(place("short"))).toThrow(UsageError);
  });

  it("never overwrites another, and leaves no draft", async () => {
    mkdirSync(place("taken"));
    await expect(writeModel(learnt, gold, about("taken"))).rejects.toThrow(
      /there is a folder .*taken already/,
    );
    expect(readdirSync(place("taken"))).toEqual([]);
    expect(readdirSync(place(".")).filter((name) => name.endsWith(".draft"))).toEqual([]);
    expect(existsSync(place("taken"))).toBe(true);
  });
});
