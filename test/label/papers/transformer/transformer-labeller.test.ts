import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { createThresher } from "../../../../src/index.js";
import type { Labeller } from "../../../../src/label/labeller.js";
import {
  closeTransformer,
  createTransformerLabeller,
  openTransformer,
  scoreTexts,
  type OpenTransformer,
} from "../../../../src/label/papers/transformer/transformer-labeller.js";
import { textDocument } from "../../text/text-document.js";
import { BAG, SEQUENCE, withManifest } from "./folders.js";

const TEXTS = fileURLToPath(new URL("../../../../fixtures/text/", import.meta.url));
/** Scores of PyTorch and ONNX Runtime may differ so much, as the encoder computes in single precision. */
const TOLERANCE = 1e-4;

const opened: OpenTransformer[] = [];
const labellers: Labeller[] = [];
async function open(folder: string): Promise<OpenTransformer> {
  const one = await openTransformer(folder);
  opened.push(one);
  return one;
}
async function label(folder: string): Promise<Labeller> {
  const one = await createTransformerLabeller({ focus: "balanced", modelDir: folder });
  labellers.push(one);
  return one;
}
afterEach(async () => {
  for (const one of opened.splice(0)) await closeTransformer(one);
  for (const one of labellers.splice(0)) await one.close();
});

interface Recorded {
  readonly id: string;
  readonly lines: readonly string[];
  readonly scores: readonly number[];
}

/** Makes different lines that no two documents share. */
function lines(count: number, word = "line"): string[] {
  return Array.from({ length: count }, (_, at) =>
    `${word} ${at}: ${"la casa de la playa ".repeat(at % 7)}`.trim(),
  );
}

const close = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((most, one, at) => Math.max(most, Math.abs(one - (b[at] ?? Number.NaN))), 0);

describe.each([
  ["sequence", SEQUENCE],
  ["bag", BAG],
])("a folder made by the training script (%s)", (_name, folder) => {
  it("gives the scores of PyTorch", async () => {
    const model = await open(folder);
    const text = readFileSync(join(folder, "parity.jsonl"), "utf8").trim();
    const all = text.split("\n").map((line) => JSON.parse(line) as Recorded); // as the script writes it
    expect(all.length).toBeGreaterThan(5);
    for (const { id, lines: recorded, scores } of all) {
      const found = await scoreTexts(recorded, model);
      expect(found.length).toBe(scores.length);
      expect(close(found, scores), id).toBeLessThan(TOLERANCE);
    }
    const spread = all.flatMap(({ scores }) => scores);
    expect(Math.max(...spread) - Math.min(...spread)).toBeGreaterThan(0.2);
  });

  it("labels the fixtures, without a request to any server", async () => {
    const asked: unknown[] = [];
    const { fetch } = globalThis;
    globalThis.fetch = (url) => {
      asked.push(url);
      return Promise.reject(new Error("no network here"));
    };
    const thresher = await createThresher({
      labeller: "transformer",
      modelDir: folder,
      keepBoilerplate: true,
      workers: 1,
    });
    try {
      const slugs = readdirSync(TEXTS);
      expect(slugs.length).toBeGreaterThan(5);
      for (const slug of slugs) {
        const text = readFileSync(join(TEXTS, slug, "source.txt"), "utf8");
        const given = text.split("\n").map((line) => line.trim());
        const outcome = await thresher.clean({ id: slug, lines: given });
        if (!outcome.ok) throw new Error(`${slug}: ${outcome.reason}`);
        expect(outcome.value.lines?.length).toBe(given.length);
        expect(outcome.value.lines?.every(({ score }) => score >= 0 && score <= 1)).toBe(true);
      }
    } finally {
      globalThis.fetch = fetch;
      await thresher.close();
    }
    expect(asked).toEqual([]);
  });

  it("gives documents without lines, and lines without text, no score of the network", async () => {
    const labeller = await label(folder);
    const [none, blank, mixed] = await labeller.label([
      textDocument([]),
      textDocument(["", " ", "\u200b"]),
      textDocument(["", "Hoy hace sol.", ""]),
    ]);
    expect(none?.lines).toEqual([]);
    expect(blank?.lines.map(({ why }) => why)).toEqual(["blank-line", "blank-line", "blank-line"]);
    expect(mixed?.lines.map(({ why }) => why)).toEqual(["blank-line", undefined, "blank-line"]);
  });

  it("reads up to 512 tokens of a line, and scores lines without known letters", async () => {
    const model = await open(folder);
    const long = "el mar y la montaña ".repeat(400);
    const odd = [
      "\u{1f600}".repeat(3000),
      "a\ud800b",
      "\ud83d",
      "\u0000\u0001x",
      "x".repeat(1e6),
      "語".repeat(5000),
    ];
    const scores = await scoreTexts([long, `${long}${long}`, ...odd], model);
    expect([...scores].every((score) => score > 0 && score < 1)).toBe(true);
    const [one] = await scoreTexts([long], model);
    const [other] = await scoreTexts([`${long}y algo que nadie lee`], model);
    expect(other).toBe(one);
  });

  it("gives a document the same scores in any batch", async () => {
    const labeller = await label(folder);
    const document = textDocument(lines(120));
    const [alone] = await labeller.label([document]);
    const [, among] = await labeller.label([textDocument(lines(33, "otro")), document, textDocument(["x"])]);
    expect(among?.lines).toEqual(alone?.lines);
    const twice = await Promise.all([labeller.label([document]), labeller.label([document])]);
    expect(twice.map(([one]) => one?.lines)).toEqual([alone?.lines, alone?.lines]);
  });
});

