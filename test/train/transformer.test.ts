/** Tests the training script of the labeller `transformer`, all of it in one small run, against the program that reads its folders. */
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  closeTransformer,
  openTransformer,
  scoreTexts,
} from "../../src/label/papers/transformer/transformer-labeller.js";
import { needs, python } from "./python.js";

const NEEDED = "import torch, onnx, onnxruntime, tokenizers, transformers";
const SMALL = ["--scratch", "test", "--pooling", "mean", "--epochs", "1", "--head-epochs", "2"];
const A_RUN_MS = 300_000;

const WORDS =
  "river stone harbour morning letter window garden baker evening bridge children summer teacher road".split(
    " ",
  );

/** Documents whose menus are short and whose sentences are long. */
function makeLines(folder: string): string {
  const word = (at: number): string => WORDS[at % WORDS.length] ?? "";
  const sentence = (at: number): string =>
    `The ${word(at)} and the ${word(at * 3 + 1)} were seen near the ${word(at * 5 + 2)}, said the ${word(at + 4)}.`;
  const documents = Array.from({ length: 60 }, (_, at) => ({
    id: `made/${at}`,
    lang: "en",
    lines: [
      ...[1, 2, 3].map((place) => ({ text: `${word(at + place)} | ${word(at * place)}`, label: 0 })),
      ...[1, 2, 3, 4].map((place) => ({ text: sentence(at * 7 + place), label: 1 })),
      { text: `© ${2000 + (at % 20)} ${word(at)}`, label: 0 },
    ],
  }));
  const path = join(folder, "lines.jsonl");
  writeFileSync(path, documents.map((one) => `${JSON.stringify(one)}\n`).join(""));
  return path;
}

async function scoresOf(folder: string, texts: readonly string[]): Promise<Float64Array> {
  const opened = await openTransformer(folder);
  try {
    return await scoreTexts(texts, opened);
  } finally {
    await closeTransformer(opened);
  }
}

interface Recorded {
  readonly lines: readonly string[];
  readonly scores: readonly number[];
}

describe("train_transformer.py", () => {
  it(
    "makes folders from labelled lines that the program reads, with the scores of PyTorch",
    async (context) => {
      needs(context, python(["-c", NEEDED]).status === 0, "models/train/requirements-transformer.txt");
      const work = mkdtempSync(join(tmpdir(), "train-transformer-"));
      const [sequence, bag, small] = ["sequence", "bag", "small"].map((name) => join(work, name));
      if (sequence === undefined || bag === undefined || small === undefined) throw new Error("no folders");
      const common = ["-m", "papers.transformer.train_transformer", "--lines", makeLines(work), ...SMALL];
      const { status, text: said } = python([...common, "--float", "--out", sequence, "--bag", bag]);
      expect(status, said).toBe(0);
      for (const folder of [sequence, bag]) {
        const recorded = readFileSync(join(folder, "parity.jsonl"), "utf8").trim().split("\n");
        expect(recorded.length).toBeGreaterThan(5);
        for (const line of recorded) {
          const { lines, scores } = JSON.parse(line) as Recorded; // as the script writes it
          const found = await scoresOf(folder, lines);
          for (const [at, score] of scores.entries())
            expect(Math.abs((found[at] ?? Number.NaN) - score)).toBeLessThan(1e-4);
        }
      }
      const texts = ["river | road", "The river and the stone were seen near the garden, said the baker."];
      const [menu, text] = await scoresOf(sequence, texts);
      expect(text).toBeGreaterThan(menu ?? 1);

      expect(python([...common, "--out", small]).status).toBe(0);
      expect(existsSync(join(small, "onnx", "model_quantized.onnx"))).toBe(true);
      const quantized = await scoresOf(small, texts);
      expect(Math.abs((quantized[1] ?? 0) - (text ?? 0))).toBeLessThan(0.1);
    },
    A_RUN_MS,
  );
});