describe("context", () => {
  it("includes the whole segment, and nothing after it", async () => {
    const model = await open(SEQUENCE);
    const before = lines(50);
    const base = await scoreTexts([...before, ...lines(60, "otra")], model);
    const after = await scoreTexts([...before, ...lines(60, "cosa")], model);
    expect(close(base.slice(0, 50), after.slice(0, 50))).toBeLessThan(1e-6);
    const inside = await scoreTexts([...before.slice(0, 49), "Copyright 2021", ...lines(60, "otra")], model);
    expect(close(base.slice(0, 49), inside.slice(0, 49))).toBeGreaterThan(1e-5);
  });

  it("is empty in a bag of lines, where a copy scores like its original", async () => {
    const model = await open(BAG);
    const texts = lines(40);
    const there = await scoreTexts(texts, model);
    const back = await scoreTexts([...texts].reverse(), model);
    expect(close(there, back.reverse())).toBeLessThan(1e-6);
    const [first, , third] = await scoreTexts(["Comprar ahora", "Un día de sol.", "Comprar ahora"], model);
    expect(third).toBe(first);
  });

  it("is the whole document if the model says so", async () => {
    const folder = withManifest((about) => {
      about["settings"] = { maxTokens: 512, pooling: "mean", wholeDocuments: true };
    });
    const model = await open(folder);
    const before = lines(60);
    const base = await scoreTexts([...before, "Un día de sol."], model);
    const other = await scoreTexts([...before, "Copyright 2021"], model);
    expect(base[59]).not.toBe(other[59]);
    expect(base[58]).not.toBe(other[58]);
  });

  it("stays the same if a document is read in parts", async () => {
    const model = await open(SEQUENCE);
    const texts = lines(2130);
    const whole = await scoreTexts(texts, model);
    expect(whole.length).toBe(2130);
    const last = await scoreTexts(texts.slice(2000), model);
    expect(close(whole.slice(2000), last)).toBeLessThan(1e-6);
  });

  it("reads only the first token if the model says so", async () => {
    const folder = withManifest((about) => {
      about["settings"] = { maxTokens: 512, pooling: "cls", segment: 50 };
    });
    const texts = lines(12);
    const mean = await scoreTexts(texts, await open(SEQUENCE));
    const cls = await scoreTexts(texts, await open(folder));
    expect(close(mean, cls)).toBeGreaterThan(1e-4);
  });
});
